"""A small part of tools/simulate.py: wide margins, so that only a blunder turns it red."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from hedgerow import compare, evaluate
from simulations.models import Fixed, FixedNumber
from simulations.noise import KINDS, is_recommended
from simulations.population import classes, numbers, twins

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("model", "draw", "score"),
    [
        (Fixed((1.0, 0.3)), classes, "accuracy"),
        (Fixed((1.0, 0.3)), classes, "roc_auc"),
        (Fixed((1.0, 0.3)), classes, "log_loss"),
        (FixedNumber(), numbers, "r2"),
    ],
    ids=["accuracy", "roc_auc", "log_loss", "r2"],
)
def test_intervals_hold_the_truth(model, draw, score):
    random = np.random.default_rng(1)
    truth = evaluate(model, *draw(20_000, random), cv="fitted", scoring=score)[score].value
    found = [evaluate(model, *draw(150, random), cv="fitted", scoring=score)[score] for _ in range(60)]
    assert 52 <= sum(s.low <= truth <= s.high for s in found) <= 60  # 57 are expected
    assert len({s.value for s in found}) > 10  # accuracy has few different values


def test_equal_models_are_seldom_told_apart_and_unequal_ones_often():
    random = np.random.default_rng(2)
    models = {"one": Fixed((1.0,)), "other": Fixed((0.0, 0.0, 0.0, 0.0, 1.0))}
    equal = [compare(models, *twins(150, random), cv="fitted", test="mcnemar").pairs[0] for _ in range(40)]
    assert sum(pair.is_decided for pair in equal) <= 6
    models["other"] = Fixed((-1.0,))
    unequal = [compare(models, *twins(400, random), cv="fitted", test="delong").pairs[0] for _ in range(5)]
    assert all(pair.is_decided for pair in unequal)


def test_nothing_is_recommended_on_noise():
    found = [is_recommended(kind, 60, seed, ("stump", "linear_svm")) for kind in KINDS for seed in range(4)]
    assert sum(found) <= 2  # 1 of 20 is expected at most
