"""Prediction intervals: their coverage on new rows."""

import numpy as np
import pytest

from hedgerow.decision import COVERAGES, fit_intervals
from hedgerow.errors import ParameterError


def test_coverage_on_new_rows_where_errors_grow_with_the_prediction():
    random = np.random.default_rng(0)
    within = np.zeros(len(COVERAGES))
    for _ in range(40):
        prediction = random.uniform(1, 10, size=1000)
        truth = prediction + prediction * random.exponential(size=1000) - prediction
        found = fit_intervals(prediction[:500], truth[:500])
        for k, coverage in enumerate(COVERAGES):
            low, high = found.interval(prediction[500:], coverage)
            within[k] += np.mean((truth[500:] >= low) & (truth[500:] <= high)) / 40
    assert np.all(np.abs(within[:4] - COVERAGES[:4]) < 0.015)
    low, high = found.interval(np.array([1.5, 9.5]), 0.9)
    assert high[1] - low[1] > 2 * (high[0] - low[0])


def test_few_rows_and_equal_predictions():
    found = fit_intervals(np.zeros(7), np.arange(7.0))
    low, high = found.interval(np.zeros(2), 0.99)
    assert low.tolist() == [0, 0]
    assert high.tolist() == [6, 6]
    with pytest.raises(ParameterError, match=r"0\.9"):
        found.interval(np.zeros(2), 0.42)


def test_the_means_of_folds_make_no_bins():
    """Nearly all rows are 0: where a bin was a fold, its interval lay beside 0."""
    truth = np.where(np.arange(400) % 100 == 1, 5.0, 0.0)
    means = np.array([0.0372, 0.0575, 0.0634])[np.arange(400) % 3]
    low, high = fit_intervals(means, truth).interval(np.array([truth.mean()]), 0.9)
    assert low[0] <= 0 <= high[0]


def test_the_leaves_of_a_tree_do_not_miss_the_usual_value():
    """No claim in nine of ten rows: by the predictions of other folds, 0 lay just below nearly all intervals."""
    held = []
    for seed in range(20):
        random = np.random.default_rng(seed)
        truth = random.poisson(0.1, 3000) * random.pareto(2.2, 3000) * 900
        folds, train = np.arange(1000) % 5, truth[:1000]
        guess = np.array([train[folds != k].mean() for k in range(5)]) * random.uniform(0.8, 1.2, 5)
        low, high = fit_intervals(guess[folds], train).interval(np.full(2000, train.mean()), 0.9)
        held.append(np.mean((truth[1000:] >= low) & (truth[1000:] <= high)))
    assert min(held) > 0.88
