"""TopFeatures: the filter of lecture 003, in a Pipeline, frames in and frames out."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from hedgerow import RandomForestClassifier, RandomForestRegressor, TopFeatures, datasets


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 8))
    return X, (X[:, 2] + X[:, 5] > 0).astype(int)


@pytest.mark.parametrize("kind", ["permutation", "corrected", "impurity"])
def test_keeps_the_columns_that_matter(data, kind):
    X, y = data
    top = TopFeatures(2, kind=kind, random_state=0).fit(X, y)
    assert top.get_support(indices=True).tolist() == [2, 5]
    assert np.array_equal(top.transform(X), X[:, [2, 5]])
    assert top.get_feature_names_out().tolist() == ["x2", "x5"]
    assert np.array_equal(top.inverse_transform(top.transform(X))[:, 2], X[:, 2])


def test_then_train_something_else(data):
    pipe = make_pipeline(
        TopFeatures(2, estimator=RandomForestClassifier(20, random_state=0)), LogisticRegression()
    )
    assert cross_val_score(pipe, *data, cv=3).mean() > 0.9


def test_frames_stay_frames():
    pandas = pytest.importorskip("pandas")
    titanic = datasets.titanic()
    columns = titanic.table.columns
    frame = pandas.DataFrame(
        {c.name: pandas.Categorical.from_codes(c.values, c.levels) if c.levels else c.values for c in columns}
    )
    y = np.asarray(titanic.target)
    top = TopFeatures(2, random_state=0).fit(frame, y)
    out = top.transform(frame)
    assert list(out.columns) == ["pclass", "sex"]
    assert type(out) is type(frame)
    assert top.get_feature_names_out().tolist() == ["pclass", "sex"]
    assert top.importance_.top(1) == ("sex",)


def test_numbers_any_model_and_positive_only(data):
    X, y = data
    target = X[:, 1] * 3 + 0.1 * np.random.default_rng(1).normal(size=200)
    assert isinstance(TopFeatures(1, random_state=0).fit(X, target).estimator_, RandomForestRegressor)
    line = TopFeatures(2, estimator=LogisticRegression()).fit(X, y)
    assert line.get_support(indices=True).tolist() == [2, 5]
    few = TopFeatures(8, positive=True, random_state=0).fit(X, y)
    assert 2 <= few.get_support().sum() <= 4
    share = TopFeatures(0.25, estimator=RandomForestClassifier(10, random_state=0)).fit(X, y)
    assert share.get_support().sum() == 2


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "two"])
def test_bad_k(data, k):
    with pytest.raises(ValueError, match="k="):
        TopFeatures(k).fit(*data)


def test_a_model_that_tells_nothing(data):
    from sklearn.neighbors import KNeighborsClassifier

    with pytest.raises(ValueError, match="tells no importance"):
        TopFeatures(2, estimator=KNeighborsClassifier()).fit(*data)
