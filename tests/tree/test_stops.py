"""missing="stop": a row whose tested cell is missing stops at the node, as rpart's usesurrogate=0 has it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier, load, save
from hedgerow.encode import matrix
from hedgerow.prune.sequence import cut_path
from hedgerow.table import to_table
from hedgerow.tree.check import TreeError, check
from hedgerow.tree.cut import cut
from hedgerow.tree.decide import leaf_of, path_of, value_of
from hedgerow.tree.tree import LEAF

# rpart(y ~ ., d, control = rpart.control(cp = -1, minsplit = 12, minbucket = 5, maxdepth = 3, usesurrogate = 0,
# maxsurrogate = 0, xval = 0)): `where` of its rows, and predictions (of the second class) for new ones.
RPART = json.loads((Path(__file__).parent / "fixtures" / "rpart_stop.json").read_text())["tables"]
CRITERIA = {"gini": "gini", "information": "entropy", "anova": "squared_error"}


def table_of(rows):
    return to_table({name: [row[j] for row in rows] for j, name in enumerate("abck")})


@pytest.mark.parametrize("stored", RPART, ids=lambda stored: stored["split"])
def test_the_tree_is_rparts(stored):
    kind = DecisionTreeRegressor if stored["split"] == "anova" else DecisionTreeClassifier
    rules = {"max_depth": 3, "min_samples_split": 12, "min_samples_leaf": 5}
    rows = table_of(stored["rows"])
    model = kind(criterion=CRITERIA[stored["split"]], missing="stop", **rules).fit(
        rows, np.array(stored["y"])
    )
    ends = model.apply(rows).tolist()
    assert len(set(zip(ends, stored["where"], strict=True))) == len(set(ends)) == len(set(stored["where"]))
    new = table_of(stored["new"])
    found = model.predict(new) if stored["split"] == "anova" else model.predict_proba(new)[:, 1]
    np.testing.assert_allclose(found, stored["predictions"], rtol=1e-12)


def grown(seed=0, kind=DecisionTreeClassifier, **params):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(237, 3))
    colour = np.where(x[:, 0] > 0.1, "red", np.where(x[:, 0] < -1, "blue", "green")).astype(object)
    y = (x[:, 0] + x[:, 1] > 0).astype(float) + (x[:, 2] if kind is DecisionTreeRegressor else 0)
    x[rng.random(x.shape) < 0.2] = np.nan
    colour[rng.random(237) < 0.2] = None
    table = to_table({**{f"x{j}": x[:, j] for j in range(3)}, "colour": colour.tolist()})
    return table, y, kind(missing="stop", **params).fit(table, y)


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_rows_stop_where_they_stopped_in_training(kind):
    table, _, model = grown(kind=kind, max_depth=4)
    tree, rows = model.hedgerow_tree_, matrix(model.schema_, table)
    check(tree)
    leaf = leaf_of(tree, rows)
    np.testing.assert_array_equal(model.apply(table), leaf)
    ends = tree.kind == LEAF
    np.testing.assert_array_equal(np.bincount(leaf, minlength=tree.n_nodes)[ends], tree.n_rows[ends])
    stops = np.flatnonzero(tree.stop_leaves)
    assert tree.n_rows[stops].sum() > 0
    np.testing.assert_array_equal(tree.value[stops], tree.value[tree.parent[stops]])
    answers = model.predict_proba(table) if kind is DecisionTreeClassifier else model.predict(table)[:, None]
    np.testing.assert_array_equal(answers, value_of(tree, rows))
    starts, _ = path_of(tree, rows)
    np.testing.assert_array_equal(np.diff(starts), tree.depth[leaf] + 1)


def test_a_gap_where_training_had_none_stops_too():
    X = np.arange(12.0).reshape(-1, 1)
    model = DecisionTreeClassifier(missing="stop").fit(X, np.arange(12) >= 3)
    np.testing.assert_array_equal(model.predict_proba([[np.nan]]), [[0.25, 0.75]])
    assert "missing" not in model.to_text()


def test_text_and_rules_name_the_rows_that_stop():
    _, _, model = grown(max_depth=2)
    assert "is missing" in model.to_text()
    assert "is missing then" in str(model.export("rules"))
    assert "is missing" in model.to_svg()


def test_files_of_trees_and_forests_keep_them(tmp_path):
    table, y, model = grown()
    forest = RandomForestClassifier(5, missing="stop", random_state=0).fit(table, y)
    for one in (model, forest):
        save(one, tmp_path / "m.hedgerow")
        np.testing.assert_array_equal(
            load(tmp_path / "m.hedgerow").predict_proba(table), one.predict_proba(table)
        )
    explained = forest.explain(table)
    np.testing.assert_allclose(
        explained.values.sum(axis=1) + explained.base, forest.predict_proba(table), atol=1e-12
    )


def test_stops_are_no_leaves_to_cost_complexity():
    """Of a tree without gaps each split costs one leaf: the alphas are those of missing="learned"."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(150, 3)), rng.integers(0, 2, 150)
    stop, usual = (DecisionTreeClassifier(missing=how).fit(X, y) for how in ("stop", "learned"))
    one, other = cut_path(stop.hedgerow_tree_), cut_path(usual.hedgerow_tree_)
    np.testing.assert_allclose(one.alpha, other.alpha, atol=1e-15)
    np.testing.assert_allclose(one.risk, other.risk, atol=1e-15)
    np.testing.assert_array_equal(one.n_leaves, other.n_leaves)


@pytest.mark.parametrize(
    "prune", ["cost_complexity", "reduced_error", "chi_square", "minimum_description_length"]
)
def test_prunings_leave_a_whole_tree(prune):
    table, y, model = grown(random_state=0)
    pruned = DecisionTreeClassifier(missing="stop", prune=prune, random_state=0).fit(table, y)
    check(pruned.hedgerow_tree_)
    assert pruned.hedgerow_tree_.n_nodes <= model.hedgerow_tree_.n_nodes


def test_a_cut_tree_is_whole():
    tree = grown()[2].hedgerow_tree_
    smaller = cut(tree, tree.depth == 2)
    check(smaller)
    assert smaller.stop_leaves.any()


def test_what_does_not_go_with_stops_is_said():
    table, y, _ = grown()
    for params in ({"splits": "multiway"}, {"prune": "pessimistic"}, {"max_leaf_nodes": 4}):
        with pytest.raises(ValueError, match="do not go together"):
            DecisionTreeClassifier(missing="stop", **params).fit(table, y)


def test_damage_is_found():
    tree = grown()[2].hedgerow_tree_
    astray = tree.missing_child.copy()
    astray[0] -= 1
    with pytest.raises(TreeError, match="node 0: missing_child"):
        check(replace(tree, missing_child=astray))
