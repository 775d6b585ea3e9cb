import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

from hedgerow import (
    BaggingClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

FORESTS = [RandomForestClassifier, ExtraTreesClassifier, RandomForestRegressor, ExtraTreesRegressor]
each = pytest.mark.parametrize("Forest", FORESTS, ids=lambda f: f.__name__)


def frame(n=160, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.integers(0, 4, n) * 1.0, "c": rng.choice(list("xyz"), n)}
    )
    y = (X.a + (X.c == "x") + rng.normal(size=n) * 0.3 > 0.3).to_numpy().astype(int)
    X.loc[rng.random(n) < 0.1, "b"] = np.nan
    X.loc[rng.random(n) < 0.1, "c"] = None
    return X, y


@each
def test_categories_and_missing_cells_as_they_are(Forest):
    X, y = frame()
    model = Forest(20, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8
    assert model.apply(X).shape == (160, 20)
    assert model.feature_importances_.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("Forest", "Tree"),
    [(RandomForestClassifier, DecisionTreeClassifier), (RandomForestRegressor, DecisionTreeRegressor)],
)
def test_all_columns_and_no_bootstrap_is_the_single_tree(Forest, Tree):
    X, y = frame()
    weight = np.random.default_rng(1).random(160)
    single = Tree().fit(X, y, weight).hedgerow_tree_
    for tree in Forest(3, bootstrap=False, max_features=None, random_state=5).fit(X, y, weight).estimators_:
        np.testing.assert_array_equal(tree.hedgerow_tree_.feature, single.feature)
        np.testing.assert_array_equal(tree.hedgerow_tree_.threshold, single.threshold)
        np.testing.assert_array_equal(tree.hedgerow_tree_.subset_bits, single.subset_bits)


@each
def test_n_jobs_and_the_order_of_rows_do_not_matter(Forest):
    X, y = frame(400)
    one = Forest(10, random_state=0, n_jobs=1).fit(X, y)
    two = Forest(10, random_state=0, n_jobs=3).fit(X, y)
    ask = one.predict_proba if hasattr(one, "predict_proba") else one.predict
    other = two.predict_proba if hasattr(two, "predict_proba") else two.predict
    assert ask(X).tobytes() == other(X).tobytes()
    turned = Forest(10, random_state=0).fit(X[::-1], y[::-1])
    again = turned.predict_proba if hasattr(turned, "predict_proba") else turned.predict
    np.testing.assert_allclose(again(X), ask(X), atol=1e-12)


@each
def test_warm_start_grows_on(Forest):
    X, y = frame()
    all_at_once = Forest(9, random_state=3).fit(X, y)
    model = Forest(4, random_state=3, warm_start=True).fit(X, y)
    model.set_params(n_estimators=9).fit(X, y)
    assert len(model.estimators_) == 9
    np.testing.assert_array_equal(model.predict(X), all_at_once.predict(X))
    with pytest.warns(UserWarning, match="does not fit new trees"):
        model.fit(X, y)
    with pytest.raises(ValueError, match="fewer than the 9 trees"):
        model.set_params(n_estimators=2).fit(X, y)


def test_class_weights():
    X, y = frame(300)
    rare = np.flatnonzero(y)[20:]
    X, y = X.drop(index=rare).reset_index(drop=True), np.delete(y, rare)
    plain = RandomForestClassifier(30, random_state=0, max_depth=3).fit(X, y)
    for weight in ("balanced", "balanced_subsample", {0: 1, 1: 20}):
        model = RandomForestClassifier(30, random_state=0, max_depth=3, class_weight=weight).fit(X, y)
        assert model.predict(X).sum() > plain.predict(X).sum()
    gone = RandomForestClassifier(5, random_state=0, class_weight={0: 0, 1: 1}).fit(X, y)
    assert (gone.predict(X) == 1).all()


def test_a_plain_array_takes_the_short_way_and_says_the_same():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, 3, 200)
    model = RandomForestClassifier(15, random_state=0).fit(X, y)
    long_way = model.predict_proba(X.tolist())
    assert model.predict_proba(X).tobytes() == long_way.tobytes()
    assert model.predict_proba(X[7:8]).tobytes() == long_way[7:8].tobytes()
    assert model.predict_proba(X[::2, ::1]).tobytes() == long_way[::2].tobytes()
    with pytest.raises(ValueError, match="3 features"):
        model.predict(X[:, :3])


def test_paths_and_leaves_agree():
    X, y = frame()
    model = RandomForestClassifier(4, random_state=0).fit(X, y)
    path, starts = model.decision_path(X)
    leaves = model.apply(X) + starts[:-1]
    assert path.shape == (160, starts[-1])
    assert path[np.arange(160)[:, None], leaves].toarray().all()


