"""Diagnosis of boosted numbers: errors after each round, and who carries the weight."""

import json

import numpy as np
import pytest

from hedgerow import AdaBoostRegressor


def sample(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] ** 2 + X[:, 1] + 0.2 * rng.normal(size=n)


def test_errors_and_heavy_rows():
    X, y = sample()
    weight = np.random.default_rng(1).integers(0, 3, 120).astype(float)
    new, truth = sample(60, 1)
    model = AdaBoostRegressor(n_estimators=12).fit(X, y, weight)
    found = model.diagnose(X, y, weight, test=(new, truth), most_rows=6)
    staged = [np.average(np.abs(y - output), weights=weight) for output in model.staged_predict(X)]
    np.testing.assert_allclose(found.error, staged)
    np.testing.assert_allclose(
        found.test_error, [np.mean(np.abs(truth - output)) for output in model.staged_predict(new)]
    )
    assert (weight[found.row] > 0).all()
    np.testing.assert_array_equal(found.value, y[found.row])
    np.testing.assert_allclose(found.predicted, model.predict(X[found.row]))
    assert found.weight.tolist() == sorted(found.weight.tolist(), reverse=True)
    assert found.weight.sum() > 6 / np.count_nonzero(weight)


def test_words_pictures_and_a_dict():
    X, y = sample()
    found = AdaBoostRegressor(n_estimators=5).fit(X, y).diagnose(X, y)
    assert "5 rounds; all 5 rounds done" in str(found)
    assert "Who carries the weight" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["test_error"] is None
    ax = found.draw()
    np.testing.assert_allclose(ax.get_lines()[0].get_ydata(), found.error)


def test_other_rows_are_refused():
    X, y = sample()
    with pytest.raises(ValueError, match="not the rows the model was fitted on"):
        AdaBoostRegressor(n_estimators=3).fit(X, y).diagnose(X[:50], y[:50])
