"""HistGradientBoostingClassifier and -Regressor: what scikit-learn's users know, and what they do not have there."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.ensemble import HistGradientBoostingClassifier as TheirClassifier
from sklearn.inspection import partial_dependence
from sklearn.metrics import log_loss

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from hedgerow.gradient import loss_names

X, Y = make_classification(700, 7, n_informative=4, random_state=0)
R, T = make_regression(500, 5, noise=5.0, random_state=0)


def mixed(n=900, seed=0):
    """Numbers, text and gaps, and a class that depends on all of them."""
    rng = np.random.default_rng(seed)
    age = rng.uniform(0, 90, n)
    town = rng.choice(["Aix", "Bonn", "Cork", "Delft", "Eger", "Faro", "Gent"], n)
    score = np.where(np.isin(town, ["Bonn", "Faro"]), 1.5, -0.5) + age / 40
    age[rng.random(n) < 0.2] = np.nan
    y = score + np.where(np.isnan(age), 1.0, 0.0) + rng.logistic(size=n) > 1
    return pd.DataFrame({"age": age, "town": town}), np.where(y, "yes", "no")


@pytest.mark.slow
def test_the_loss_of_unseen_rows_is_that_of_scikit_learn():
    ours = HistGradientBoostingClassifier(l2_regularization=0.0, max_iter=60).fit(X[:500], Y[:500])
    theirs = TheirClassifier(max_iter=60).fit(X[:500], Y[:500])
    here, there = (log_loss(Y[500:], model.predict_proba(X[500:])) for model in (ours, theirs))
    assert here < 1.1 * there


def test_text_and_missing_cells_as_they_are():
    frame, y = mixed()
    model = HistGradientBoostingClassifier(max_iter=40).fit(frame, y)
    assert model.score(frame, y) > 0.75
    assert model.is_categorical_.tolist() == [False, True]
    other = HistGradientBoostingClassifier(max_iter=40).fit(pl.from_pandas(frame), y)
    np.testing.assert_array_equal(model.predict_proba(frame), other.predict_proba(pl.from_pandas(frame)))


def test_a_level_never_seen_goes_where_missing_cells_go():
    frame, y = mixed()
    frame.loc[::9, "town"] = None
    model = HistGradientBoostingClassifier(max_iter=20).fit(frame, y)
    new = frame.head(4).assign(town="Zug")
    np.testing.assert_array_equal(model.predict_proba(new), model.predict_proba(new.assign(town=None)))


def test_more_levels_than_bins():
    rng = np.random.default_rng(0)
    level = rng.integers(0, 700, 6_000)
    effect = rng.normal(size=700)
    names = np.array([f"n{k}" for k in level], object)[:, None]
    model = HistGradientBoostingRegressor(max_iter=60).fit(names, effect[level])
    assert model.score(names, effect[level]) > 0.3


def test_predictions_do_not_depend_on_threads():
    big, target = make_classification(9_000, 30, random_state=1)
    first = HistGradientBoostingClassifier(max_iter=8, n_jobs=1, early_stopping=False).fit(big, target)
    for n_jobs in (2, 3, 8):
        other = clone(first).set_params(n_jobs=n_jobs).fit(big, target)
        for name in ("column", "threshold", "value", "gain"):
            np.testing.assert_array_equal(getattr(first.trees_, name), getattr(other.trees_, name))
        np.testing.assert_array_equal(first.predict_proba(big), other.predict_proba(big))


def test_one_row_is_predicted_as_among_many():
    model = HistGradientBoostingClassifier(max_iter=30).fit(X, Y)
    alone = np.concatenate([model.decision_function(X[k : k + 1]) for k in range(20)])
    np.testing.assert_array_equal(alone, model.decision_function(X)[:20])
    row = X[:1]  # an array is walked as it is, a list becomes a table first
    np.testing.assert_array_equal(model.predict_proba(row), model.predict_proba(row.tolist()))
    for wrong in (row[:, 1:], np.full_like(row, np.inf)):
        with pytest.raises(ValueError, match=r"features|[Ii]nfin"):
            model.predict_proba(wrong)


def test_stages_end_in_the_prediction():
    model = HistGradientBoostingClassifier(max_iter=9).fit(X, Y)
    *_, last = model.staged_predict_proba(X)
    np.testing.assert_array_equal(last, model.predict_proba(X))
    assert len(list(model.staged_predict(X))) == 9
    iris, kinds = load_iris(return_X_y=True)
    three = HistGradientBoostingClassifier(max_iter=5).fit(iris, kinds)
    *_, last = three.staged_decision_function(iris)
    np.testing.assert_array_equal(last, three.decision_function(iris))


@pytest.mark.parametrize("loss", loss_names("numbers"))
def test_warm_start_goes_on_where_it_was(loss):
    T = np.exp(R[:, 0])
    given = {"loss": loss, "quantile": 0.7 if loss == "quantile" else None}
    at_once = HistGradientBoostingRegressor(max_iter=20, **given).fit(R, T)
    model = HistGradientBoostingRegressor(max_iter=12, warm_start=True, **given).fit(R, T)
    model.set_params(max_iter=20).fit(R, T)
    assert model.n_iter_ == 20
    np.testing.assert_allclose(model.predict(R), at_once.predict(R), rtol=1e-9)
    with pytest.raises(ValueError, match="max_iter=5 must be larger"):
        model.set_params(max_iter=5).fit(R, T)


def test_early_stopping_on_held_out_rows_and_on_rows_of_ones_own():
    noise = np.random.default_rng(0).integers(0, 2, 600)
    model = HistGradientBoostingClassifier(max_iter=200, early_stopping=True, random_state=0).fit(
        X[:600], noise
    )
    assert model.n_iter_ < 100
    assert len(model.validation_score_) == model.n_iter_ + 1
    own = HistGradientBoostingClassifier(max_iter=200, early_stopping=True)
    own.fit(X[:400], noise[:400], X_val=X[400:600], y_val=noise[400:])
    assert own.n_iter_ < 100
    watched = HistGradientBoostingClassifier(max_iter=5, early_stopping=False)
    watched.fit(X[:400], noise[:400], eval_set=(X[400:600], noise[400:]))
    assert len(watched.validation_score_) == 6
    scored = HistGradientBoostingClassifier(max_iter=30, early_stopping=True, scoring="accuracy").fit(X, Y)
    assert scored.validation_score_[-1] > 0.7


def test_callbacks_are_told_each_round_and_may_stop(capsys):
    heard = []
    model = HistGradientBoostingRegressor(
        max_iter=50, callbacks=lambda info: heard.append(info) or info.round == 7
    )
    model.set_params(verbose=1).fit(R, T)
    assert model.n_iter_ == len(heard) == 7
    assert heard[-1].train_score > heard[0].train_score
    assert "[7/50]" in capsys.readouterr().out


def test_class_weights_are_weights_of_rows():
    frame, y = mixed()
    weight = np.where(y == y[0], 3.0, 0.5)
    own = {y[0]: 3.0, next(label for label in y if label != y[0]): 0.5}
    by_class = HistGradientBoostingClassifier(max_iter=4, class_weight=own).fit(frame, y)
    by_row = HistGradientBoostingClassifier(max_iter=4).fit(frame, y, weight)
    np.testing.assert_array_equal(by_class.predict_proba(frame), by_row.predict_proba(frame))


def test_leaves_have_the_hessian_and_splits_the_gain_that_is_asked_for():
    frame, y = mixed()
    one = {"max_iter": 1, "min_samples_leaf": 1}
    free = HistGradientBoostingClassifier(**one).fit(frame, y).tree()
    least = HistGradientBoostingClassifier(min_hessian_leaf=10, **one).fit(frame, y).tree()
    share = np.mean(y == y[0])
    rows = least.n_rows[least.first_child < 0]
    assert free.n_rows[free.first_child < 0].min() * share * (1 - share) < 10
    assert len(rows) > 1
    assert rows.min() * share * (1 - share) >= 10 - 1e-9
    trees = HistGradientBoostingClassifier(min_gain=2.0, max_iter=5).fit(frame, y).trees_
    assert trees.gain[trees.first_child >= 0].min() > 2.0


def test_an_l1_penalty_leaves_small_values_out():
    frame, y = mixed()
    one = {"max_iter": 1, "l2_regularization": 0, "learning_rate": 1.0}
    free = HistGradientBoostingClassifier(**one).fit(frame, y).trees_.value
    assert np.abs(free).max() > 0
    assert not HistGradientBoostingClassifier(l1_regularization=1e6, **one).fit(frame, y).trees_.value.any()


def test_subsampling_draws_by_the_seed():
    model = HistGradientBoostingRegressor(max_iter=20, subsample=0.5, max_features=0.5, random_state=3)
    same = clone(model).fit(R, T).predict(R)
    np.testing.assert_array_equal(model.fit(R, T).predict(R), same)
    assert not np.array_equal(model.set_params(random_state=4).fit(R, T).predict(R), same)
    assert model.set_params(max_features_tree=0.4, max_iter=80).fit(R, T).score(R, T) > 0.8


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "poisson"])
def test_monotone_constraints_hold_everywhere(loss):
    target = np.exp(T / 300)
    model = HistGradientBoostingRegressor(loss, monotonic_cst=[1, -1, 0, 0, 0], max_iter=40).fit(R, target)
    grid = np.repeat(R[:20], 30, axis=0)
    for column, way in ((0, 1), (1, -1)):
        varied = grid.copy()
        varied[:, column] = np.tile(np.linspace(-3, 3, 30), 20)
        steps = np.diff(model.predict(varied).reshape(20, 30), axis=1)
        assert (way * steps).min() >= -1e-9


def test_columns_that_may_not_meet_add_up():
    model = HistGradientBoostingRegressor(interaction_cst="no_interactions", max_iter=30).fit(R, T)
    row, other = R[:1].copy(), R[:1].copy()
    moved = []
    for base in (row, other + 1.0):
        changed = base.copy()
        changed[0, 2] = 1.7
        moved.append(model.predict(changed) - model.predict(np.where(np.arange(5) == 2, R[:1], base)))
    np.testing.assert_allclose(moved[0], moved[1], atol=1e-9)


def test_shapley_values_add_up_to_raw():
    frame, y = mixed()
    model = HistGradientBoostingClassifier(max_iter=15).fit(frame, y)
    found = model.explain(frame.head(30))
    np.testing.assert_allclose(found.prediction, model.decision_function(frame.head(30)), atol=1e-9)
    iris, kinds = load_iris(return_X_y=True)
    three = HistGradientBoostingClassifier(max_iter=5).fit(iris, kinds)
    np.testing.assert_allclose(three.explain(iris).prediction, three.decision_function(iris), atol=1e-9)


def test_importance_finds_the_columns_that_matter():
    model = HistGradientBoostingRegressor(max_iter=40).fit(R[:, :4], R[:, 0] * 3 + R[:, 1])
    assert model.feature_importances_.argmax() == 0
    assert model.importance().top(2) == ("x0", "x1")
    found = model.importance("permutation", R[:, :4], R[:, 0] * 3 + R[:, 1])
    assert found.top(2) == ("x0", "x1")
    for one in (found, model.importance()):
        assert "x0" in str(one)
        assert one.draw().get_xlabel()


def test_the_loss_by_round_falls_on_training_rows():
    model = HistGradientBoostingClassifier(max_iter=12).fit(X[:500], Y[:500])
    found = model.diagnose(X[:500], Y[:500], test=(X[500:], Y[500:]))
    assert np.all(np.diff(found.train) < 0)
    assert len(found.test) == 13
    assert "training loss" in str(found)
    assert found.to_dict()["loss"] == "log_loss"
    assert found.draw().get_xlabel() == "rounds"


def test_partial_dependence_and_pickle():
    model = HistGradientBoostingRegressor(max_iter=10).fit(R, T)
    curve = partial_dependence(model, R, [0])["average"][0]
    assert curve[-1] > curve[0]
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(R), model.predict(R))


def test_weights_of_zero_drop_rows():
    weight = np.ones(len(T))
    weight[::3] = 0
    with_zeros = HistGradientBoostingRegressor(max_iter=10).fit(R, T, weight)
    without = HistGradientBoostingRegressor(max_iter=10).fit(R[weight > 0], T[weight > 0], weight[weight > 0])
    np.testing.assert_array_equal(with_zeros.predict(R), without.predict(R))


class SquaredLoss:
    def __init__(self, bad_at=None):
        self.bad_at, self.calls = bad_at, 0

    def start(self, y, weight):
        return y.mean()

    def losses(self, y, raw):
        return 0.5 * (raw - y) ** 2

    def gradients(self, y, raw):
        self.calls += 1
        return np.full(len(y), np.nan) if self.calls == self.bad_at else raw - y, np.ones(len(y))


def test_a_loss_given_as_an_object():
    own = HistGradientBoostingRegressor(SquaredLoss(), max_iter=15).fit(R, T)
    named = HistGradientBoostingRegressor(max_iter=15).fit(R, T)
    np.testing.assert_allclose(own.predict(R), named.predict(R), rtol=1e-9)


def test_a_loss_that_returns_nan_is_named_with_its_round():
    with pytest.raises(ValueError, match="in round 4"):
        HistGradientBoostingRegressor(SquaredLoss(bad_at=4)).fit(R, T)
    with pytest.raises(TypeError, match="lacks gradients"):
        HistGradientBoostingRegressor(object()).fit(R, T)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"loss": "poisson"}, "requires non-negative y"),
        ({"loss": "gamma"}, "requires strictly positive y"),
        ({"loss": "tweedie"}, "targets of 0 and more"),
        ({"loss": "tweedie", "tweedie_power": 2.5}, "tweedie_power=2.5"),
        ({"loss": "tweedie", "tweedie_power": 2}, "use loss='poisson' for 1 and loss='gamma' for 2"),
        ({"loss": "tweedie", "tweedie_power": "1.5"}, "tweedie_power='1.5' is out of range"),
        ({"loss": "squared"}, "Known for numbers"),
        ({"loss": "quantile"}, "needs a quantile"),
        ({"learning_rate": 0.0}, "learning_rate=0.0"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes=1"),
        ({"max_bins": 256}, "max_bins=256"),
        ({"subsample": 1.5}, "subsample=1.5"),
        ({"growth": "levels"}, "Did you mean 'level'"),
        ({"monotonic_cst": [1, 0]}, "monotonic_cst has shape"),
        ({"interaction_cst": [(0, 99)]}, "invalid indices"),
        ({"early_stopping": "perhaps"}, "early_stopping='perhaps'"),
        ({"warm_start": "False"}, "warm_start='False'"),
        ({"verbose": -1}, "verbose=-1"),
        ({"scoring": 3}, "scoring=3"),
        ({"callbacks": 3}, "callbacks"),
        ({"categorical_features": "all"}, "categorical_features='all'"),
    ],
)
def test_bad_parameters_are_named(given, message):
    with pytest.raises((ValueError, TypeError), match=message):
        HistGradientBoostingRegressor(**{"max_iter": 3, **given}).fit(R, T)


def test_limits_may_be_larger_than_the_native_code_holds():
    limits = {"max_leaf_nodes": 2**70, "max_depth": 2**70}
    free = HistGradientBoostingRegressor(max_iter=3, max_leaf_nodes=None).fit(R, T)
    wide = HistGradientBoostingRegressor(max_iter=3, **limits).fit(R, T)
    np.testing.assert_allclose(wide.predict(R), free.predict(R), rtol=1e-12)
    assert HistGradientBoostingRegressor(max_iter=1, min_samples_leaf=2**70).fit(R, T).tree().n_nodes == 1


def test_bad_rows_are_refused():
    with pytest.raises(ValueError, match="two classes"):
        HistGradientBoostingClassifier().fit(X, np.ones(len(Y)))
    with pytest.raises(ValueError, match="zero in every row"):
        HistGradientBoostingRegressor().fit(R, T, np.zeros(len(T)))
    broken = R.copy()
    broken[3, 2] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        HistGradientBoostingRegressor().fit(broken, T)


def test_constants_give_the_best_constant():
    model = HistGradientBoostingRegressor(max_iter=5).fit(np.ones((50, 3)), T[:50])
    np.testing.assert_allclose(model.predict(np.ones((2, 3))), T[:50].mean())
    empty = np.full((50, 2), np.nan)
    np.testing.assert_allclose(
        HistGradientBoostingRegressor(max_iter=5).fit(empty, T[:50]).predict(empty), T[:50].mean()
    )


@pytest.mark.parametrize("n_classes", [2, 3])
def test_constants_give_the_shares_of_the_classes(n_classes):
    y = np.minimum(np.arange(50) % 5, n_classes - 1)
    model = HistGradientBoostingClassifier(max_iter=5).fit(np.ones((50, 3)), y)
    np.testing.assert_allclose(model.predict_proba(np.ones((1, 3)))[0], np.bincount(y) / 50)
