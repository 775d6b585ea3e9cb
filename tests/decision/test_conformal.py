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
