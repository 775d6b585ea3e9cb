"""On real data SVC reaches LIBSVM's optimum, and says the same wherever the boundary is not near."""

from pathlib import Path

import numpy as np
import pytest
from tests.svm.real_data import NAMES, both, dual, rows_of, settings_of

COSTS = (0.01, 1.0, 100.0)
NEAR = 0.01  # a score this close to 0 may fall on either side


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:column")
def test_two_classes(name: str, kernel: str, shared_data: Path) -> None:
    X, y = rows_of(shared_data, name, 400)
    y = np.isin(y, np.unique(y)[::2])  # of many classes, every other
    settings = settings_of(kernel, X)
    for C in COSTS:
        ours, theirs = both(X, y, settings, C)
        best = dual(theirs, X, **settings)
        assert dual(ours, X, **settings) == pytest.approx(best, rel=1e-4)
        assert ours.certificate_.dual == pytest.approx(best, rel=1e-4)
        assert ours.certificate_.gap >= -1e-6 * abs(best)
        scores = theirs.decision_function(X)
        assert ours.decision_function(X) == pytest.approx(scores, abs=NEAR, rel=1e-2)
        sure = np.abs(scores) > NEAR
        assert np.array_equal(ours.predict(X)[sure], theirs.predict(X)[sure])


@pytest.mark.parametrize("name", ["usps", "letter"])
def test_many_classes(name: str, shared_data: Path) -> None:
    X, y = rows_of(shared_data, name, 400)
    some = np.isin(y, np.unique(y)[:8])
    X, y = X[some], y[some]
    for kernel in ("linear", "rbf"):
        settings = {**settings_of(kernel, X), "decision_function_shape": "ovo"}
        ours, theirs = both(X, y, settings, 1.0)
        del settings["decision_function_shape"]
        assert dual(ours, X, **settings) == pytest.approx(dual(theirs, X, **settings), rel=1e-4)
        scores = theirs.decision_function(X)
        assert ours.decision_function(X) == pytest.approx(scores, abs=NEAR, rel=1e-2)
        sure = (np.abs(scores) > NEAR).all(axis=1)
        assert sure.any()
        assert np.array_equal(ours.predict(X)[sure], theirs.predict(X)[sure])


@pytest.mark.parametrize("name", ["a9a", "spambase"])
def test_weights(name: str, shared_data: Path) -> None:
    X, y = rows_of(shared_data, name, 300)
    settings = {**settings_of("rbf", X), "class_weight": "balanced"}
    ours, theirs = both(X, y, settings, 1.0)
    del settings["class_weight"]
    assert dual(ours, X, **settings) == pytest.approx(dual(theirs, X, **settings), rel=1e-4)
