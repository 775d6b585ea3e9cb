"""formulas: the lectures' examples as doctests, and the same numbers as trees, boosters and machines compute."""

import doctest
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import SVC, AdaBoostClassifier, DecisionTreeClassifier, datasets, formulas

MODULES = (
    "formulas.impurity",
    "formulas.pruning",
    "formulas.boosting",
    "formulas.margins",
    "evaluation.curves.bias_variance",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_the_docstrings(name):
    found = doctest.testmod(import_module(f"hedgerow.{name}"))
    assert found.attempted > 0
    assert found.failed == 0


@settings(max_examples=15)
@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=2))
def test_impurities_are_those_of_trees(lines):
    """A split of one yes-no column: impurity of the root, and what remains in its children."""
    table = np.array(lines)
    if (table.sum(axis=1) == 0).any() or (table.sum(axis=0) > 0).sum() < 2:
        return
    X = np.repeat([0.0, 1.0], table.sum(axis=1))[:, None]
    y = np.concatenate([np.repeat(np.arange(3), line) for line in table])
    for criterion in ("entropy", "gini", "misclassification"):
        measure = getattr(formulas, criterion)
        tree = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X, y).hedgerow_tree_
        assert tree.impurity[0] == pytest.approx(measure(table.sum(axis=0)))
        if tree.n_nodes == 3:
            left = (tree.weight * tree.impurity)[1:].sum() / tree.weight[0]
            assert left == pytest.approx(measure(table), abs=1e-12)
    assert formulas.information_gain(table) >= -1e-12


def test_the_chi_square_of_a_table_is_that_of_a_node():
    from hedgerow.prune.methods.chi_square import p_value, statistic

    data = datasets.restaurant()
    tree = DecisionTreeClassifier(max_depth=1).fit(data.table, data.target).hedgerow_tree_
    counts = tree.value[1:3] * tree.weight[1:3, None]
    value, freedom = statistic(tree)
    assert formulas.chi_square(counts) == pytest.approx((value[0], freedom[0], p_value(tree)[0]))


def test_calibration_is_that_of_a_round():
    points = datasets.ten_points()
    model = AdaBoostClassifier(n_estimators=2).fit(points.table, points.target)
    y = np.where(points.target == model.classes_[1], 1, -1)
    weight = np.ones(10)
    scores = [np.zeros(10), *model.staged_decision_function(points.table)]
    for t, round in enumerate(model.rounds_.rounds):
        f = np.sign(scores[t + 1] - scores[t])
        found = formulas.calibrate(f, y, weight)
        assert (found.alpha, found.wrong) == pytest.approx((round.alpha, round.epsilon))
        assert formulas.edge(f, y, weight) == pytest.approx(1 - 2 * round.epsilon)
        assert found.loss == pytest.approx(round.normaliser)
        assert found.loss + found.decrease == pytest.approx(1)
        weight = weight * formulas.exponential_loss(found.alpha * y * f)


def test_slack_and_margin_are_those_of_a_certificate():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0, 1, -1)
    model = SVC(kernel="linear", tol=1e-9).fit(X, y)
    w, b = model.coef_[0], float(model.intercept_[0])
    assert formulas.margin(w) == pytest.approx(model.certificate_.margin_width)
    slack = formulas.slack(X, y, w, b)
    assert 0.5 * w @ w + slack.sum() == pytest.approx(model.certificate_.primal)
    assert np.array_equal(slack, formulas.hinge_loss(X @ w + b, y))


def test_the_error_of_a_majority():
    assert round(formulas.majority_vote_error(25, 0.35), 2) == 0.06


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: formulas.entropy([3, -1]), "Counts are numbers of at least 0"),
        (lambda: formulas.entropy([1, 1], base=1), "base=1 is out of range"),
        (lambda: formulas.gini([0, 0]), "counts nothing"),
        (lambda: formulas.information_gain([3, 4]), "a line of counts for each branch"),
        (lambda: formulas.critical_value(0), "degrees_of_freedom=0"),
        (lambda: formulas.pessimistic_error(3, 2), "wrong=3 of rows=2"),
        (lambda: formulas.calibrate([1, 1], [0, 1]), "labels other than -1 and"),
        (lambda: formulas.calibrate([1, 1], [1]), "an entry for each row"),
        (lambda: formulas.hinge_loss([1.0], [0]), "labels other than -1 and"),
        (lambda: formulas.margin([0.0]), "is no plane"),
    ],
)
def test_bad_input_says_what_is_wanted(call, message):
    with pytest.raises(ValueError, match=message):
        call()
