"""AdaBoost.R2: against its definition, and its estimator."""

import numpy as np
import pytest
from sklearn import ensemble
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor

from hedgerow import AdaBoostRegressor, DecisionTreeRegressor
from hedgerow.boost.regress import _medians
from hedgerow.tree import predict


def diabetes():
    return load_diabetes(return_X_y=True)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_each_round_is_as_drucker_defines_it(loss):
    x, y = diabetes()
    model = AdaBoostRegressor(n_estimators=8, loss=loss).fit(x, y)
    weight = np.full(len(y), 1 / len(y))
    for round in model.rounds_.rounds:
        tree = DecisionTreeRegressor(max_depth=3).fit(x, y, sample_weight=weight * len(y))
        assert predict.values(round.weak.tree, x)[:, 0] == pytest.approx(tree.predict(x))
        apart = np.abs(tree.predict(x) - y)
        share = apart / apart.max()
        losses = {"linear": share, "square": share**2, "exponential": 1 - np.exp(-share)}[loss]
        mean = weight @ losses
        assert round.mean_loss == pytest.approx(mean)
        beta = mean / (1 - mean)
        assert round.alpha == pytest.approx(np.log(1 / beta))
        weight = weight * beta ** (1 - losses)
        weight /= weight.sum()
    assert model.rounds_.weight == pytest.approx(weight)


def test_as_good_as_scikit_learn():
    x, y = diabetes()
    ours = AdaBoostRegressor(n_estimators=50).fit(x[:300], y[:300]).score(x[300:], y[300:])
    theirs = (
        ensemble.AdaBoostRegressor(n_estimators=50, random_state=0)
        .fit(x[:300], y[:300])
        .score(x[300:], y[300:])
    )
    assert ours > theirs - 0.06


def test_weighted_median():
    said = np.array([[3.0, 1.0, 2.0], [5.0, 5.0, 9.0]])
    assert _medians(said, np.array([1.0, 1.0, 1.0])).tolist() == [2, 5]
    assert _medians(said, np.array([5.0, 1.0, 1.0])).tolist() == [3, 5]
    assert _medians(said, np.array([1.0, 1.0, 5.0])).tolist() == [2, 9]


def test_other_regressors_and_how_they_were_weighed():
    x, y = diabetes()
    given = AdaBoostRegressor(LinearRegression(), n_estimators=5).fit(x, y)
    drawn = AdaBoostRegressor(KNeighborsRegressor(), n_estimators=5, random_state=0).fit(x, y)
    own = AdaBoostRegressor(DecisionTreeRegressor(max_depth=2), n_estimators=5).fit(x, y)
    assert (given.weighting_, drawn.weighting_, own.weighting_) == ("weights", "resampling", "weights")
    for model in (given, drawn, own):
        assert model.score(x, y) > 0.3
        assert len(model.estimators_) == len(model.estimator_weights_) == len(model.estimator_errors_)
        *_, last = model.staged_predict(x)
        assert np.array_equal(last, model.predict(x))


def test_perfect_constant_and_hopeless():
    x = np.arange(10.0)[:, None]
    perfect = AdaBoostRegressor(DecisionTreeRegressor()).fit(x, x[:, 0])
    assert len(perfect.rounds_) == 1
    assert "no mistake" in perfect.stopped_
    assert np.array_equal(perfect.predict(x), x[:, 0])
    flat = AdaBoostRegressor(n_estimators=5).fit(np.ones((4, 1)), np.array([0.0, 0, 1, 1]))
    assert len(flat.rounds_) == 1
    assert "not below a half" in flat.stopped_


def test_going_on():
    x, y = diabetes()
    whole = AdaBoostRegressor(n_estimators=9).fit(x, y)
    steps = AdaBoostRegressor(n_estimators=4, warm_start=True).fit(x, y)
    steps.set_params(n_estimators=9).fit(x, y)
    assert np.array_equal(steps.predict(x), whole.predict(x))
    with pytest.raises(ValueError, match="the same rows"):
        steps.fit(x[:50], y[:50])


def test_refused():
    x, y = diabetes()
    with pytest.raises(ValueError, match="linear, square, exponential"):
        AdaBoostRegressor(loss="huber").fit(x, y)
    with pytest.raises(TypeError, match="no regressor"):
        AdaBoostRegressor("stump").fit(x, y)
    with pytest.raises(ValueError, match="round 1: the learner KNeighborsRegressor"):
        AdaBoostRegressor(KNeighborsRegressor(10_000)).fit(x, y)
