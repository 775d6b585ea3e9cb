"""What every loss promises, one file each in boost/losses; and that a new one is one new file."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.temporary_plugin import temporary_plugin

import hedgerow.boost.losses
from hedgerow import AdaBoostClassifier, BoostedNeuronsClassifier, load, save
from hedgerow.boost.loss import PACKAGE, load_loss, loss_at_zero, loss_names, normalized_weights, take_step

margins = st.lists(st.floats(-30, 30), min_size=1, max_size=20).map(np.array)
each_loss = pytest.mark.parametrize("name", loss_names())
EXPONENTIAL = Path(hedgerow.boost.losses.__path__[0], "exponential.py").read_text()
ROOT = '''"""2 sqrt(1 + exp(-z)): grows like exp(-z / 2) for mistakes, between the logistic and the exponential loss."""

import numpy as np

NATIVE, LOSS_IS_PRODUCT = None, False


def loss(margins):
    return 2 * np.exp(np.logaddexp(0.0, -margins) / 2)


def weight(margins):
    return np.exp(log_weight(margins))


def log_weight(margins):
    return -margins - np.logaddexp(0.0, -margins) / 2


def curvature(margins):
    return weight(margins) * (1 - 0.5 / (1 + np.exp(margins)))


def log_odds(scores):
    return log_weight(-scores) - log_weight(scores)


def objective(margins, base):
    return float((base * loss(margins)).sum()), -(base * weight(margins))
'''


def check_derivatives(loss, z):
    h = 1e-6
    slope = (loss.loss(z + h) - loss.loss(z - h)) / (2 * h)
    assert -loss.weight(z) == pytest.approx(slope, rel=1e-4, abs=1e-9)
    bend = (loss.weight(z - h) - loss.weight(z + h)) / (2 * h)
    assert loss.curvature(z) == pytest.approx(bend, rel=1e-4, abs=1e-9)
    assert (loss.curvature(z) <= loss.weight(z) * (1 + 1e-12)).all()


def check_falling(loss, z):
    assert (loss.loss(z) >= loss.loss(np.zeros(1)) * (z <= 0)).all()
    assert (loss.loss(z + 1) < loss.loss(z)).all()
    assert loss.log_weight(z) == pytest.approx(np.log(loss.weight(z)), abs=1e-9)


def check_probability(loss, z):
    """The score of least expected loss: p q(f) = (1 - p) q(-f)."""
    assert loss.log_odds(z) == pytest.approx(loss.log_weight(-z) - loss.log_weight(z), abs=1e-9)


def check_objective(loss, z):
    base, h = np.linspace(1, 2, len(z)) / np.linspace(1, 2, len(z)).sum(), 1e-5
    value, gradient = loss.objective(z, base)
    mean = float(base @ loss.loss(z))
    assert value == pytest.approx(mean) or value == pytest.approx(np.log(mean))
    for k in range(len(z)):
        step = np.zeros(len(z))
        step[k] = h
        slope = (loss.objective(z + step, base)[0] - loss.objective(z - step, base)[0]) / (2 * h)
        assert gradient[k] == pytest.approx(slope, rel=1e-3, abs=1e-6 * max(1.0, abs(value)))


CHECKS = [check_derivatives, check_falling, check_probability, check_objective]


@each_loss
@pytest.mark.parametrize("check", CHECKS)
@given(z=margins)
def test_promises(name, check, z):
    check(load_loss(name), z)


@given(z=margins)
def test_the_weight_from_the_weight_before(z):
    """Lecture 001: the exponential weight after a step, and the logistic one, from the weight alone."""
    z, step = np.clip(z, -15, 15), 0.7  # 1 - q loses its digits beyond
    exponential, logistic = load_loss("exponential"), load_loss("logistic")
    q = logistic.weight(z)
    assert exponential.weight(z) * np.exp(-step) == pytest.approx(exponential.weight(z + step))
    assert q / (q + (1 - q) * np.exp(step)) == pytest.approx(logistic.weight(z + step), rel=1e-6)


@each_loss
def test_no_margin_is_too_large(name):
    weight = normalized_weights(load_loss(name), np.array([5000.0, -5000.0, 0.0]), np.full(3, 1 / 3))
    assert weight.sum() == pytest.approx(1)
    assert np.isfinite(weight).all()
    assert weight.argmax() == 1
    assert np.isfinite(load_loss("logistic").loss(np.array([-5000.0]))).all()


def test_bounds_of_the_error():
    assert loss_at_zero("exponential") == 1.0
    assert loss_at_zero("logistic") == np.log(2)


@each_loss
@settings(max_examples=20)
@given(seed=st.integers(0, 2**31), yes=st.floats(-2, 2), no=st.floats(-2, 2))
def test_the_numpy_step_is_the_native_one(name, seed, yes, no):
    class InNumpy:
        """The loss of a file that says nothing of native code."""

        NATIVE = None

        def __getattr__(self, what):
            return getattr(load_loss(name), what)

    rng = np.random.default_rng(seed)
    signs, outputs, base = rng.choice([-1.0, 1.0], 17), rng.normal(size=17), np.full(17, 1 / 17)
    found = []
    for loss in (load_loss(name), InNumpy()):
        at, weight = np.zeros(17), base.copy()
        sums = take_step(loss, signs, outputs, (yes, no), base, at, at, weight, 1)
        found.append([sums[0], sums[2], at, weight] + ([] if loss.LOSS_IS_PRODUCT else [sums[1]]))
    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other)


# ---------------------------------------------------------------------------------- a new loss is one new file


def data(n=211, classes=2):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 4))
    score = X[:, 0] + np.sin(2 * X[:, 1]) + rng.normal(size=n) * 0.7
    return X, np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def test_a_copy_under_another_name_gives_the_same_bits(tmp_path):
    X, y = data()
    with temporary_plugin(PACKAGE, tmp_path, "copied", EXPONENTIAL):
        one, other = (AdaBoostClassifier(loss=loss).fit(X, y) for loss in ("exponential", "copied"))
        assert one.decision_function(X).tobytes() == other.decision_function(X).tobytes()
        assert one.predict_proba(X).tobytes() == other.predict_proba(X).tobytes()
        assert [r.loss for r in one.rounds_.rounds] == [r.loss for r in other.rounds_.rounds]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("predictions", ["discrete", "confident"])
def test_a_new_loss_is_the_one_that_is_minimised(tmp_path, classes, predictions):
    X, y = data(classes=classes)
    with temporary_plugin(PACKAGE, tmp_path, "root", ROOT):
        model = AdaBoostClassifier(loss="root", predictions=predictions, multi_class="mh").fit(X, y)
        rounds, loss = model.rounds_, load_loss("root")
        losses = [round.loss for round in rounds.rounds]
        assert losses == sorted(losses, reverse=True)
        assert losses[-1] < 0.9 * loss_at_zero("root")
        base = rounds.base[:, None] / rounds.margins.shape[1]
        assert losses[-1] == pytest.approx(float((base * loss.loss(rounds.margins)).sum()))
        assert rounds.weight == pytest.approx(normalized_weights(loss, rounds.margins, base))
        assert (model.diagnostics_.bound >= model.diagnostics_.error).all()
        if classes == 2:
            f = model.decision_function(X)
            q, against = loss.weight(f), loss.weight(-f)
            assert model.predict_proba(X)[:, 1] == pytest.approx(against / (q + against))
        for known in ("exponential", "logistic"):
            there = AdaBoostClassifier(loss=known, predictions=predictions, multi_class="mh").fit(X, y)
            assert not np.allclose(there.decision_function(X), model.decision_function(X))


def test_a_new_loss_keeps_the_promises(tmp_path):
    with temporary_plugin(PACKAGE, tmp_path, "root", ROOT):
        for check in CHECKS:
            check(load_loss("root"), np.linspace(-9, 9, 23))


def test_a_new_loss_is_fine_tuned_saved_and_shown(tmp_path):
    X, y = data(83)
    with temporary_plugin(PACKAGE, tmp_path, "root", ROOT):
        boosted, tuned = (
            BoostedNeuronsClassifier(
                n_estimators=5, n_steps=50, loss="root", fine_tune=steps, random_state=0
            ).fit(X, y)
            for steps in (0, 20)
        )
        before, after = (
            float(load_loss("root").loss(np.where(y == 1, 1, -1) * model.decision_function(X)).mean())
            for model in (boosted, tuned)
        )
        assert after < before
        model = AdaBoostClassifier(loss="root").fit(X, y)
        assert "root loss" in model.to_text()
        save(model, tmp_path / "m.hedgerow")
        assert load(tmp_path / "m.hedgerow").predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    with pytest.raises(ValueError, match="unknown form or loss"):
        load(tmp_path / "m.hedgerow")
    with pytest.raises(ValueError, match=r"loss='root' is unknown\. Known: exponential, logistic"):
        AdaBoostClassifier(loss="root").fit(X, y)


def test_a_file_that_lacks_something_is_an_error(tmp_path):
    X, y = data(83)
    lacking = ROOT.replace("def log_odds", "def odds")
    with (
        temporary_plugin(PACKAGE, tmp_path, "lacking", lacking),
        pytest.raises(TypeError, match="lacks log_odds"),
    ):
        AdaBoostClassifier(loss="lacking").fit(X, y)
