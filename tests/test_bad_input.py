"""Bad input, one test a case: a clear error, or the documented behaviour. Never a crash, never nonsense."""

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning, NotFittedError

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.tree.check import check

BOTH = [DecisionTreeClassifier, DecisionTreeRegressor]
both = pytest.mark.parametrize("kind", BOTH)


def rows(n=37, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] > 0).astype(int)


def frame(**columns):
    return pytest.importorskip("pandas").DataFrame(columns)


# --- tables -------------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("shape", [(0, 3), (7, 0), (0, 0)])
def test_an_empty_table(kind, shape):
    with pytest.raises(ValueError, match=r"0 (sample|feature|row|column)"):
        kind().fit(np.empty(shape), np.zeros(shape[0]))


@both
def test_an_empty_frame(kind):
    with pytest.raises(ValueError, match=r"0 (sample|feature|row|column)"):
        kind().fit(frame(a=[]), [])


@both
def test_no_rows_to_predict(kind):
    X, y = rows()
    with pytest.raises(ValueError, match="0 sample"):
        kind().fit(X, y).predict(X[:0])


@both
@pytest.mark.parametrize("X", [np.zeros(7), np.zeros((7, 3, 2)), 5, "no such file.csv", None, {1, 2}])
def test_no_table_at_all(kind, X):
    with pytest.raises((ValueError, TypeError, FileNotFoundError)) as error:
        kind().fit(X, np.zeros(7))
    assert str(error.value)


@both
def test_a_dict_of_columns(kind):
    """Taken as a table, or refused in words."""
    X, y = rows()
    columns = {"a": X[:, 0], "b": X[:, 1]}
    try:
        model = kind().fit(columns, y)
    except (TypeError, ValueError) as error:
        assert "dict" in str(error)  # noqa: PT017
    else:
        np.testing.assert_array_equal(model.predict(columns), y)


@both
def test_one_row(kind):
    model = kind().fit([[1.0, 2.0, 3.0]], [1])
    assert model.hedgerow_tree_.n_nodes == 1
    assert model.predict([[9.0, 9.0, 9.0]]).tolist() == [1]


@both
def test_constant_columns(kind):
    _, y = rows()
    model = kind().fit(np.ones((37, 3)), y)
    assert model.hedgerow_tree_.n_nodes == 1
    check(model.hedgerow_tree_)


@both
def test_a_column_that_is_missing_throughout(kind):
    X, y = rows()
    X[:, 1] = np.nan
    model = kind().fit(X, y)
    check(model.hedgerow_tree_)
    np.testing.assert_array_equal(model.predict(X), y)
    assert 1 not in model.hedgerow_tree_.feature


@both
def test_a_table_that_is_missing_throughout(kind):
    model = kind().fit(np.full((7, 3), np.nan), [0, 1, 1, 0, 1, 0, 1])
    assert model.hedgerow_tree_.n_nodes == 1


@both
def test_missing_cells_are_taken(kind):
    X, y = rows()
    X[::5, 0] = np.nan
    model = kind().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)


@both
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_in_a_table(kind, value):
    X, y = rows()
    X[3, 1] = value
    with pytest.raises(ValueError, match=r"inf|Inf"):
        kind().fit(X, y)
    model = kind().fit(np.zeros_like(X), y)
    with pytest.raises(ValueError, match=r"inf|Inf"):
        model.predict(X)


@both
def test_huge_and_tiny_numbers(kind):
    """Any two different floats can be distinguished, without overflow in between."""
    values = [
        -1.7e308,
        -1e300,
        -1e-300,
        -5e-324,
        0.0,
        5e-324,
        1e-323,
        1e-300,
        1.0,
        1.0 + 2**-52,
        1e300,
        1.7e308,
    ]
    X = np.array(values)[:, None]
    y = np.arange(12) % 2
    model = kind().fit(X, y)
    check(model.hedgerow_tree_)
    assert np.isfinite(model.hedgerow_tree_.threshold[model.hedgerow_tree_.kind == 1]).all()
    np.testing.assert_array_equal(model.predict(X), y)


