"""Gradient boosting: what cannot be learned from is refused in words, and what can is not."""

import os
import warnings

import numpy as np
import pytest
from tests.estimators.test_hist_gradient_boosting import R, SquaredLoss, T, X, Y
from tests.interrupted import said_when_interrupted

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor, save
from hedgerow.estimators import gradient_watch

FEW = slice(0, 90)


class Returning(SquaredLoss):
    """A method that is another function; what squared errors do not have is what `Loss` does without."""

    def __init__(self, **methods):
        super().__init__()
        for name, method in methods.items():
            setattr(self, name, method)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"gradients": lambda y, raw: None}, "returned NoneType"),
        ({"gradients": lambda y, raw: (raw - y, 1.0)}, r"hessian of shape \(\)"),
        ({"gradients": lambda y, raw: (raw - y, -np.ones(len(y)))}, "hessian of -1.0 in round 1"),
        ({"gradients": lambda y, raw: (raw * np.inf, np.ones(len(y)))}, "in round 1"),
        ({"gradients": lambda y, raw: (raw.__isub__(y), np.ones(len(y)))}, "read-only"),
        ({"losses": lambda y, raw: np.zeros(3)}, r"losses of shape \(3,\)"),
        ({"start": lambda y, weight: np.zeros(3)}, r"start of .* returned array"),
        ({"start": lambda y, weight: None}, "start of .* returned None"),
        ({"leaf_value": lambda y, raw, weight: np.nan}, "a leaf the value nan in round 1"),
        ({"leaf_value": lambda y, raw, weight: None}, "a leaf the value nan in round 1"),
        ({"inverse_link": lambda raw: np.zeros(7)}, r"inverse link of shape \(7,\)"),
    ],
)
def test_what_a_loss_object_returns_is_checked(methods, message):
    model = HistGradientBoostingRegressor(Returning(**methods), max_iter=1, callbacks=print)
    with pytest.raises(ValueError, match=message):
        model.fit(R, T).predict(R)


def test_a_class_is_no_loss_object():
    with pytest.raises(TypeError, match="is a class"):
        HistGradientBoostingRegressor(SquaredLoss).fit(R, T)


def test_losses_of_nan_are_named_with_their_round():
    calls = []

    def nan_at_last(y, raw):
        calls.append(0)
        return np.full(len(y), np.nan if len(calls) == 4 else 1.0)

    model = HistGradientBoostingRegressor(
        Returning(losses=nan_at_last), callbacks=[lambda info: False], max_iter=9
    )
    with pytest.raises(ValueError, match="mean loss of nan in round 3"):
        model.fit(R, T)
    assert not hasattr(model, "trees_")


def test_a_loss_object_of_two_classes_gives_probabilities():
    model = HistGradientBoostingClassifier(SquaredLoss(), max_iter=5).fit(X, Y)
    shares = model.predict_proba(X)
    assert shares.shape == (len(X), 2)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    with pytest.raises(ValueError, match="one output, but y has 3 classes"):
        model.fit(X, np.arange(len(X)) % 3)


def test_a_loss_object_is_not_kept_in_a_model_file(tmp_path):
    model = HistGradientBoostingRegressor(SquaredLoss(), max_iter=2).fit(R, T)
    with pytest.raises(TypeError, match="a model file holds no code"):
        save(model, tmp_path / "m.hedgerow")


def test_targets_are_checked_where_rows_have_weight():
    counts = np.r_[np.ones(5), np.zeros(85)]
    with pytest.raises(ValueError, match=r"sum\(y\) > 0"):
        HistGradientBoostingRegressor("poisson").fit(R[FEW], counts, 1 - counts)
    negative = np.r_[-1.0, np.ones(89)]
    HistGradientBoostingRegressor("poisson", max_iter=2).fit(R[FEW], negative, (negative > 0).astype(float))
    with pytest.raises(ValueError, match="non-negative y"):
        HistGradientBoostingRegressor("poisson").fit(R[FEW], np.ones(90), eval_set=(R[FEW], negative))


