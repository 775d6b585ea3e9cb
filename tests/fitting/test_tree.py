"""fit_tree: the same tree, bit for bit, as the estimators'; and it starts without scikit-learn."""

import subprocess
import sys

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.datasets import titanic
from hedgerow.fitting.params import validate_tree
from hedgerow.fitting.target import encode_classes, encode_numbers
from hedgerow.fitting.tree import fit_tree
from hedgerow.prune import Pessimistic
from hedgerow.recipe_book import RECIPES
from tree.same import assert_same

PRUNINGS = (
    None,
    "cost_complexity",
    "reduced_error",
    "depth_limit",
    {"method": "leaf_limit", "leaves": 5},
    {"method": "cost_complexity", "alpha": 0.01},
)
CLASSES_ONLY = ("pessimistic", "chi_square", "minimum_description_length")
CLASSIFIERS = [
    *(dict(recipe.parameters) for recipe in RECIPES.values()),
    *({"prune": method} for method in (*PRUNINGS, *CLASSES_ONLY)),
    {"ccp_alpha": 0.01, "merge_leaves": True, "trace": True},
    {"max_features": 2, "random_state": 3, "criterion": "log_loss"},
    {"splitter": "random", "prune": "reduced_error", "random_state": 3},
]
REGRESSORS = [
    *({"prune": method, "min_samples_leaf": 5} for method in PRUNINGS),
    {"missing": "surrogate", "prune": "cost_complexity"},
    {"criterion": "absolute_error", "max_leaf_nodes": 6, "max_bins": 32},
    {"criterion": "poisson", "max_depth": 4, "ccp_alpha": 0.001},
]


def same(fitted, model):
    assert_same(fitted.tree, model.hedgerow_tree_)
    assert fitted.labels == model.labels_
    assert fitted.max_features == model.max_features_
    assert (fitted.cp_table is None) == (not hasattr(model, "cp_table_"))
    if fitted.cp_table is not None:
        assert fitted.cp_table.to_dict() == model.cp_table_.to_dict()
    assert str(fitted.trace) == str(getattr(model, "trace_", None))


@pytest.mark.parametrize("given", CLASSIFIERS, ids=str)
def test_classes_as_the_estimator(given):
    data = titanic()
    target, classes = encode_classes(data.target, None)
    fitted = fit_tree(data.table, target, validate_tree("classification", given), classes=classes.tolist())
    same(fitted, DecisionTreeClassifier(**given).fit(data.table, data.target))


@pytest.mark.parametrize("given", REGRESSORS, ids=str)
def test_numbers_as_the_estimator(given):
    data = titanic()
    rng = np.random.default_rng(7)
    y, weight = rng.gamma(2.0, size=data.table.n_rows).round(2), rng.random(data.table.n_rows).round(1)
    y[data.target == data.target[0]] += 1.0
    fitted = fit_tree(data.table, encode_numbers(y, weight), validate_tree("regression", given))
    same(fitted, DecisionTreeRegressor(**given).fit(data.table, y, weight))


def test_what_was_held_out_and_what_was_grown():
    data = titanic()
    target, _ = encode_classes(data.target, None)
    by_rows = fit_tree(data.table, target, validate_tree("classification", {"prune": "reduced_error"}))
    assert by_rows.held_out.sum() == round(0.2 * data.table.n_rows)
    assert by_rows.unpruned.n_leaves > by_rows.tree.n_leaves
    assert by_rows.unpruned.n_rows[0] == data.table.n_rows - by_rows.held_out.sum()


def test_steps_are_reported():
    data, steps = titanic(), []
    target, _ = encode_classes(data.target, None)
    fit_tree(data.table, target, validate_tree("classification", {"max_depth": 2}), on_step=steps.append)
    assert steps == ["growing", "pruning"]


def test_no_scikit_learn():
    code = (
        "import sys, pkgutil, importlib, hedgerow.fitting as f;"
        "[importlib.import_module(m.name) for m in pkgutil.iter_modules(f.__path__, 'hedgerow.fitting.')];"
        "print([m for m in ('sklearn', 'scipy', 'pandas', 'polars', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_trace_is_cut_with_its_tree():
    """541 nodes are grown, 39 stay: without raising, pessimistic pruning only makes leaves of nodes."""
    data = titanic()
    model = DecisionTreeClassifier(trace=True, prune=Pessimistic(raising=False)).fit(data.table, data.target)
    assert len(model.trace_.gain) == model.hedgerow_tree_.n_nodes == 39
