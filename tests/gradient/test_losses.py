"""Every loss of the folder: its derivatives, its start, its leaf values, and that boosting lowers it."""

import numpy as np
import pytest
from tests.temporary_plugin import temporary_plugin

from hedgerow import HistGradientBoostingRegressor, load, save
from hedgerow.gradient import BoostParams, LossOptions, bin_table, boost, load_loss, loss_names
from hedgerow.gradient.loss import LOSSES
from hedgerow.gradient.search import find_quantile
from hedgerow.table import to_table

CASES = [("classes", name, 2) for name in loss_names("classes")] + [("classes", "log_loss", 3)]
CASES += [("numbers", name, 0) for name in loss_names("numbers")]


def case(target, name, n_classes, n=60, seed=0):
    rng = np.random.default_rng(seed)
    loss = load_loss(name, target, LossOptions(n_classes=n_classes, quantile=0.3))
    if target == "classes":
        y = rng.integers(0, n_classes, n).astype(np.float64)
    else:
        y = np.exp(rng.normal(size=n)) if name in ("gamma", "poisson", "tweedie") else rng.normal(size=n)
    weight = rng.uniform(0.5, 2.0, n)
    loss.check_target(y)
    start = loss.start(y, weight)
    raw = start[:, None] + rng.normal(size=(loss.n_outputs, n))
    return loss, y, weight, raw, start


@pytest.mark.parametrize(("target", "name", "n_classes"), CASES)
def test_derivatives_are_numerical_ones(target, name, n_classes):
    loss, y, _, raw, _ = case(target, name, n_classes)
    gradient, hessian = np.empty_like(raw), np.empty_like(raw)
    loss.gradients(y, raw, gradient, hessian, 1)
    step = 1e-5
    for k in range(len(raw)):
        up, down = raw.copy(), raw.copy()
        up[k] += step
        down[k] -= step
        numerical = (loss.losses(y, up) - loss.losses(y, down)) / (2 * step)
        np.testing.assert_allclose(gradient[k], numerical, rtol=1e-4, atol=1e-5)
        if not loss.refits_leaves:
            second = (loss.losses(y, up) - 2 * loss.losses(y, raw) + loss.losses(y, down)) / step**2
            np.testing.assert_allclose(hessian[k], second, rtol=1e-2, atol=1e-4)
    assert hessian.min() >= 0


@pytest.mark.parametrize(("target", "name", "n_classes"), CASES)
def test_weights_multiply(target, name, n_classes):
    loss, y, weight, raw, _ = case(target, name, n_classes)
    plain, weighted = np.empty((2, *raw.shape)), np.empty((2, *raw.shape))
    loss.gradients(y, raw, plain[0], plain[1], 1)
    loss.weighted_gradients(y, raw, weight, weighted[0], weighted[1], 1)
    np.testing.assert_allclose(weighted, plain * weight, rtol=1e-12)


@pytest.mark.parametrize(("target", "name", "n_classes"), CASES)
def test_the_start_is_the_best_constant(target, name, n_classes):
    loss, y, weight, _, start = case(target, name, n_classes)

    def mean(constant):
        return loss.mean_loss(y, np.repeat(constant[:, None], len(y), axis=1), weight)

    for k in range(len(start)):
        for step in (-0.05, 0.05):
            other = start.copy()
            other[k] += step
            assert mean(start) <= mean(other) + 1e-12


@pytest.mark.parametrize(("target", "name", "n_classes"), CASES)
def test_leaf_values_are_minimisers(target, name, n_classes):
    loss, y, weight, raw, _ = case(target, name, n_classes)
    if not loss.refits_leaves:
        pytest.skip("Newton's step")
    value = loss.leaf_value(y, raw[0], weight)
    for step in (-0.02, 0.02):
        assert loss.mean_loss(y, raw + value, weight) <= loss.mean_loss(y, raw + value + step, weight) + 1e-12