@both
def test_minus_zero_is_zero(kind):
    model = kind().fit([[0.0], [-0.0], [0.0], [-0.0]], [0, 1, 0, 1])
    assert model.hedgerow_tree_.n_nodes == 1


@both
def test_huge_numbers_under_random_splits(kind):
    rng = np.random.default_rng(0)
    X = rng.choice([-1.7e308, 1.7e308, 5e-324, 0.0, 1e-300], (50, 3))
    for seed in range(5):
        check(kind(splitter="random", random_state=seed).fit(X, rng.integers(0, 2, 50)).hedgerow_tree_)


@both
def test_duplicate_names(kind):
    X, y = rows()
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="'a'"):
        kind().fit(pandas.DataFrame(X, columns=["a", "b", "a"]), y)


@both
@pytest.mark.parametrize("dtype", ["datetime64[s]", "timedelta64[s]", "complex128"])
def test_dates_durations_and_complex_numbers(kind, dtype):
    with pytest.raises((TypeError, ValueError), match=r"Way|date|Complex"):
        kind().fit(np.arange(7).astype(dtype)[:, None], np.arange(7) % 2)


@both
def test_text_beside_numbers_in_a_column(kind):
    with pytest.raises(TypeError, match="mixes text and numbers"):
        kind().fit(np.array([["a"], [1], ["b"]], object), [0, 1, 0])


@both
def test_a_structured_array(kind):
    with pytest.raises((TypeError, ValueError), match=r"[Ss]tructured"):
        kind().fit(np.zeros(7, [("a", float), ("b", int)]), np.zeros(7))


@both
def test_hostile_names_and_levels(kind):
    """Strings come back as they went in, and never as markup."""
    evil = [
        "<script>alert(1)</script>",
        "a\nb",
        "",
        "%s{0}",
        "'\"\\",
        "\u202e\U0001f333",
        "x" * 10_000,
        "; DROP TABLE",
    ]
    y = [0, 1] * 4
    for name in evil:
        model = kind().fit(frame(**{name: evil * 3}), y * 3)
        assert model.schema_.names == (name,)
        assert set(model.schema_.levels[0]) == set(evil)
        np.testing.assert_array_equal(model.predict(frame(**{name: evil})), y)
        assert "<script>" not in model.to_svg()
        assert "<script>" not in model._repr_html_()
        assert model.to_text()


def test_hostile_class_names():
    X, y = rows()
    model = DecisionTreeClassifier(max_depth=2).fit(X, np.array(["<script>", "\n"])[y])
    assert "<script>" not in model.to_svg()
    assert set(model.predict(X)) == {"<script>", "\n"}


@both
def test_unseen_levels_are_no_error(kind):
    X = frame(town=["oslo", "oslo", "rome", "rome", "rome"])
    model = kind().fit(X, [0, 0, 1, 1, 1])
    assert model.predict(frame(town=["paris", "oslo"])).tolist() == [1, 0]


# --- targets ------------------------------------------------------------------------------------------------------


def test_one_class():
    X, _ = rows()
    model = DecisionTreeClassifier().fit(X, ["only"] * 37)
    assert model.hedgerow_tree_.n_nodes == 1
    assert set(model.predict(X)) == {"only"}
    np.testing.assert_array_equal(model.predict_proba(X), 1)


@both
def test_no_target(kind):
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        kind().fit(rows()[0], None)


@both
def test_a_target_of_another_length(kind):
    X, y = rows()
    with pytest.raises(ValueError, match="y has 36 entries, but X has 37 rows"):
        kind().fit(X, y[:-1])


@both
def test_a_target_that_is_a_column(kind):
    X, y = rows()
    with pytest.warns(DataConversionWarning):
        kind().fit(X, y[:, None])


def test_a_classifier_refuses_measurements():
    X, _ = rows()
    with pytest.raises(ValueError, match=r"Unknown label type|continuous"):
        DecisionTreeClassifier().fit(X, X[:, 0])


