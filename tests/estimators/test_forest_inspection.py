"""What ensembles of trees can say: out of bag, importance, explanation, likeness; and what they refuse."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import accuracy_score, get_scorer, roc_auc_score

from hedgerow import (
    BaggingRegressor,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    datasets,
)


@pytest.fixture(scope="module")
def titanic():
    data = datasets.titanic()
    return data.table, np.asarray(data.target)


@pytest.fixture(scope="module")
def forest(titanic):
    return RandomForestClassifier(60, random_state=0).fit(*titanic)


def test_oob_is_one_object(forest, titanic):
    X, y = titanic
    oob = forest.oob_
    assert oob is forest.oob_
    assert oob.n_members == 60
    assert len(oob.curve) == 60
    assert not len(oob.never_out)
    shares = np.zeros((len(y), 2))
    many = np.zeros(len(y))
    for t, tree in enumerate(forest.estimators_):
        out = forest.forest_.draws.oob(t)
        shares[out] += tree.predict_proba(X)[out]
        many += out
    np.testing.assert_allclose(oob.decision_function, shares / many[:, None], atol=1e-12)
    assert np.array_equal(oob.prediction, forest.classes_[shares.argmax(axis=1)])
    assert oob.loss[0] == pytest.approx(np.mean(oob.prediction != y))
    assert oob.curve[-1] == pytest.approx(oob.loss[0])
    for text in (str(oob), oob._repr_html_()):
        assert "error rate" in text
    assert oob.to_dict()["n_rows"] == len(y)


@pytest.mark.slow
def test_any_metric_with_an_interval(forest, titanic):
    _, y = titanic
    oob = forest.oob_
    auc = oob.score("roc_auc", resamples=60)
    assert auc.value == pytest.approx(roc_auc_score(y, oob.decision_function[:, 1]))
    assert auc.low < auc.value < auc.high
    assert auc.high - auc.low < 0.1
    assert "percentile bootstrap" in str(auc)
    assert oob.score(accuracy_score, resamples=5).value == pytest.approx(1 - oob.loss[0])
    assert oob.score(get_scorer("neg_log_loss"), resamples=5).value < 0
    assert oob.score(resamples=200).scoring == "accuracy"
    wide, narrow = (
        oob.score(confidence_level=0.99, resamples=200),
        oob.score(confidence_level=0.5, resamples=200),
    )
    assert wide.high - wide.low > narrow.high - narrow.low
    with pytest.raises(ValueError, match="confidence"):
        oob.score(confidence_level=95)
    with pytest.raises(TypeError, match="no metric"):
        oob.score(3)
    with pytest.raises(ValueError, match="accurcy"):
        oob.score("accurcy")


def test_rows_never_out_are_reported():
    X = np.arange(40.0)[:, None]
    model = RandomForestRegressor(2, random_state=0).fit(X, X[:, 0])
    oob = model.oob_
    assert len(oob.never_out) > 3
    assert np.isnan(oob.prediction[oob.never_out]).all()
    assert "in every bag" in str(oob)
    assert oob.score(resamples=5).n_rows == 40 - len(oob.never_out)


def test_one_row_and_numbers_beyond_squaring():
    one = RandomForestClassifier(3, random_state=0).fit([[1.0]], [0])
    assert "no row is out" in str(one.oob_)
    with pytest.raises(ValueError, match="nothing to score"):
        one.oob_.score()
    X = np.random.default_rng(0).normal(size=(50, 2))
    model = RandomForestRegressor(5, random_state=0).fit(X, X[:, 0] * 1e300)
    found = model.explain(X[:3])
    np.testing.assert_allclose(found.prediction, model.predict(X[:3]), rtol=1e-10)
    assert "inf" in str(model.oob_)
    assert np.isfinite(model.predict_quantiles(X[:3])).all()


def test_scikit_learns_names(titanic):
    model = RandomForestClassifier(10, oob_score=True, random_state=0).fit(*titanic)
    assert model.oob_score_ == pytest.approx(1 - model.oob_.loss[0])
    assert model.oob_decision_function_.shape == (1309, 2)
    with pytest.raises(AttributeError, match="oob_decision_function_"):
        _ = model.oob_prediction_
    X = np.arange(60.0)[:, None]
    numbers = RandomForestRegressor(20, oob_score=lambda y, p: -np.abs(y - p).max(), random_state=0)
    numbers.fit(X, X[:, 0])
    assert numbers.oob_score_ < 0
    assert numbers.oob_prediction_.shape == (60,)
    with pytest.raises(AttributeError, match="oob_score=True"):
        _ = clone(numbers).set_params(oob_score=False).fit(X, X[:, 0]).oob_score_


def test_growing_ends_when_the_curve_is_flat(titanic):
    model = RandomForestClassifier(2000, stop="oob", random_state=0).fit(*titanic)
    assert model.stopped_.flat
    n = len(model.forest_.trees)
    assert 50 <= n < 2000
    assert f"Stopped at {n} of at most 2000" in str(model.stopped_)
    same = RandomForestClassifier(n, random_state=0).fit(*titanic)
    X, _ = titanic
    assert np.array_equal(same.predict_proba(X), model.predict_proba(X))
    np.testing.assert_allclose(same.oob_.curve, model.oob_.curve)
    few = RandomForestClassifier(7, stop="oob", random_state=0).fit(*titanic)
    assert not few.stopped_.flat
    with pytest.raises(ValueError, match="Did you mean 'oob'"):
        RandomForestClassifier(stop="oobb").fit(*titanic)
    with pytest.raises(ValueError, match="stop='oob' needs rows"):
        ExtraTreesClassifier(stop="oob").fit(*titanic)


def test_nothing_is_out_of_bag_without_draws(titanic):
    model = ExtraTreesClassifier(3, random_state=0).fit(*titanic)
    for ask in (lambda: model.oob_, model.importance, model.diversity):
        with pytest.raises(AttributeError, match="bootstrap=True"):
            ask()
    assert model.importance("impurity").value.sum() > 0
    assert model.proximities().shape == (1309, 1309)


def test_a_copy_asks_for_the_rows_of_training(forest, titanic):
    X, y = titanic
    copy = pickle.loads(pickle.dumps(clone(forest).fit(X, y)))
    with pytest.raises(ValueError, match="Give them: X and y"):
        copy.importance()
    np.testing.assert_array_equal(
        copy.importance("corrected", X, y).value, forest.importance("corrected").value
    )
    assert copy.out_of_bag(X, y).loss == forest.oob_.loss
    with pytest.raises(ValueError, match="1309"):
        copy.out_of_bag(X.take(range(9)), y[:9])
    with pytest.raises(ValueError, match="y is missing"):
        copy.importance(X=X)
    with pytest.raises(ValueError, match="no class"):
        copy.out_of_bag(X, np.where(y == "died", "alive", y) if y.dtype.kind in "UO" else y + 5)


def test_rows_changed_since_are_noticed():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    model = RandomForestRegressor(5, random_state=0).fit(X, y)
    X[3, 1] = 9
    with pytest.raises(ValueError, match="changed in place"):
        _ = model.oob_
    with pytest.raises(ValueError, match="changed in place"):
        model.predict_quantiles(X)


def test_explanations_add_up_and_read_well(forest, titanic):
    X, _ = titanic
    found = forest.explain(X)
    np.testing.assert_allclose(found.prediction, forest.predict_proba(X), atol=1e-10)
    some = forest.explain(X.take([0, 2]))
    assert "sex = female" in str(some)
    assert "nothing known" in some._repr_html_()
    assert some.of("died").shape == (2, 5)
    np.testing.assert_allclose(some.of("died"), -some.of("survived"))
    np.testing.assert_array_equal(some.of(0), some.of("died"))
    with pytest.raises(ValueError, match="no class"):
        some.of("lost")
    assert set(some.to_dict()) == {"names", "classes", "base", "values", "outputs"}
    numbers = RandomForestRegressor(5, random_state=0).fit(np.eye(6), np.arange(6.0))
    found = numbers.explain(np.eye(6))
    np.testing.assert_allclose(found.prediction, numbers.predict(np.eye(6)), atol=1e-10)
    assert found.values.shape == (6, 6)


def test_proximities(forest, titanic):
    X, _ = titanic
    some, all_rows = X.take(range(5)), X
    near = forest.proximities(some, all_rows)
    assert near.shape == (5, 1309)
    assert np.all(near[:, :5].diagonal() == 1)
    dense = forest.proximities(some, dense=True)
    np.testing.assert_allclose(dense, dense.T)
    out = forest.proximities(out_of_bag=True)
    assert out.shape == (1309, 1309)
    assert abs(out - out.T).max() < 1e-12
    with pytest.raises(ValueError, match="Leave X and Y out"):
        forest.proximities(some, out_of_bag=True)


def test_diversity(forest):
    found = forest.diversity()
    assert 0 < found.strength < 1
    assert 0 < found.correlation < 1
    assert found.ensemble_error < found.member_error
    X = np.random.default_rng(0).normal(size=(200, 3))
    numbers = BaggingRegressor(n_estimators=20, random_state=0).fit(X, X.sum(axis=1)).diversity()
    assert numbers.ensemble_error == pytest.approx(numbers.member_error - numbers.spread)


def test_quantiles_survive_a_copy_once_made():
    X = np.random.default_rng(0).normal(size=(100, 2))
    model = RandomForestRegressor(10, random_state=0).fit(X, X[:, 0])
    said = model.predict_quantiles(X[:4])
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_quantiles(X[:4]), said)


def test_bad_questions(forest):
    with pytest.raises(ValueError, match="Did you mean 'permutation'"):
        forest.importance("permutatio")
    with pytest.raises(ValueError, match="at least one repeat"):
        forest.importance(repeats=0)
