"""Trees as a sum of shapes: they add up to raw, have bands, and can be replaced."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.estimators.test_hist_gradient_boosting import mixed

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor, load, save

FRAME, Y = mixed()


def place(pieces, cells):
    """Where each cell of a column stands among its pieces."""
    known = np.nan_to_num(cells)
    at = known.astype(int) if pieces.levels else np.searchsorted(pieces.ends, known, side="left")
    return np.where(np.isnan(cells), len(pieces), np.minimum(at, len(pieces)))


def added_up(shapes, rows):
    total = np.repeat(shapes.intercept[None], len(rows), axis=0)
    for shape in shapes:
        total += shape.values[place(shape.pieces, rows[:, shape.pieces.column])]
    for pair in shapes.pairs:
        a, b = (place(one, rows[:, one.column]) for one in (pair.first, pair.second))
        total += pair.values[a, b]
    return total


def table(seed, n=150):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 2)), rng.integers(0, 5, n), rng.integers(0, 3, n)])
    X[rng.random((n, 4)) < 0.15] = np.nan
    return X, np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 2]) + rng.normal(size=n)


@settings(max_examples=15)
@given(
    st.integers(0, 10**6),
    st.sampled_from([None, "no_interactions", "pairwise", [(0, 2), (1, 3)]]),
    st.sampled_from([1, 3, None]),
    st.sampled_from([0.6, 1.0]),
)
def test_shapes_add_up_to_raw_at_any_row(seed, groups, depth, subsample):
    X, y = table(seed)
    depth = 1 if groups is None else depth
    model = HistGradientBoostingRegressor(
        max_iter=8,
        max_depth=depth,
        interaction_cst=groups,
        categorical_features=[2, 3],
        min_samples_leaf=4,
        subsample=subsample,
        random_state=0,
    )
    model.fit(X, y)
    other, _ = table(seed + 1)
    other[:5, 2] = 9  # a level never seen
    for rows in (X, other):
        cells, _ = model._rows(rows)
        cells = np.where(cells >= 5, np.nan, cells) if rows is other else cells
        np.testing.assert_allclose(added_up(model.additive(), cells)[:, 0], model.predict(rows), atol=1e-9)


def test_shapes_have_mean_zero_over_training_rows_and_count_them():
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=60).fit(FRAME, Y)
    shapes = model.additive()
    rows, _ = model._rows(FRAME)
    for shape in shapes:
        at = place(shape.pieces, rows[:, shape.pieces.column])
        assert abs(shape.values[at, 0].mean()) < 1e-9
        counted = np.bincount(at, minlength=len(shape.values))
        assert shape.rows.sum() == pytest.approx(len(FRAME))
        told_apart = np.unique(shape.values[:, 0], return_inverse=True)[1]
        np.testing.assert_allclose(np.bincount(told_apart, shape.rows), np.bincount(told_apart, counted))
    assert shapes["town"].rows[-1] == 0
    assert shapes["age"].rows[-1] > 0
    assert shapes.outputs == ("log odds of yes",)
    assert "age" in str(shapes)
    assert shapes["town"].levels[0] == "Aix"
    with pytest.raises(KeyError, match="Did you mean 'town'"):
        shapes["tow"]


def test_more_than_two_columns_in_a_branch_are_no_shapes():
    X, y = table(0)
    with pytest.raises(ValueError, match=r"interaction_cst='no_interactions'"):
        HistGradientBoostingRegressor(max_iter=5, min_samples_leaf=4).fit(X, y).additive()


@pytest.mark.slow
def test_bands_are_those_of_refits_and_narrow_with_rows():
    frame, y = mixed(2_000)
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=30).fit(frame, y)
    wide = {}
    for n in (400, 2_000):
        model.fit(frame[:n], y[:n])
        shapes = model.additive(frame[:n], y[:n], n_refits=8)
        town = shapes["town"]
        assert np.all(town.low <= town.values)
        wide[n] = float((town.high - town.low)[:-1].mean())
        again = model.additive(frame[:n], y[:n], n_refits=8)
        np.testing.assert_array_equal(again["age"].high, shapes["age"].high)
    assert 0 < wide[2_000] < 0.8 * wide[400]
    assert "8 refits" in str(shapes)
    with pytest.raises(ValueError, match="Bands want X and y"):
        model.additive(frame)


def test_bands_want_the_training_rows():
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=5).fit(FRAME, Y)
    for other in (FRAME[["age"]], FRAME.assign(town="Bonn")):
        with pytest.raises(ValueError, match="Give the training rows"):
            model.additive(other, Y, n_refits=2)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_shape_replaced_by_itself_changes_nothing(n_classes):
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, len(FRAME)) + np.isin(FRAME["town"], ["Bonn", "Faro"])
    y = np.minimum(y, n_classes - 1)
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=20).fit(FRAME, y)
    new = FRAME.head(60).copy()
    new.loc[:4, "town"] = "Zug"
    for shape in model.additive():
        edited = model.replace_shape(shape)
        np.testing.assert_allclose(
            edited.decision_function(new), model.decision_function(new), rtol=0, atol=1e-9
        )
        assert edited.n_iter_ == model.n_iter_ + 1
    np.testing.assert_allclose(edited.feature_importances_, model.feature_importances_)


def test_an_edit_to_constants_is_what_the_model_says_then(tmp_path):
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=40).fit(FRAME, Y)
    before = model.predict_proba(FRAME)
    shapes = model.additive()
    flat = shapes["age"].set_constant(above=20.0, up_to=61.5)
    towns = shapes["town"].set_constant(0.25, levels=["Bonn", "Cork"])
    edited = model.replace_shape(flat).replace_shape(towns)
    np.testing.assert_array_equal(model.predict_proba(FRAME), before)
    rows = FRAME.head(9).assign(town="Bonn")
    middle = [edited.decision_function(rows.assign(age=age)) for age in (20.1, 40.0, 61.5)]
    np.testing.assert_array_equal(middle[0], middle[1])
    np.testing.assert_array_equal(middle[0], middle[2])
    assert not np.array_equal(middle[0], edited.decision_function(rows.assign(age=80.0)))
    np.testing.assert_array_equal(
        edited.decision_function(rows), edited.decision_function(rows.assign(town="Cork"))
    )
    np.testing.assert_allclose(edited.explain(rows).prediction, edited.decision_function(rows), atol=1e-9)
    save(edited, tmp_path / "edited.hedgerow")
    loaded = load(tmp_path / "edited.hedgerow")
    assert loaded.predict_proba(FRAME).tobytes() == edited.predict_proba(FRAME).tobytes()
    out = model.replace_shape(shapes["town"].set_constant())
    assert len({out.decision_function(FRAME.head(1).assign(town=t))[0] for t in ("Aix", "Bonn", "?")}) == 1


@pytest.mark.parametrize(
    ("column", "given", "message"),
    [
        ("age", {"levels": ["Bonn"]}, "has no levels"),
        ("age", {"above": 50.0, "up_to": 20.0}, "no cell lies between"),
        ("town", {"above": 1.0}, "cannot be cut"),
        ("town", {"levels": ["Born"]}, "Did you mean 'Bonn'"),
        ("age", {"value": np.nan}, "no number"),
        ("age", {"value": [1.0, 2.0]}, "one for each of the 1 outputs"),
        ("town", {"levels": "Born"}, "Did you mean 'Bonn'"),
    ],
)
def test_edits_that_cannot_be_are_named(column, given, message):
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=30).fit(FRAME, Y)
    with pytest.raises(ValueError, match=message):
        model.additive()[column].set_constant(**given)


def test_a_shape_of_another_model_is_refused():
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=5).fit(FRAME, Y)
    other = HistGradientBoostingRegressor(max_depth=1, max_iter=5).fit(*table(0))
    with pytest.raises(ValueError, match="does not have so"):
        model.replace_shape(other.additive()[0])


def test_pictures_of_shapes_have_a_panel_for_each():
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=20).fit(FRAME, Y)
    figure = model.additive(FRAME, Y, n_refits=3).draw()
    assert [ax.get_title(loc="left") for ax in figure.axes if ax.get_visible()] == ["town", "age"]
    X, y = table(0)
    pairs = HistGradientBoostingRegressor(
        interaction_cst="pairwise", max_iter=4, min_samples_leaf=4, categorical_features=[2]
    ).fit(X, y)
    assert len(pairs.additive().draw(most=4).axes) >= 4