@both
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_targets_that_are_no_numbers(kind, value):
    X, y = rows()
    y = y.astype(float)
    y[3] = value
    with pytest.raises(ValueError, match=r"y contains (NaN|infinity): 1 of \d+ targets, the first in row 3"):
        kind().fit(X, y)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_missing_class_names(missing):
    X, _ = rows(5)
    with pytest.raises(ValueError, match=r"1 of 5 targets, the first in row 2"):
        DecisionTreeClassifier().fit(X, np.array(["a", "b", missing, "a", "b"], object))


def test_missing_class_names_of_pandas():
    pandas = pytest.importorskip("pandas")
    X, _ = rows(5)
    for dtype in ("string", "category", "object"):
        y = pandas.Series(["a", "b", None, "a", "b"], dtype=dtype)
        with pytest.raises(ValueError, match="NaN"):
            DecisionTreeClassifier().fit(X, y)


def test_class_names_of_mixed_kinds():
    X, _ = rows(4)
    with pytest.raises((TypeError, ValueError)) as error:
        DecisionTreeClassifier().fit(X, np.array(["a", 1, "b", 2], object))
    assert "label" in str(error.value) or "y" in str(error.value)


def test_text_for_a_regression():
    with pytest.raises(ValueError, match=r"y holds text such as 'a'.*classifier"):
        DecisionTreeRegressor().fit(rows(3)[0], ["a", "b", "c"])


@pytest.mark.parametrize("y", [[-1.0, 2, 3], [0.0, 0, 0]])
def test_poisson_wants_counts(y):
    with pytest.raises(ValueError, match="criterion='poisson' is for counts"):
        DecisionTreeRegressor(criterion="poisson").fit(rows(3)[0], y)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e-160, 1e150, 1e200, 1e300, 1.7e308])
@pytest.mark.parametrize("splitter", ["best", "random"])
def test_huge_and_tiny_targets(criterion, scale, splitter):
    """Refused in words, or learned: predictions then lie among the targets."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    y = scale * rng.choice([0.25, 0.5, 1.0] if criterion == "poisson" else [-1.0, 0.25, 1.0], 50)
    try:
        model = DecisionTreeRegressor(criterion=criterion, splitter=splitter, random_state=0).fit(X, y)
    except ValueError as error:
        assert "y" in str(error)  # noqa: PT017
        return
    answers = model.predict(X)
    assert np.isfinite(answers).all()
    assert y.min() <= answers.min() <= answers.max() <= y.max()
    if scale < 1e155:
        check(model.hedgerow_tree_)


# --- weights ------------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize(
    ("weight", "output"),
    [
        (np.full(37, -1.0), "Negative weights"),
        (np.where(np.arange(37) == 4, -1e-9, 1), "in row 4"),
        (np.where(np.arange(37) == 4, np.nan, 1), "holds nan in row 4"),
        (np.where(np.arange(37) == 4, np.inf, 1), "holds inf in row 4"),
        (np.zeros(37), "zero in every row"),
        (np.ones(36), "36 entries, but X has 37 rows"),
        (np.ones((37, 2)), "1D array"),
        (["heavy"] * 37, "could not convert"),
    ],
)
def test_wrong_weights(kind, weight, output):
    X, y = rows()
    with pytest.raises(ValueError, match=output):
        kind().fit(X, y, sample_weight=weight)


@both
def test_zero_weights_drop_rows(kind):
    X, y = rows()
    weight = (np.arange(37) % 3 > 0).astype(float)
    X[weight == 0] = 1e9  # must not be seen
    model = kind().fit(X, y, weight)
    np.testing.assert_array_equal(model.predict(X[weight > 0]), y[weight > 0])
    assert np.nanmax(model.hedgerow_tree_.threshold) < 1e8
    assert model.hedgerow_tree_.n_rows[0] == np.count_nonzero(weight)


@both
@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-200, 1e-150, 1e150, 1e200, 1e305, 1e308])
def test_huge_and_tiny_weights(kind, scale):
    """Refused in words, or the same tree as without weights: only their ratios count."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    try:
        model = kind().fit(X, y, np.full(50, scale))
    except ValueError as error:
        assert "weight" in str(error)  # noqa: PT017
        return
    np.testing.assert_array_equal(model.hedgerow_tree_.feature, kind().fit(X, y).hedgerow_tree_.feature)


