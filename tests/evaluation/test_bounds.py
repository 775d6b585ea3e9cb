"""The bounds of the lectures, to their digits, and what every bound must do."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import AdaBoostClassifier
from hedgerow.evaluation import bounds

# Made by tools/make_evaluation_references.py
R = json.loads((Path(__file__).parent / "fixtures" / "references.json").read_text())["R"]


def test_majority_vote_of_25():
    """25 independent classifiers with error 0.35: error 0.06."""
    assert bounds.majority_vote_error(25, 0.35) == pytest.approx(0.06, abs=0.001)
    assert bounds.majority_vote_error(1, 0.35) == pytest.approx(0.35)
    assert bounds.majority_vote_error(2, 0.35) == pytest.approx(0.35)


def test_boosting_on_the_ten_points():
    e = (0.30, 0.214, 0.136)
    assert bounds.boosting_training_error(e) == pytest.approx(
        np.prod([2 * np.sqrt(x * (1 - x)) for x in e]), rel=1e-12
    )
    assert bounds.boosting_training_error([0.5]) == 1
    assert bounds.boosting_training_error([0.0]) == 0


def test_margin_bound_of_the_lecture():
    """sqrt(4 rho^2 / M^2 / n) + sqrt(2 log(2 / delta) / n)"""
    found = bounds.margin_error(2.0, 0.5, 10_000, 0.95)
    assert found == pytest.approx(np.sqrt(4 * 16 / 10_000) + np.sqrt(2 * np.log(40) / 10_000))
    assert bounds.margin_error(2.0, 0.5, 10) == 1


def test_binomial_interval_is_r_s():
    low, high = bounds.hold_out_interval(37, 50)
    assert (low, high) == pytest.approx(tuple(R["clopper_pearson_37_of_50"]), abs=1e-6)
    assert bounds.hold_out_interval(0, 10)[0] == 0
    assert bounds.hold_out_interval(10, 10)[1] == 1


@given(st.integers(1, 400), st.data())
def test_hoeffding_holds_the_binomial_interval(n, data):
    wrong = data.draw(st.integers(0, n))
    low, high = bounds.hold_out_interval(wrong, n)
    width = bounds.hoeffding(n)
    assert low <= wrong / n <= high
    assert high - wrong / n <= width + 0.5 / n + 0.02
    assert wrong / n - low <= width + 0.5 / n + 0.02


def test_vc_gap_grows_with_the_family_and_falls_with_rows():
    assert bounds.vc_gap(3, 10**6) < bounds.vc_gap(30, 10**6) < bounds.vc_gap(30, 10**5) <= 1
    assert bounds.vc_gap(50, 10) == 1
    assert bounds.vc_gap(3, 10_000, 0.9) < bounds.vc_gap(3, 10_000, 0.99)


@pytest.mark.parametrize(
    "call",
    [
        lambda: bounds.majority_vote_error(0, 0.3),
        lambda: bounds.majority_vote_error(3, 1.3),
        lambda: bounds.boosting_training_error([-0.1]),
        lambda: bounds.margin_error(0.0, 1.0, 10),
        lambda: bounds.margin_error(1.0, -1.0, 10),
        lambda: bounds.hold_out_interval(11, 10),
        lambda: bounds.hoeffding(10, 1.0),
        lambda: bounds.vc_gap(0, 10),
    ],
)
def test_bad_input(call):
    with pytest.raises(ValueError, match=r"out of range|must hold|no count"):
        call()


def test_hoeffding_and_vc_to_their_digits():
    """sqrt(log(40) / 200) = 0.1358; sqrt((3 (log(2000 / 3) + 1) + log(80)) / 1000) = 0.1639."""
    assert bounds.hoeffding(100) == pytest.approx(0.1358, abs=5e-5)
    assert bounds.vc_gap(3, 1000) == pytest.approx(
        math.sqrt((3 * (math.log(2000 / 3) + 1) + math.log(80)) / 1000), rel=1e-12
    )


def test_the_vc_bound_holds_for_thresholds():
    """One threshold on a line has the VC dimension 1; the best of all on 200 rows is never further off."""
    random, worst = np.random.default_rng(0), 0.0
    for _ in range(200):
        x = np.sort(random.uniform(size=200))
        y = random.uniform(size=200) < np.where(x > 0.5, 0.7, 0.3)
        wrong = (np.append(0, np.cumsum(y)) + (~y).sum() - np.append(0, np.cumsum(~y))) / 200
        k = int(np.argmin(wrong))
        edge = 0.0 if k == 0 else x[k - 1]
        true = 0.3 + 0.4 * abs(edge - 0.5)
        worst = max(worst, true - wrong[k])
    assert 0.02 < worst < bounds.vc_gap(1, 200)


def test_the_bound_of_boosting_holds_for_our_own():
    random = np.random.default_rng(1)
    X = random.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] ** 2 + random.normal(0, 0.5, 300) > 0.8).astype(int)
    model = AdaBoostClassifier(n_estimators=30).fit(X, y)
    errors = [round.wrong for round in model.rounds_.rounds]
    assert np.mean(model.predict(X) != y) <= bounds.boosting_training_error(errors) < 0.7
