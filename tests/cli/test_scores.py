"""Scores and their intervals."""

import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error, r2_score

from hedgerow.cli.scores import class_scores, number_scores, wilson


def test_wilson_at_the_textbook_values() -> None:
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # Newcombe 1998, method 3
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(29, 29) == pytest.approx((0.8830, 1.0), abs=5e-5)


def test_accuracy_and_its_baseline() -> None:
    (score,) = class_scores(np.array([0, 1, 1, 2, 1]), np.array([0, 1, 2, 2, 1]), 1, "birch")
    assert (score.value, score.baseline, score.baseline_name) == (0.8, 0.6, "always birch")
    assert score.low < 0.8 < score.high


def test_numbers_are_scikit_learns() -> None:
    random = np.random.default_rng(2)
    truth = random.normal(100, 3, 70)
    guess = truth + random.normal(size=70)
    trained = np.array([98.0, 98.0, 101.0])
    r2, mae = number_scores(truth, guess, trained, 0)
    assert r2.value == pytest.approx(r2_score(truth, guess))
    assert mae.value == pytest.approx(mean_absolute_error(truth, guess))
    assert r2.baseline == pytest.approx(r2_score(truth, np.full(70, 99.0)))
    assert mae.baseline == pytest.approx(mean_absolute_error(truth, np.full(70, 98.0)))
    assert number_scores(truth, guess, trained, 0) == [r2, mae]


def test_the_interval_covers() -> None:
    """Of 200 samples about 95 % hold the true mean absolute error in their interval."""
    random, true = np.random.default_rng(3), np.sqrt(2 / np.pi)
    held = 0
    for _ in range(200):
        truth = random.normal(size=60)
        mae = number_scores(truth, np.zeros(60), np.zeros(1), 0)[1]
        held += mae.low <= true <= mae.high
    assert 176 <= held <= 199


def test_one_row_has_no_interval() -> None:
    r2, _ = number_scores(np.array([3.0]), np.array([2.0]), np.zeros(1), 0)
    assert np.isnan(r2.low)
