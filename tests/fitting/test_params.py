"""Parameters: each wrong value is told, with the name, the value, what is wanted."""

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, RuleListClassifier
from hedgerow.estimators.tree import validate
from hedgerow.fitting.params import tree_defaults, validate_rules, validate_tree

X = np.arange(21.0).reshape(7, 3)
Y = np.array([0, 1, 0, 1, 1, 0, 1])

WRONG = [
    ("criterion", "ginni", r"criterion='ginni' is unknown. Known: gini, .* Did you mean 'gini'\?"),
    ("criterion", "squared_error", "criterion='squared_error' is unknown"),
    ("criterion", None, "criterion=None is unknown"),
    ("splitter", "bets", r"Did you mean 'best'\?"),
    ("max_depth", 0, "max_depth=0 is out of range. Give a whole number of at least 1"),
    ("max_depth", -1, "max_depth=-1"),
    ("max_depth", 2.5, "max_depth=2.5"),
    ("max_depth", True, "max_depth=True"),
    ("max_depth", "3", "max_depth='3'"),
    ("min_samples_split", 1, "min_samples_split=1"),
    ("min_samples_split", 0.0, "min_samples_split=0.0"),
    ("min_samples_split", 1.5, "min_samples_split=1.5"),
    ("min_samples_leaf", 0, "min_samples_leaf=0"),
    ("min_samples_leaf", 1.0, "min_samples_leaf=1.0"),
    ("min_samples_leaf", np.nan, "min_samples_leaf=nan"),
    (
        "min_weight_fraction_leaf",
        0.6,
        "min_weight_fraction_leaf=0.6 is out of range. Give a number from 0 to 0.5",
    ),
    ("min_weight_fraction_leaf", -0.1, "min_weight_fraction_leaf=-0.1"),
    ("max_features", 0, "max_features=0"),
    ("max_features", 1.1, "max_features=1.1"),
    ("max_features", "auto", "max_features='auto' is unknown"),
    ("max_leaf_nodes", 1, "max_leaf_nodes=1 is out of range. Give a whole number of at least 2"),
    ("min_impurity_decrease", -1, "min_impurity_decrease=-1 is out of range. Give a number of at least 0"),
    ("min_impurity_decrease", np.inf, "min_impurity_decrease=inf"),
    ("ccp_alpha", -0.5, "ccp_alpha=-0.5"),
    ("ccp_alpha", "small", "ccp_alpha='small'"),
    ("class_weight", "balance", "class_weight='balance' is unknown"),
    ("class_weight", {7: 1.0}, "class_weight names 7, which is no class"),
    ("class_weight", {0: -1.0}, "class_weight"),
    ("class_weight", {0: np.nan}, "class_weight"),
    ("class_weight", {0: 0.0, 1: 0.0}, "class_weight"),
    ("class_weight", {0: "heavy"}, "class_weight"),
    ("monotonic_cst", [1, 0], "monotonic_cst has shape"),
    ("monotonic_cst", [2, 0, 0], "only -1, 0 and 1"),
    ("monotonic_cst", {"nothing": 1}, "names 'nothing', which is no column"),
    ("categorical_features", [5], "position 5"),
    ("categorical_features", "x", r"\['x'\]"),
    ("max_bins", 1, "max_bins=1 is out of range. Give 2 to 255"),
    ("max_bins", 256, "max_bins=256"),
    ("max_bins", 20.0, "max_bins=20.0"),
    ("n_jobs", 0, "n_jobs=0 has no meaning"),
    ("n_jobs", 1.5, "n_jobs=1.5"),
    ("n_jobs", "all", "n_jobs='all'"),
    ("random_state", "seed", "seed"),
]


@pytest.mark.parametrize(
    ("name", "value", "output"), WRONG, ids=[f"{name}={value!r}" for name, value, _ in WRONG]
)
def test_a_wrong_value_is_told(name, value, output):
    options = {"max_features": 1} if name == "random_state" else {}
    with pytest.raises((ValueError, TypeError), match=output):
        DecisionTreeClassifier(**{name: value}, **options).fit(X, Y)


def test_regression_has_criteria_of_its_own():
    with pytest.raises(ValueError, match="Known: squared_error, absolute_error, poisson"):
        DecisionTreeRegressor(criterion="gini").fit(X, Y)


def test_parameters_are_checked_at_fit_and_kept_as_given():
    model = DecisionTreeClassifier(
        max_depth=np.int64(3), min_samples_leaf=np.float32(0.5), max_features="sqrt"
    )
    kept = model.get_params()
    model.fit(X, Y)
    assert model.get_params() == kept


@pytest.mark.parametrize(
    ("max_features_given", "columns", "wanted"),
    [
        (None, 7, 7),
        ("sqrt", 7, 2),
        ("log2", 7, 2),
        (0.5, 7, 3),
        (3, 7, 3),
        (9, 7, 7),
        (0.01, 7, 1),
        (1.0, 7, 7),
        ("log2", 1, 1),
    ],
)
def test_max_features_as_in_scikit_learn(max_features_given, columns, wanted):
    model = DecisionTreeClassifier(max_features=max_features_given)
    assert validate(model).limits(10, columns, 10.0).max_features == wanted


@pytest.mark.parametrize(
    ("split", "leaf", "rows", "wanted"),
    [
        (2, 1, 10, (2, 1)),
        (0.35, 1, 10, (4, 1)),
        (2, 0.25, 10, (6, 3)),
        (1.0, 1, 7, (7, 1)),
        (3, 4, 9, (8, 4)),
    ],
)
def test_shares_become_rows_as_in_scikit_learn(split, leaf, rows, wanted):
    model = DecisionTreeRegressor(min_samples_split=split, min_samples_leaf=leaf)
    limits = validate(model).limits(rows, 3, float(rows))
    assert (limits.min_rows_split, limits.min_rows_leaf) == wanted


def test_log_loss_is_entropy():
    one, other = (
        DecisionTreeClassifier(criterion=c).fit(X, Y).hedgerow_tree_ for c in ("log_loss", "entropy")
    )
    np.testing.assert_array_equal(one.impurity, other.impurity)


def test_monotone_by_name():
    by_b, by_c = (validate_tree("classification", {"monotonic_cst": {name: -1}}) for name in "bc")
    assert by_b.monotone(("a", "b", "c"), ("number",) * 3).tolist() == [0, -1, 0]
    with pytest.raises(ValueError, match="'c', a category, which has none"):
        by_c.monotone(("a", "b", "c"), ("number", "number", "category"))


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_defaults_are_the_estimators(kind):
    assert dict(tree_defaults(kind._task)) == kind().get_params()
    assert validate_tree(kind._task, {}) == validate(kind())


def test_rules_have_the_defaults_of_the_estimator():
    assert validate_rules({}) == validate_rules(RuleListClassifier().get_params())


def test_a_name_that_is_no_parameter():
    with pytest.raises(
        TypeError, match=r"max_dept is no parameter of a tree for regression. Known: criterion"
    ):
        validate_tree("regression", {"max_dept": 3})


def test_monotone_needs_two_classes():
    with pytest.raises(ValueError, match="needs two classes, but y has 3"):
        DecisionTreeClassifier(monotonic_cst=[1, 0, 0]).fit(X, [0, 1, 2, 0, 1, 2, 0])
