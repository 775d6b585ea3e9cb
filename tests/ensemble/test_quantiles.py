"""Quantiles and proximities against loops."""

import numpy as np
import pytest

from hedgerow import RandomForestRegressor
from hedgerow.ensemble.flat import flatten
from hedgerow.ensemble.predict import leaves, values
from hedgerow.ensemble.proximity import outside_proximities, proximities
from hedgerow.ensemble.quantiles import leaf_rows, quantiles_of
from twins import outside as twin

from .forests import forest_of


def test_the_weighted_mean_is_the_prediction_and_quantiles_are_weighted_quantiles():
    forest, rows, target = forest_of(task="numbers", min_rows_leaf=4)
    at, starts = leaves(forest, rows), flatten(forest.trees).starts
    table = leaf_rows(at, starts, target.values, forest.draws.weights)
    weight = twin.quantile_weights(at, at[:9], [forest.draws.counts(t) for t in range(12)])
    np.testing.assert_allclose(weight @ target.values, values(forest, rows[:9])[:, 0], atol=1e-10)
    wanted = np.array([0.0, 0.1, 0.5, 0.83, 1.0])
    found = quantiles_of(table, at[:9], wanted)
    order = np.argsort(target.values)
    for k in range(9):
        rising = np.cumsum(weight[k, order])
        positive = order[weight[k, order] > 0]
        for q, said in zip(wanted, found[k], strict=True):
            place = order[np.searchsorted(rising, q - 1e-10)] if q > 0 else positive[0]
            assert said == target.values[place]
    assert np.all(np.diff(found, axis=1) >= 0)


def test_intervals_cover_new_rows_about_as_often_as_they_say():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (3000, 2))
    y = X[:, 0] + rng.normal(size=3000) * (0.5 + np.abs(X[:, 1]))  # noisier to the sides
    model = RandomForestRegressor(60, min_samples_leaf=15, random_state=0).fit(X[:2000], y[:2000])
    low, high = model.predict_interval(X[2000:], 0.8).T
    inside = (y[2000:] >= low) & (y[2000:] <= high)
    assert 0.75 < inside.mean() < 0.9
    wide = np.abs(X[2000:, 1]) > 1.5
    assert (high - low)[wide].mean() > 1.5 * (high - low)[np.abs(X[2000:, 1]) < 0.5].mean()


def test_proximities_are_shares_of_trees():
    forest, rows, _ = forest_of(min_rows_leaf=6)
    at, starts = leaves(forest, rows), flatten(forest.trees).starts
    found = proximities(at[:7], at[:11], starts).toarray()
    np.testing.assert_allclose(found, twin.proximity(at[:7], at[:11]))
    out = np.stack([forest.draws.oob(t) for t in range(12)], axis=1)
    found = outside_proximities(at, starts, out).toarray()
    np.testing.assert_allclose(found, twin.proximity(at, at, out, out))
    seen = out.any(axis=1)
    assert np.all(found.diagonal()[seen] == 1)


def test_bad_quantiles():
    model = RandomForestRegressor(2, random_state=0).fit(np.arange(9.0)[:, None], np.arange(9.0))
    for bad in (1.5, -0.1, [], [[0.5]]):
        with pytest.raises(ValueError, match="quantiles="):
            model.predict_quantiles([[1.0]], bad)
    with pytest.raises(ValueError, match="confidence"):
        model.predict_interval([[1.0]], 1)
    assert model.predict_quantiles([[1.0]], 0.5).shape == (1, 1)
