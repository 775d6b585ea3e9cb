"""Arrays of numbers go to the walk as they are; what is wrong with them is still said."""

import numpy as np
import pytest

import hedgerow

MODELS = [hedgerow.DecisionTreeClassifier, hedgerow.RandomForestClassifier]


def _fitted(model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    X[rng.random(X.shape) < 0.1] = np.nan
    given = {} if model is hedgerow.DecisionTreeClassifier else {"n_estimators": 5, "random_state": 0}
    return model(**given).fit(X, rng.integers(0, 3, 80)), X


@pytest.mark.parametrize("model", MODELS)
def test_any_layout_and_missing_cells_predict_as_a_table_does(model):
    fitted, X = _fitted(model)
    expected = fitted.predict_proba(hedgerow.table.to_table(X))
    for rows in (X, np.asfortranarray(X), np.repeat(np.repeat(X, 2, 0), 2, 1)[::2, ::2]):
        np.testing.assert_array_equal(fitted.predict_proba(rows), expected)


@pytest.mark.parametrize("model", MODELS)
def test_an_infinity_is_named(model):
    fitted, X = _fitted(model)
    X[3, 1] = np.inf
    with pytest.raises(ValueError, match="column 'x1' holds inf in row 3"):
        fitted.predict(X)
    with pytest.raises(ValueError, match="features"):
        fitted.predict(X[4:, :3])
