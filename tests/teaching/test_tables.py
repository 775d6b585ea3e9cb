"""What lectures show row by row and node by node agrees with what trees, boosters and machines do."""

import json

import numpy as np
import pytest

from hedgerow import (
    SVC,
    AdaBoostClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    datasets,
    recipe,
    teaching,
)
from hedgerow.formulas import chi_square, critical_value, description_length, pessimistic_error
from hedgerow.prune import cut_path
from hedgerow.rules import RuleList, label_rows
from hedgerow.rules.bitset import ConditionBits
from hedgerow.rules.drop import drop_all
from hedgerow.rules.estimate import held_out, pessimistic


def plane(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, "yes", "no")


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
def test_the_best_threshold_is_the_one_a_tree_takes(criterion):
    X, y = plane()
    found = teaching.score_thresholds(X[:, 0], y, criterion=criterion)
    tree = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X[:, :1], y).hedgerow_tree_
    assert found.threshold[found.best] == pytest.approx(tree.threshold[0])
    assert found.gain[found.best] == pytest.approx(tree.impurity[0] - found.remainder[found.best])
    assert len(found) == len(y) - 1
    assert "->" in str(found)


def test_thresholds_of_numbers_and_of_the_ten_points():
    X, _ = plane()
    found = teaching.score_thresholds(X[:, 0], X[:, 1], criterion="squared_error")
    tree = DecisionTreeRegressor(max_depth=1).fit(X[:, :1], X[:, 1]).hedgerow_tree_
    assert found.threshold[found.best] == pytest.approx(tree.threshold[0])
    points = datasets.ten_points()
    first = teaching.score_thresholds(
        points.table.columns[0].values, points.target, criterion="misclassification"
    )
    assert (first.threshold[first.best], first.remainder[first.best]) == (2.5, pytest.approx(0.3))
    with pytest.raises(ValueError, match="one value only"):
        teaching.score_thresholds(np.ones(4), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="criterion='ginny' is unknown"):
        teaching.score_thresholds([1, 2], [0, 1], criterion="ginny")


def test_costs_of_the_restaurant_root():
    data = datasets.restaurant()
    model = recipe("id3").fit(data.table, data.target)
    found = teaching.measure_nodes(model)
    test = chi_square([[2, 0], [0, 4], [4, 2]])
    assert found.chi_square[0] == pytest.approx(test.statistic)
    assert found.critical_value[0] == pytest.approx(critical_value(2))
    assert found.p_value[0] == pytest.approx(test.p_value)
    assert found.bits_as_leaf[0] == pytest.approx(1 + description_length([6, 6]))
    assert (found.error_as_leaf[0], found.error_as_split[0], found.leaves[0]) == (6, 0, 8)
    assert found.pessimistic_as_leaf[0] == pytest.approx(12 * pessimistic_error(6, 12))
    assert json.dumps(found.to_dict())
    assert "Pat?" in str(found)


def test_the_smallest_alpha_is_that_of_the_weakest_link():
    X, y = plane(80)
    model = DecisionTreeClassifier(criterion="misclassification", max_leaf_nodes=8).fit(X, y)
    found = teaching.measure_nodes(model)
    assert found.alpha.min() / len(y) == pytest.approx(cut_path(model.hedgerow_tree_).alpha[1:].min())
    numbers = teaching.measure_nodes(DecisionTreeRegressor(max_depth=2).fit(X, X[:, 0]))
    assert np.isnan(numbers.chi_square).all()
    assert (numbers.error_as_split <= numbers.error_as_leaf).all()


@pytest.mark.parametrize("own_rows", [False, True])
def test_considered_removals_end_where_the_pruning_does(own_rows):
    data = datasets.heart()
    half = np.arange(0, 303, 2)
    X, y = data.table.take(half), data.target[half]
    unseen = (data.table.take(half[:-1] + 1), data.target[half[:-1] + 1])
    model = recipe("c45", missing="learned").fit(X, y)
    found = teaching.prune_rules(model, X, y, prune_with=unseen if own_rows else None)
    judged = unseen if own_rows else (X, y)
    rows, _ = model._rows(judged[0])
    labeled = label_rows(model.labels_, rows, np.searchsorted(model.classes_, judged[1]))
    listed = [(rule.conditions, rule.decision) for rule in found.before.rules]
    ended = drop_all(listed, ConditionBits(labeled, 2, 1), held_out if own_rows else pessimistic(0.25))
    for steps, fast in zip(found.considered, ended, strict=True):
        last = [one.error for step in steps.steps for one in step if one.removed]
        assert steps.error == pytest.approx(fast.before)
        assert (last[-1] if last else steps.error) == pytest.approx(fast.error)
    assert len(found.rules) < len(found.before)
    assert set(found.predict(X)) <= set(model.classes_)
    assert isinstance(RuleList.from_json(json.dumps(found.to_dict()["rules"])), RuleList)


def test_the_lecture_considers_removing_patrons_and_hungry():
    """Lecture 002: (Patrons = Full) and (Hungry = No) => No."""
    data = datasets.restaurant()
    model = recipe("id3").fit(data.table, data.target)
    found = teaching.prune_rules(model, data.table, data.target)
    steps = next(one for one in found.considered if one.rule == "Pat = Full and Hun = no")
    assert [(one.precondition, one.rows, one.wrong) for one in steps.steps[0]] == [
        ("Pat = Full", 5, 1),
        ("Hun = no", 6, 2),
    ]
    with pytest.raises(ValueError, match="no rules to prune"):
        teaching.prune_rules(DecisionTreeRegressor().fit([[1], [2]], [1, 2]), [[1], [2]], [1, 2])


def test_weights_of_the_ten_points():
    """Lecture 000: after each round half of the weight is on the rows it has wrong."""
    points = datasets.ten_points()
    model = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
    found = teaching.trace_weights(model, points.table, points.target)
    assert found.weight.shape == (4, 10)
    assert found.weight.sum(axis=1) == pytest.approx(1)
    for t in range(3):
        wrong = found.right[t] < 0
        assert wrong.sum() == 3
        assert found.weight[t, wrong].sum() == pytest.approx(model.rounds_.rounds[t].epsilon)
        assert found.weight[t + 1, wrong].sum() == pytest.approx(0.5)
    assert found.weight[3] == pytest.approx(model.rounds_.weight[:, 0])
    assert json.dumps(found.to_dict())


@pytest.mark.parametrize(
    "options", [{"multi_class": "vote"}, {"multi_class": "mh"}, {"sampling": "resample"}]
)
def test_weights_of_several_classes_end_where_boosting_did(options):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(70, 3))
    y = np.digitize(X[:, 0] + 0.3 * rng.normal(size=70), [-0.5, 0.5])
    model = AdaBoostClassifier(n_estimators=7, random_state=0, **options).fit(X, y)
    found = teaching.trace_weights(model, X, y)
    assert found.weight[-1] == pytest.approx(model.rounds_.weight.sum(axis=1))


def test_what_is_fitted_otherwise_is_refused():
    X, y = plane()
    with pytest.raises(ValueError, match="no tree to measure"):
        teaching.measure_nodes(SVC().fit(X, y))
    with pytest.raises(ValueError, match="no weights of rows"):
        teaching.trace_weights(SVC().fit(X, y), X, y)