@pytest.mark.parametrize(("target", "name", "n_classes"), CASES)
def test_no_round_raises_the_training_loss_at_a_small_step(target, name, n_classes):
    loss, y, weight, _, _ = case(target, name, n_classes, n=300)
    X = np.random.default_rng(1).normal(size=(300, 4))
    X[:, 0] += y
    found = []

    def watch(progress):
        found.append(loss.mean_loss(y, progress.raw, weight))
        return False

    params = BoostParams(max_iter=25, learning_rate=0.05, min_rows=5, max_leaves=8)
    boost(bin_table(to_table(X)), y, weight, loss, params, np.random.default_rng(0), watches=[watch])
    assert np.all(np.diff(found) <= 1e-9)
    assert found[-1] < found[0]


@pytest.mark.parametrize(("target", "name", "n_classes"), CASES)
def test_what_raw_means(target, name, n_classes):
    loss, _, _, raw, _ = case(target, name, n_classes)
    meant = loss.inverse_link(raw)
    if target == "classes":
        assert meant.shape == (raw.shape[1], n_classes)
        np.testing.assert_allclose(meant.sum(axis=1), 1)
    else:
        assert meant.shape == raw.shape
    assert np.isfinite(loss.inverse_link(np.full_like(raw, 5_000.0))).all()


def test_probabilities_of_classes_are_the_same_for_one_row_and_many():
    raw = np.random.default_rng(3).normal(scale=5, size=(7, 33))
    loss = load_loss("log_loss", "classes", LossOptions(n_classes=7))
    shares = np.exp(raw - raw.max(axis=0))
    many = loss.inverse_link(raw)
    np.testing.assert_allclose(many, (shares / shares.sum(axis=0)).T, rtol=1e-13)
    for i in range(raw.shape[1]):
        np.testing.assert_array_equal(loss.inverse_link(raw[:, i : i + 1].copy())[0], many[i])


def test_an_unknown_loss_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="squared_error, absolute_error"):
        load_loss("squared", "numbers", LossOptions())
    with pytest.raises(ValueError, match="is for classes"):
        load_loss("log_loss", "numbers", LossOptions())


def test_weighted_quantiles_count_rows_by_weight():
    values, weight = np.array([5.0, 1.0, 3.0, 9.0]), np.array([1, 2, 3, 1])
    repeated = np.repeat(values, weight)
    for share in (0.1, 0.5, 0.9):
        assert find_quantile(values, weight.astype(float), share) == find_quantile(repeated, None, share)


LOG_COSH = '''"""The logarithm of the hyperbolic cosine: smooth, and absolute far away."""

import numpy as np

from hedgerow.gradient.loss import Loss as Base

TARGET = "numbers"


class Loss(Base):
    def start(self, y, weight):
        return np.array([np.average(y, weights=weight)])

    def losses(self, y, raw):
        return np.logaddexp(raw[0] - y, y - raw[0]) - np.log(2)

    def gradients(self, y, raw, gradient, hessian, threads):
        gradient[0] = np.tanh(raw[0] - y)
        hessian[0] = 1 - gradient[0] ** 2
'''


def test_a_new_loss_is_one_new_file(tmp_path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(211, 3))
    y = X[:, 0] + rng.standard_t(2, size=211)
    with temporary_plugin(LOSSES, tmp_path, "log_cosh", LOG_COSH):
        assert "log_cosh" in loss_names("numbers")
        loss = load_loss("log_cosh", "numbers", LossOptions())
        model = HistGradientBoostingRegressor(loss="log_cosh", max_iter=40).fit(X, y)
        constant = np.full((1, len(y)), y.mean())
        assert loss.losses(y, model.predict(X)[None]).mean() < 0.8 * loss.losses(y, constant).mean()
        squared = HistGradientBoostingRegressor(max_iter=40).fit(X, y)
        assert not np.allclose(squared.predict(X), model.predict(X))
        save(model, tmp_path / "m.hedgerow")
        assert load(tmp_path / "m.hedgerow").predict(X).tobytes() == model.predict(X).tobytes()
        with pytest.raises(ValueError, match=r"loss='log_cosh' is for numbers, but the target is classes"):
            load_loss("log_cosh", "classes", LossOptions(n_classes=2))
    with pytest.raises(ValueError, match="loss='log_cosh' is unknown"):
        HistGradientBoostingRegressor(loss="log_cosh").fit(X, y)
