"""The same trees as scikit-learn, split by split, where no two splits are tied.

scikit-learn breaks ties by chance, so ties are kept out: targets and weights are drawn from a continuum, and nodes
keep enough rows that no two thresholds part them alike. Its inputs are 32-bit floats, and so are these.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import tree as theirs

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from twins.loss import loss

CLASSES, NUMBERS = ("gini", "entropy"), ("squared_error", "absolute_error", "poisson")
RULES = [
    {},
    {"max_depth": 3},
    {"min_samples_split": 40},
    {"min_samples_split": 0.3},
    {"min_samples_leaf": 17},
    {"min_samples_leaf": 0.11},
    {"min_weight_fraction_leaf": 0.13},
    {"min_impurity_decrease": 0.011},
    {"max_leaf_nodes": 7},
    {"max_leaf_nodes": 5, "max_depth": 3},
    {"ccp_alpha": 0.013},
]


def rows(seed, n=157, d=5, missing=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    X[rng.random(X.shape) < missing] = np.nan
    signal = np.where(np.isnan(X), 0.7, X)
    score = signal[:, 0] + np.sin(2 * signal[:, 1]) + 0.5 * rng.normal(size=n)
    return X, score, rng.uniform(0.2, 2.0, n), rng


def problem(criterion, seed, **options):
    X, score, weight, rng = rows(seed, **options)
    if criterion in CLASSES:
        y = np.digitize(score, [-0.6, 0.6][: 1 + seed % 2])
        y = np.where(
            rng.random(len(y)) < 0.25, rng.integers(0, y.max() + 1, len(y)), y
        )  # noise: no pure nodes, where
        y = 3 * y - 1  # all columns that separate are tied; classes that are not 0, 1, 2
    else:
        y = np.exp(score) if criterion == "poisson" else score
    return X, y, weight


def pair(criterion, **rules):
    rules = {"criterion": criterion, "min_samples_leaf": 5, **rules}
    if criterion in CLASSES:
        return DecisionTreeClassifier(**rules), theirs.DecisionTreeClassifier(random_state=0, **rules)
    return DecisionTreeRegressor(**rules), theirs.DecisionTreeRegressor(random_state=0, **rules)


def matched(mine, other):
    """The node of theirs for each node of mine, both walked from the root: their order is another."""
    place = np.zeros(mine.n_nodes, int)
    for node in range(mine.n_nodes):
        if mine.first_child[node] < 0:
            assert other.children_left[place[node]] < 0, f"node {node} is a leaf, theirs is not"
            continue
        assert other.children_left[place[node]] >= 0, f"node {node} is split, theirs is not"
        place[mine.first_child[node]] = other.children_left[place[node]]
        place[mine.first_child[node] + 1] = other.children_right[place[node]]
    return place


def tied(mine, other, X, y, weight):
    """Is there, where the two first part, a tie? Two columns may part few rows alike. (Or a pure node which, by
    rounding, scikit-learn finds impure and splits.)"""
    a, b = mine.hedgerow_tree_, other.tree_
    w = np.ones(len(y)) if weight is None else weight
    codes = np.unique(y, return_inverse=True)[1].astype(float) if hasattr(mine, "classes_") else y
    stack = [(0, 0, np.arange(len(y)))]
    while stack:
        one, two, here = stack.pop()
        if a.first_child[one] < 0 or b.children_left[two] < 0:
            if len(set(y[here])) == 1 and b.children_left[two] >= 0:
                return True
            continue
        left = X[here, a.feature[one]] <= a.threshold[one]
        if a.feature[one] != b.feature[two] or a.threshold[one] != b.threshold[two]:
            theirs_left = X[here, b.feature[two]] <= b.threshold[two]
            gains = [parted(mine.criterion, codes[here], w[here], side) for side in (left, theirs_left)]
            return gains[0] == pytest.approx(gains[1], rel=1e-9)
        stack += [
            (a.first_child[one], b.children_left[two], here[left]),
            (a.first_child[one] + 1, b.children_right[two], here[~left]),
        ]
    return False


def parted(criterion, y, w, left):
    return loss(criterion, y[left], w[left]) + loss(criterion, y[~left], w[~left])


def assert_same_tree(mine, other):
    a, b = mine.hedgerow_tree_, other.tree_
    assert a.n_nodes == b.node_count
    at = matched(a, b)
    inner = a.first_child >= 0
    assert_array_equal(a.feature[inner], b.feature[at][inner])
    assert_array_equal(a.threshold[inner], b.threshold[at][inner])
    assert_array_equal(a.n_rows, b.n_node_samples[at])
    assert_allclose(a.weight, b.weighted_n_node_samples[at])
    assert_allclose(a.impurity, b.impurity[at], rtol=1e-6, atol=1e-9)
    assert_allclose(a.value, b.value[at][:, 0], rtol=1e-9, atol=1e-12)
    assert_allclose(mine.feature_importances_, other.feature_importances_, rtol=1e-6, atol=1e-9)


def assert_same_answers(mine, other, X):
    assert_allclose(mine.predict(X), other.predict(X))
    if hasattr(other, "predict_proba"):
        assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
@pytest.mark.parametrize(
    "rules", RULES, ids=lambda rules: ",".join(f"{k}={v}" for k, v in rules.items()) or "none"
)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_tree_under_every_rule(criterion, rules, weighted):
    same = 0
    for seed in range(8):
        X, y, weight = problem(criterion, seed)
        if not weighted:
            weight = None
            if criterion in CLASSES:  # counts tie where weights do not: large leaves of a larger table
                X, y, _ = problem(criterion, seed, n=1201)
                rules = {**rules, "min_samples_leaf": max(61, rules.get("min_samples_leaf", 0))}
        mine, other = (model.fit(X, y, weight) for model in pair(criterion, **rules))
        if tied(mine, other, X, y, weight):
            continue
        assert_same_tree(mine, other)
        assert_same_answers(mine, other, rows(seed + 99)[0])
        same += 1
    assert same >= 3


@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
@pytest.mark.parametrize("missing", [0.05, 0.4])
def test_the_same_tree_with_missing_cells(criterion, missing):
    if criterion == "absolute_error":
        pytest.skip("scikit-learn takes no missing cells with the absolute error")
    for seed in range(6):
        X, y, weight = problem(criterion, seed, missing=missing)
        mine, other = (model.fit(X, y, weight) for model in pair(criterion, min_samples_leaf=11))
        assert_same_tree(mine, other)
        assert_same_answers(mine, other, X)


@pytest.mark.parametrize("criterion", CLASSES)
@pytest.mark.parametrize("class_weight", ["balanced", {-1: 2.5, 2: 0.3, 5: 1.0}])
def test_the_same_class_weights(criterion, class_weight):
    for seed in (1, 3, 5):  # three classes
        X, y, weight = problem(criterion, seed, n=701)
        if class_weight == "balanced":
            # scikit-learn counts rows; here rows count by their weight, so that two is twice one
            weight = None
        rules = {"class_weight": class_weight, "min_weight_fraction_leaf": 0.09}
        mine, other = (model.fit(X, y, weight) for model in pair(criterion, **rules))
        assert_same_tree(mine, other)


@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
def test_the_same_pruning_path(criterion):
    for seed in range(5):
        X, y, weight = problem(criterion, seed)
        mine, other = (model.cost_complexity_pruning_path(X, y, weight) for model in pair(criterion))
        assert_allclose(distinct(mine), distinct(other), atol=1e-9)


def distinct(path):
    """One entry for each alpha: the last, when all its links are cut."""
    last = np.append(np.diff(path.ccp_alphas) > 1e-10, True)
    return np.column_stack([path.ccp_alphas[last], path.impurities[last]])


@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
@pytest.mark.parametrize("directions", [[1, 0, 0, 0, 0], [-1, 1, 0, -1, 0]])
@pytest.mark.parametrize("max_leaf_nodes", [None, 9])
def test_the_same_monotone_tree(criterion, directions, max_leaf_nodes):
    for seed in (0, 2, 4):  # two classes
        X, y, weight = problem(criterion, seed)
        rules = {"monotonic_cst": directions, "max_leaf_nodes": max_leaf_nodes}
        mine, other = (model.fit(X, y, weight) for model in pair(criterion, **rules))
        if not tied(mine, other, X, y, weight):
            assert_same_tree(mine, other)


@pytest.mark.parametrize("criterion", [*CLASSES, "misclassification", *NUMBERS])
def test_monotone_columns_are_monotone(criterion):
    directions = np.array([1, -1, 0, 1, 0])
    for seed in (0, 2, 4):
        X, y, _ = problem(
            "gini" if criterion == "misclassification" else criterion, seed, missing=0.1 * (seed == 2)
        )
        kind = DecisionTreeRegressor if criterion in NUMBERS else DecisionTreeClassifier
        model = kind(criterion=criterion, monotonic_cst=directions).fit(X, y)
        answer = (
            (lambda Z, m=model: m.predict_proba(Z)[:, 1]) if kind is DecisionTreeClassifier else model.predict
        )
        for column in np.flatnonzero(directions):
            grid = np.repeat(X[:31, None, :], 23, axis=1)
            grid[:, :, column] = np.linspace(-3, 3, 23)
            along = answer(grid.reshape(-1, 5)).reshape(31, 23)
            assert (np.diff(along, axis=1) * directions[column] >= 0).all()


def test_where_a_missing_cell_goes_when_training_had_none():
    """To the child with more rows, as in scikit-learn (with weights: to the one with more weight)."""
    X, y, _ = problem("squared_error", 0)
    mine, other = (model.fit(X, y) for model in pair("squared_error"))
    tree, at = mine.hedgerow_tree_, matched(mine.hedgerow_tree_, other.tree_)
    inner = tree.first_child >= 0
    assert_array_equal(
        (tree.missing_child == tree.first_child)[inner], other.tree_.missing_go_to_left[at][inner]
    )