@both
def test_weights_far_apart(kind):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    try:
        model = kind().fit(X, y, rng.choice([1e-300, 1e300], 50))
    except ValueError as error:
        assert "weight" in str(error)  # noqa: PT017
        return
    assert np.isfinite(model.predict(X)).all()
    check(model.hedgerow_tree_)


# --- predicting ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method", ["predict", "apply", "decision_path", "predict_proba", "get_depth", "get_n_leaves"]
)
def test_predicting_before_fitting(method):
    with pytest.raises(NotFittedError):
        getattr(DecisionTreeClassifier(), method)(*([] if method.startswith("get") else [rows()[0]]))


@both
@pytest.mark.parametrize("names", [["a"], ["a", "b", "c"], ["a", "d"], ["A", "B"]])
def test_missing_and_extra_columns(kind, names):
    X, y = rows()
    model = kind().fit(frame(a=X[:, 0], b=X[:, 1]), y)
    with pytest.raises(ValueError, match=r"[Ff]eature names|columns"):
        model.predict(frame(**dict.fromkeys(names, X[:, 0])))


@both
def test_another_number_of_columns(kind):
    X, y = rows()
    with pytest.raises(ValueError, match=r"2 (features|columns)"):
        kind().fit(X, y).predict(X[:, :2])


@both
def test_a_column_of_another_kind(kind):
    model = kind().fit(frame(town=["oslo", "rome", "oslo"]), [0, 1, 0])
    with pytest.raises(ValueError, match="'town' was text or categories in training, but now holds numbers"):
        model.predict(frame(town=[1.0, 2.0]))
    model = kind().fit(frame(size=[1.0, 2.0, 1.0]), [0, 1, 0])
    with pytest.raises(ValueError, match="'size' was numbers in training, but now holds text such as 'big'"):
        model.predict(frame(size=["big", "small"]))


@both
def test_a_column_that_has_become_empty(kind):
    """All cells missing: of no kind, so of any. The category dtype declares levels and has no cell of them."""
    pandas = pytest.importorskip("pandas")
    model = kind().fit(frame(size=[1.0, 2.0, 1.0, 5.0], town=list("abab")), [0, 1, 0, 1])
    empty = frame(size=pandas.Categorical([None, None], categories=["x"]), town=[None, None])
    holes = frame(size=[np.nan, np.nan], town=pandas.Categorical([None, None], categories=["a"]))
    np.testing.assert_array_equal(model.apply(empty), model.apply(holes))


@both
def test_n_jobs_zero(kind):
    X, y = rows()
    with pytest.raises(ValueError, match="n_jobs=0 has no meaning"):
        kind(n_jobs=0).fit(X, y)


def test_a_parameter_that_does_not_exist():
    with pytest.raises(TypeError, match="max_dept"):
        DecisionTreeClassifier(max_dept=3)
    with pytest.raises(ValueError, match="max_dept"):
        DecisionTreeClassifier().set_params(max_dept=3)


def test_whole_targets_that_a_float_would_change_are_refused():
    X = np.arange(8.0).reshape(-1, 1)
    y = 2**60 + np.arange(8)
    with pytest.raises(ValueError, match=r"1152921504606846977.*float64"):
        DecisionTreeRegressor().fit(X, y)
    assert DecisionTreeRegressor().fit(X, y.astype(float)).predict(X)[0] == 2.0**60
    assert DecisionTreeRegressor().fit(X, 2**60 + 1024 * np.arange(8)).predict(X)[1] == 2.0**60 + 1024
