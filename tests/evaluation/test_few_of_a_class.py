"""Intervals that rest on a handful of rows: of a rare class, of two groups."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import DecisionTreeClassifier, evaluate
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.estimate import estimate_metric
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.predictions import Predictions
from hedgerow.evaluation.score import wilson_interval
from hedgerow.evaluation.splits import make_splits


def folded(score, weight, y, order, splits):
    """The metric over the folds, with these weights of the rows."""
    data = Data(np.zeros((len(y), 1)), y, np.array([0, 1]), weight, None, None)
    results = tuple(
        FoldResult(
            Predictions((order[p.test] > 0).astype(int), None, np.column_stack([-order, order])[p.test]),
            "",
            0,
            0,
            None,
        )
        for p in splits.parts
    )
    return estimate_metric(metrics()[score], results, data, splits)


@pytest.mark.slow
@pytest.mark.parametrize("score", ["roc_auc", "average_precision"])
@given(seed=st.integers(0, 2**32 - 1))
def test_moves_of_folds_are_derivatives(score, seed):
    """Also of what a fold counts among the folds: a row's move is its weight times the derivative."""
    random = np.random.default_rng(seed)
    y = np.arange(24) % 3 // 2  # a third are positive
    order, weight = random.normal(size=24), random.uniform(0.5, 2, 24)
    splits = make_splits(4, Data(np.zeros((24, 1)), y, np.array([0, 1]), None, None, None), random_state=1)
    found = folded(score, weight, y, order, splits)
    row, step = int(random.integers(24)), 1e-5
    more, less = weight.copy(), weight.copy()
    more[row] += step
    less[row] -= step
    slope = (folded(score, more, y, order, splits).value - folded(score, less, y, order, splits).value) / (
        2 * step
    )
    assert found.contributions[0, row] == pytest.approx(weight[row] * slope, abs=1e-7)


def test_ten_positives_in_ten_folds_leave_an_area_unsure():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(3000, 3)), np.zeros(3000, int)
    rare = random.choice(3000, 10, replace=False)
    y[rare], X[rare, 0] = 1, X[rare, 0] + 2
    found = evaluate(DecisionTreeClassifier(max_depth=3), X, y, cv=10, scoring="roc_auc", progress=False)
    score, by_fold = found["roc_auc"], found.folds("roc_auc")
    assert score.std_error > 0.8 * np.std(by_fold, ddof=1) / np.sqrt(10)
    assert score.high - score.low > 0.15


def test_two_groups_keep_the_value_inside():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    y = (X[:, 0] + random.normal(size=60) > 0).astype(int)
    found = evaluate(
        DecisionTreeClassifier(max_depth=2), X, y, groups=np.arange(60) % 2, cv=2, progress=False
    )
    for score in found.scores:
        assert score.low <= score.value <= score.high, score.name


def test_nothing_and_everything_have_round_ends():
    assert wilson_interval(0.0, 37.3, 1.96)[0] == 0.0
    assert wilson_interval(1.0, 37.3, 1.96)[1] == 1.0


def test_a_class_that_no_training_row_had_costs_every_model_the_same():
    random = np.random.default_rng(4)
    X, y = random.normal(size=(90, 3)), np.append(np.arange(89) % 2, 2)
    X[:, 0] += 2 * (y == 1)
    cut = [(np.arange(60), np.arange(60, 90))]
    deep, shallow = (
        evaluate(DecisionTreeClassifier(max_depth=d, min_samples_leaf=9), X, y, cv=cut, scoring="log_loss")
        for d in (1, 4)
    )
    for found in (deep, shallow):
        proba = found.fold_results[0].predictions.proba
        assert np.allclose(proba[:, 2], 1 / 62)
        assert np.allclose(proba.sum(axis=1), 1)
        assert found["log_loss"].baseline < 1.5