def test_one_class_with_weight_is_one_class():
    with pytest.raises(ValueError, match=r"only rows of \[1\] have a weight"):
        HistGradientBoostingClassifier().fit(X, Y, Y.astype(float))
    with pytest.raises(ValueError, match=r"only rows of \[1\] have a weight"):
        HistGradientBoostingClassifier(class_weight={0: 0, 1: 2}).fit(X, Y)
    three = np.r_[np.full(20, 2), Y[20:]]
    model = HistGradientBoostingClassifier(max_iter=3).fit(X, three, (three < 2).astype(float))
    assert model.predict_proba(X)[:, 2].max() < 1e-9


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"eval_set": 5}, "one pair"),
        ({"eval_set": (R[:, :2], T)}, "Rows to judge the rounds by .* 2 columns"),
        ({"eval_set": (R, T[:5])}, "5 entries"),
        ({"eval_set": (R, T), "X_val": R, "y_val": T}, "both given"),
        ({"X_val": R}, "y_val was not provided"),
        ({"eval_set": [(R, T), (R, T)]}, "one pair"),
        ({"eval_set": (R, T * np.nan)}, "Rows to judge the rounds by .* NaN"),
        ({"eval_set": (R, T), "sample_weight_val": np.zeros(len(T))}, "Rows to judge .* zero in every row"),
        ({"sample_weight_val": np.ones(len(T))}, "X_val was not provided"),
        ({"sample_weight": -np.ones(len(T))}, "Negative weights"),
        ({"sample_weight": np.ones(3)}, "3 entries"),
    ],
)
def test_rows_to_judge_by_and_weights_are_checked(given, message):
    with pytest.raises(ValueError, match=message):
        HistGradientBoostingRegressor(max_iter=2).fit(R, T, **given)


def test_early_stopping_needs_rows_to_hold_out():
    with pytest.raises(ValueError, match="early_stopping=False"):
        HistGradientBoostingRegressor(early_stopping=True).fit(R[:1], T[:1])
    rare = np.r_[2, Y[1:]]
    model = HistGradientBoostingClassifier(early_stopping=True, max_iter=3, random_state=0).fit(X, rare)
    assert model.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("one_by_one", [True, False])
@pytest.mark.parametrize(("share", "message"), [(1.0, "holds all rows out"), (600, "No row would be left")])
def test_early_stopping_leaves_rows_to_train_on(monkeypatch, copies, one_by_one, share, message):
    monkeypatch.setattr(gradient_watch, "ONE_BY_ONE", 100 if one_by_one else 10**6)
    model = HistGradientBoostingRegressor(early_stopping=True, validation_fraction=share)
    with pytest.raises(ValueError, match=message):
        model.fit(np.tile(R[:300], (copies, 1)), np.tile(T[:300], copies))


@pytest.mark.parametrize("share", [0.1, 9])
def test_fewer_rows_than_classes_can_be_held_out(share):
    classes = np.arange(85) % 10
    model = HistGradientBoostingClassifier(early_stopping=True, validation_fraction=share, max_iter=3)
    model.fit(np.random.default_rng(0).normal(size=(85, 2)), classes)
    assert len(model.validation_score_) == 4
    assert model.trees_.n_rows[0] == 85 - (9 if share == 9 else 8)


def test_a_share_of_any_type_of_number_is_held_out():
    def rounds(share):
        model = HistGradientBoostingRegressor(early_stopping=True, validation_fraction=share, random_state=0)
        return model.fit(np.tile(R[:300], (2, 1)), np.tile(T[:300], 2)).trees_.n_rows[0]

    assert rounds(np.float32(0.25)) == rounds(0.25) == 450


