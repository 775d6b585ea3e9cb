"""Bagging: equal to what it is made of, for our trees and for any learner."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from hedgerow import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    datasets,
)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 4))
    return X, np.digitize(X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.normal(size=150), [0.3, 1.5])


def test_without_draws_every_member_is_the_single_tree(data):
    X, y = data
    one = DecisionTreeClassifier().fit(X, y)
    bag = BaggingClassifier(n_estimators=3, bootstrap=False).fit(X, y)
    for member in bag.estimators_:
        assert np.array_equal(member.hedgerow_tree_.feature, one.hedgerow_tree_.feature)
        assert np.array_equal(member.hedgerow_tree_.threshold, one.hedgerow_tree_.threshold, equal_nan=True)
    assert np.array_equal(bag.predict_proba(X), one.predict_proba(X))


def test_bagging_is_the_forest_that_looks_at_all_columns(data):
    X, y = data
    bag = BaggingClassifier(n_estimators=7, random_state=3).fit(X, y)
    forest = RandomForestClassifier(7, max_features=None, random_state=3).fit(X, y)
    assert np.array_equal(bag.predict_proba(X), forest.predict_proba(X))
    assert np.array_equal(bag.oob_.curve, forest.oob_.curve)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=4), LogisticRegression(), LinearSVC()])
@pytest.mark.parametrize("columns", [1.0, 2])
def test_members_are_learners_fitted_on_their_draws(data, learner, columns):
    X, y = data
    bag = BaggingClassifier(learner, 4, max_features=columns, random_state=0).fit(X, y)
    total = 0
    for member, rows, used in zip(
        bag.estimators_, bag.estimators_samples_, bag.estimators_features_, strict=True
    ):
        assert len(used) == (4 if columns == 1.0 else 2)
        assert len(rows) == len(X)
        alone = type(learner)(**learner.get_params()).fit(X[np.ix_(rows, used)], y[rows])
        if isinstance(learner, DecisionTreeClassifier):
            total = total + alone.predict_proba(X[:, used])
            assert np.array_equal(member.predict(X), alone.predict(X[:, used]))
        else:
            votes = np.eye(3)[alone.predict(X[:, used])]
            said = alone.predict_proba(X[:, used]) if hasattr(alone, "predict_proba") else votes
            assert np.mean(member.predict(X[:, used]) == alone.predict(X[:, used])) > 0.97
            total = total + said
    np.testing.assert_allclose(
        bag.predict_proba(X), total / 4, atol=0.02 if "Tree" not in str(learner) else 1e-12
    )
    assert bag.predict_votes(X).sum() == pytest.approx(len(X))


def test_a_learner_without_weights_gets_its_rows_repeated(data):
    X, y = data
    bag = BaggingClassifier(KNeighborsClassifier(3), 4, random_state=0).fit(X, y)
    rows = bag.estimators_samples_[1]
    alone = KNeighborsClassifier(3).fit(X[rows], y[rows])
    assert np.array_equal(bag.estimators_[1].predict(X), alone.predict(X))
    assert bag.oob_.loss[0] < 0.5
    with pytest.raises(AttributeError, match="members that are hedgerow's trees"):
        bag.explain(X)
    with pytest.raises(ValueError, match="takes no sample_weight"):
        BaggingClassifier(KNeighborsClassifier(3), 2, bootstrap=False).fit(X, y, np.linspace(0.5, 1.5, 150))


@pytest.mark.slow
def test_any_learner_out_of_bag_and_until_flat(data):
    X, y = data
    bag = BaggingClassifier(
        make_pipeline(StandardScaler(), LogisticRegression()), 200, stop="oob", random_state=0
    )
    bag.fit(X, y)
    assert bag.stopped_.flat
    assert 50 <= len(bag.estimators_) < 200
    assert len(bag.oob_.curve) == len(bag.estimators_)
    out = bag.draws_.oob(0)
    assert 0.2 < out.mean() < 0.5


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_threads_do_not_change_it(n_jobs):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 30))
    y = X[:, 0] + rng.normal(size=3000)
    for learner in (None, DecisionTreeRegressor(prune="depth_limit", max_depth=6), KNeighborsRegressor()):
        one = BaggingRegressor(learner, 3, max_features=0.5, random_state=0, n_jobs=1).fit(X, y)
        other = BaggingRegressor(learner, 3, max_features=0.5, random_state=0, n_jobs=n_jobs).fit(X, y)
        assert np.array_equal(one.predict(X[:200]), other.predict(X[:200]))


def test_categories_and_missing_cells_go_through():
    titanic = datasets.titanic()
    for learner in (
        None,
        DecisionTreeClassifier(prune="pessimistic"),
        DecisionTreeClassifier(missing="surrogate"),
    ):
        for columns in (1.0, 3):
            bag = BaggingClassifier(learner, 15, max_features=columns, random_state=0)
            bag.fit(titanic.table, titanic.target)
            assert bag.score(titanic.table, titanic.target) > 0.75
            assert bag.oob_.loss[0] < 0.3
            found = bag.explain(titanic.table)
            np.testing.assert_allclose(found.prediction, bag.predict_proba(titanic.table), atol=1e-10)
            assert bag.importance("corrected").top(1) == ("sex",)


def test_a_foreign_learner_takes_what_it_takes():
    pandas = pytest.importorskip("pandas")
    from sklearn.ensemble import HistGradientBoostingClassifier

    frame = pandas.DataFrame(
        {"number": [1.0, np.nan, 3.0, 4.0] * 15, "word": pandas.Categorical(["a", "b", None, "b"] * 15)}
    )
    y = [0, 1, 0, 1] * 15
    learner = HistGradientBoostingClassifier(
        categorical_features="from_dtype", max_iter=5, min_samples_leaf=3
    )
    bag = BaggingClassifier(learner, 3, random_state=0).fit(frame, y)
    assert bag.score(frame, y) == 1
    assert list(bag.feature_names_in_) == ["number", "word"]
    with pytest.raises(ValueError, match="columns of text or categories"):
        BaggingClassifier(LogisticRegression(), 2).fit({"word": ["a", "b"] * 9}, [0, 1] * 9)


def test_warm_start_goes_on(data):
    X, y = data
    for learner in (None, LogisticRegression()):
        warm = BaggingClassifier(learner, 3, warm_start=True, random_state=0).fit(X, y)
        warm.set_params(n_estimators=6).fit(X, y)
        whole = BaggingClassifier(learner, 6, random_state=0).fit(X, y)
        assert np.array_equal(warm.predict_proba(X), whole.predict_proba(X))
        with pytest.raises(ValueError, match="must not fall"):
            warm.set_params(n_estimators=2).fit(X, y)


def test_quantiles_of_other_members_are_quantiles_of_what_they_say(data):
    X, _ = data
    bag = BaggingRegressor(KNeighborsRegressor(), 9, random_state=0).fit(X, X[:, 0])
    said = np.stack([member.predict(X) for member in bag.estimators_])
    np.testing.assert_allclose(bag.predict_quantiles(X, [0.25])[:, 0], np.quantile(said, 0.25, axis=0))
    trees = BaggingRegressor(n_estimators=9, random_state=0).fit(X, X[:, 0])
    low, high = trees.predict_interval(X, 0.8).T
    assert np.all(low <= high)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"n_estimators": 0}, "n_estimators=0"),
        ({"n_estimators": 2.5}, "n_estimators=2.5"),
        ({"max_samples": -1}, "max_samples=-1"),
        ({"max_samples": True}, "max_samples=True"),
        ({"max_features": 0}, "max_features=0"),
        ({"max_features": 1.5}, "max_features=1.5"),
        ({"max_features": 9}, "max_features=9 columns cannot be drawn from 4"),
        ({"bootstrap": False, "oob_score": True}, "oob_score needs rows"),
        ({"stop": "flat"}, "stop='flat'"),
    ],
)
def test_bad_parameters(data, bad, words):
    with pytest.raises(ValueError, match=words):
        BaggingClassifier(**bad).fit(*data)


def test_a_draw_without_one_of_the_classes():
    X = np.arange(30.0)[:, None]
    y = np.array(["a"] * 14 + ["rare"] + ["b"] * 15)
    for learner in (None, DecisionTreeClassifier(prune="pessimistic"), KNeighborsClassifier(1)):
        bag = BaggingClassifier(learner, 8, random_state=1).fit(X, y)
        assert list(bag.classes_) == ["a", "b", "rare"]
        np.testing.assert_allclose(bag.predict_proba(X).sum(axis=1), 1)


@pytest.mark.slow
def test_draw_of_one_class_leaves_the_member_all_classes():
    """Two rows of a rare class: some draws have none of them, and a logistic regression needs both classes."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.zeros(60, int)
    y[:2] = 1
    bag = BaggingClassifier(LogisticRegression(), 30, random_state=0).fit(X, y)
    assert all(len(member.classes_) == 2 for member in bag.estimators_)
    assert bag.predict_proba(X).shape == (60, 2)
