"""Intervals where the usual ones fail: learners that change with their training rows, and errors with a long tail."""

import numpy as np
import pytest

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.estimate import estimate_metric
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.predictions import Predictions
from hedgerow.evaluation.score import make_score
from hedgerow.evaluation.splits import Split, Splits

N, FOLDS = 2000, 5


def score_folds(scoring, y, predictions, classes):
    """The score of given predictions, tested in five folds."""
    parts = np.array_split(np.arange(len(y)), FOLDS)
    splits = Splits(
        tuple(Split(np.setdiff1d(np.arange(len(y)), part), part, 0) for part in parts), "", "folds"
    )
    results = tuple(FoldResult(predictions.take(part), "", 0.0, 0.0, None) for part in parts)
    data = Data(None, y, classes, None, None, None)
    metric = metrics()[scoring]
    return make_score(scoring, metric, estimate_metric(metric, results, data, splits), "", 0.95)


def score_classes(scoring, is_good):
    """`is_good`: of each fold, whether its model knows the column that counts, or another."""
    random = np.random.default_rng(1)
    X = random.normal(size=(N, 2))
    y = (random.random(N) < 1 / (1 + np.exp(-1.5 * X[:, 0]))).astype(int)
    good = np.repeat(is_good, N // FOLDS)
    p = 1 / (1 + np.exp(-1.5 * np.where(good, X[:, 0], X[:, 1])))
    proba = np.column_stack([1 - p, p])
    return score_folds(scoring, y, Predictions((p > 0.5).astype(int), proba, proba), np.array([0, 1]))


@pytest.mark.parametrize("scoring", ["roc_auc", "accuracy", "balanced_accuracy", "log_loss"])
def test_folds_from_chance_to_good_are_no_sure_score(scoring):
    """Areas of .50 to .75 over the folds have no interval of .02."""
    steady = score_classes(scoring, [True] * 5)
    wavering = score_classes(scoring, [True, False, True, False, True])
    assert wavering.high - wavering.low > 4 * (steady.high - steady.low)
    if scoring == "roc_auc":
        assert wavering.low < 0.6
        assert steady.high - steady.low < 0.06


def test_few_large_errors_do_not_make_an_interval_absurd():
    """Three of 100 are large: wider than a bootstrap, which is too narrow there, but not three times as wide."""
    random = np.random.default_rng(4)
    error = random.normal(size=100)
    error[:3] *= 12
    found = score_folds("rmse", error, Predictions(np.zeros(100)), None)
    drawn = np.sqrt(np.mean(error[random.integers(0, 100, (2000, 100))] ** 2, axis=1))
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found.low < found.value < found.high
    assert np.log(found.high / found.low) > np.log(high / low)
    assert np.log(found.high / found.low) < 1.9 * np.log(high / low)


def test_the_upper_end_of_skewed_errors_is_far_enough():
    """Log-normal errors, 100 rows: where intervals with equal tails missed the truth, they were too low."""
    truth = np.sqrt(np.exp(2 * 0.7**2) - np.exp(0.7**2))
    random = np.random.default_rng(5)
    errors = np.exp(0.7 * random.normal(size=(300, 100))) - np.exp(0.7**2 / 2)
    found = [score_folds("rmse", error, Predictions(np.zeros(100)), None) for error in errors]
    assert sum(one.low <= truth <= one.high for one in found) >= 285  # 95 %


def test_what_two_repeats_contradict_has_an_interval():
    """Two rows of a class, each found in one repeat of two: no variance is left, and a study of forty rows failed."""
    y = np.array([1, 0, 0, 0, 1, 0, 0, 0])
    found = np.array([[1, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 1, 0, 1, 0]])
    parts = [np.arange(4), np.arange(4, 8)]
    splits = tuple(Split(parts[1 - k], parts[k], repeat) for repeat in (0, 1) for k in (0, 1))
    results = tuple(
        FoldResult(Predictions(found[one.repeat][one.test], None, None), "", 0.0, 0.0, None) for one in splits
    )
    data, metric = Data(None, y, np.array([0, 1]), None, None, None), metrics()["recall"]
    estimate = estimate_metric(metric, results, data, Splits(splits, "", "folds"))
    assert estimate.std_error == 0
    score = make_score("recall", metric, estimate, "", 0.95)
    assert score.value == 0.5
    assert 0 <= score.low < 0.2
    assert 0.8 < score.high <= 1