def test_a_class_that_would_be_held_out_whole_trains():
    """Copies of a row stay together: here all rows of the third class."""
    same = np.repeat([[0.0, 0.0, 0.0], [9.0, 9.0, 9.0]], 6, axis=0)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        rows, classes = np.vstack([rng.normal(size=(12, 3)), same]), np.repeat([0, 1, 2, 3], 6)
        model = HistGradientBoostingClassifier(
            early_stopping=True, validation_fraction=0.5, max_iter=2, min_samples_leaf=1, random_state=seed
        )
        assert (model.fit(rows, classes).trees_.baseline > -3).all()


def test_a_refit_that_fails_leaves_no_model_of_other_rows():
    model = HistGradientBoostingRegressor(max_iter=3).fit(R, T)
    with pytest.raises(ValueError, match="in round 2"):
        model.set_params(loss=SquaredLoss(bad_at=2)).fit(R[:, :2], T)
    assert not hasattr(model, "trees_")
    model = HistGradientBoostingClassifier(max_iter=3).fit(X, Y)
    with pytest.raises(ValueError, match="one class"):
        model.fit(X, np.zeros(len(X)))
    assert not hasattr(model, "trees_")


def interrupt(info):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("changes", "rows", "target", "error"),
    [
        ({"loss": SquaredLoss(bad_at=2)}, R, T, ValueError),
        ({"loss": "poisson"}, R, np.abs(T), ValueError),
        ({"callbacks": interrupt}, R, T, KeyboardInterrupt),
        ({"callbacks": interrupt, "scoring": "r2"}, R, T, KeyboardInterrupt),
        ({"max_iter": 2}, R, T, ValueError),
        ({}, R[:, :2], T, ValueError),
        ({}, R, T * np.nan, ValueError),
    ],
)
def test_a_warm_start_that_fails_leaves_the_model_as_it_was(changes, rows, target, error):
    model = HistGradientBoostingRegressor(max_iter=3, warm_start=True).fit(R, T)
    before = dict(vars(model))
    model.set_params(**{"max_iter": 9} | changes)
    with pytest.raises(error):
        model.fit(rows, target)
    left = vars(model)
    assert left.keys() == before.keys()
    assert all(left[name] is before[name] for name in before if name not in model.get_params())


def test_a_warm_start_keeps_the_classes_it_has():
    model = HistGradientBoostingClassifier(max_iter=3, warm_start=True).fit(X, Y)
    with pytest.raises(ValueError, match="other classes"):
        model.set_params(max_iter=4).fit(X, np.arange(len(X)) % 3)
    np.testing.assert_array_equal(model.classes_, np.unique(Y))


def test_warm_start_wants_the_same_levels():
    towns = np.array(["Aix", "Bonn", "Cork"], object)[np.arange(300) % 3][:, None]
    model = HistGradientBoostingRegressor(max_iter=2, warm_start=True).fit(towns, T[:300])
    towns[0] = "Delft"
    with pytest.raises(ValueError, match="other columns or levels"):
        model.set_params(max_iter=4).fit(towns, T[:300])


@pytest.mark.parametrize("size", [1e-100, 1e100])
def test_targets_of_any_size_are_learned(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = HistGradientBoostingRegressor(max_iter=20).fit(R, T * size / 100)
        plain = HistGradientBoostingRegressor(max_iter=20).fit(R, T / 100)
        np.testing.assert_allclose(model.predict(R) / size, plain.predict(R), rtol=1e-6, atol=1e-9)


LONG_FIT = """
from hedgerow import HistGradientBoostingClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(60_000, 10))
model = HistGradientBoostingClassifier(max_iter=100_000, n_jobs=2, early_stopping=False)
given = (X, rng.integers(0, 3, len(X)))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_ends_a_long_fit():
    assert said_when_interrupted(LONG_FIT, "trees_") == "interrupted False\n"


@pytest.mark.parametrize("scale", [1e-310, 1e-160, 1e160, 1e300])
def test_targets_whose_squares_are_no_numbers_are_refused(scale):
    with pytest.raises(ValueError, match=r"largest \|y\| is .* Divide y by"):
        HistGradientBoostingRegressor(max_iter=2).fit(R[FEW], T[FEW] * scale)