def test_verbose_says_how_far(capsys, monkeypatch):
    from hedgerow.ensemble import forest

    now = iter(np.arange(0, 1000, 0.6))
    monkeypatch.setattr(forest.time, "monotonic", lambda: float(next(now)))
    X, y = frame()
    RandomForestClassifier(12, random_state=0, verbose=1).fit(X, y)
    assert "RandomForestClassifier: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_estimators": 0}, "n_estimators=0"),
        ({"n_estimators": 2.5}, "n_estimators=2.5"),
        ({"max_samples": 0}, "max_samples=0"),
        ({"max_samples": -0.5}, "max_samples=-0.5"),
        ({"bootstrap": False, "max_samples": 161}, "without drawing one twice"),
        ({"bootstrap": False, "oob_score": True}, "oob_score needs rows"),
        ({"class_weight": "balance"}, "class_weight='balance'"),
        ({"criterion": "ginny"}, "Did you mean 'gini'"),
        ({"max_features": "all"}, "max_features='all'"),
        ({"n_jobs": 0}, "n_jobs=0"),
    ],
)
def test_mistakes_are_named(options, words):
    X, y = frame()
    with pytest.raises(ValueError, match=words):
        RandomForestClassifier(**options).fit(X, y)


@each
def test_odd_tables(Forest):
    for X, y in [
        (np.ones((5, 2)), np.arange(5) % 2),
        (np.array([[1.0]]), np.array([1])),
        (np.full((4, 1), np.nan), np.array([0, 1, 0, 1])),
        (np.array([[1e300], [-1e300], [1e-300]]), np.array([0, 1, 1])),
    ]:
        assert np.isfinite(Forest(5, random_state=0).fit(X, y).predict(X).astype(float)).all()


@each
def test_without_redraw_a_node_of_constant_draws_is_a_leaf(Forest):
    """Two columns of which one is constant: a tree that draws one and stops is a leaf in about half the forest."""
    X = np.c_[np.ones(40), np.arange(40.0)]
    y = (np.arange(40) % 2).astype(int)
    options = {"n_estimators": 60, "max_features": 1, "max_depth": 1, "random_state": 0}
    on = Forest(**options).fit(X, y)
    off = Forest(**options, redraw=False).fit(X, y)
    leaves = sum(tree.n_nodes == 1 for tree in off.forest_.trees)
    assert not any(tree.n_nodes == 1 for tree in on.forest_.trees)
    assert 15 <= leaves <= 45
    assert clone(off).get_params()["redraw"] is False


@pytest.mark.parametrize("constant", [50, 50.5, 6000])
@pytest.mark.parametrize(
    "model",
    [RandomForestClassifier(8, oob_score=True), ExtraTreesClassifier(3), BaggingClassifier(n_estimators=4)],
)
def test_a_constant_weight_changes_nothing(model, constant):
    X, y = make_classification(200, 5, random_state=0)
    plain = clone(model).set_params(random_state=0).fit(X, y)
    heavy = clone(model).set_params(random_state=0).fit(X, y, np.full(200, constant))
    for one, other in zip(plain.forest_.trees, heavy.forest_.trees, strict=True):
        for name in ("feature", "threshold", "value", "weight"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    if model.get_params().get("oob_score"):
        assert plain.oob_score_ == heavy.oob_score_


def test_whole_weights_leave_rows_out_of_bag():
    X, y = make_classification(200, 5, random_state=0)
    weight = np.random.default_rng(0).integers(5000, 7000, 200)
    whole = RandomForestClassifier(8, oob_score=True, random_state=0).fit(X, y, weight)
    shares = RandomForestClassifier(8, oob_score=True, random_state=0).fit(X, y, weight / 8)
    assert whole.forest_.draws.size == 200
    assert 0.3 < whole.forest_.draws.oob(0).mean() < 0.45
    np.testing.assert_array_equal(whole.predict_proba(X), shares.predict_proba(X))


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesRegressor])
def test_a_member_grows_again_from_its_rows(kind, bootstrap):
    X, y = make_classification(150, 8, random_state=3)
    forest = kind(4, max_features=0.5, bootstrap=bootstrap, random_state=7).fit(X, y)
    for member, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        again = clone(member).fit(X[rows], y[rows])
        np.testing.assert_allclose(again.tree_.value, member.tree_.value)
        np.testing.assert_array_equal(again.tree_.threshold, member.tree_.threshold)
    assert len({member.random_state for member in forest}) == 4
    assert type(kind().estimator) is type(forest[0])


def test_friedman_mse_warns_when_it_is_made():
    X, y = make_classification(60, 4, random_state=0)
    with pytest.warns(FutureWarning, match="friedman_mse"):
        forest = RandomForestRegressor(3, criterion="friedman_mse", random_state=0)
    plain = RandomForestRegressor(3, random_state=0)
    np.testing.assert_array_equal(forest.fit(X, y).predict(X), plain.fit(X, y).predict(X))
