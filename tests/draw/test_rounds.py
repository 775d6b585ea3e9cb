"""The pictures of boosting say what the numbers say."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from hedgerow import datasets
from hedgerow.boost import BoostInput, BoostOptions, Votes, boost, rows_of_matrix, signs_of
from hedgerow.boost.diagnose import diagnose
from hedgerow.boost.plane import draw_in_plane
from hedgerow.boost.weak.stump import Stump
from hedgerow.encode import schema_of
from hedgerow.table import to_table


def boosted(rows, target, n_rounds=3, learner=None):
    base = np.full(rows.n_rows, 1 / rows.n_rows)
    return boost(
        learner or Stump(), rows, target, base, BoostOptions(n_rounds=n_rounds), np.random.default_rng(0)
    )


def ten_points():
    points = datasets.ten_points()
    rows = BoostInput(10, points.table.names, points.table, schema_of(points.table))
    return rows, (points.target == 1).astype(np.int32)


def titles(figure):
    return [ax.get_title() for ax in figure.axes if ax.get_visible()]


def test_the_three_rounds_of_the_lecture_and_what_they_make_together():
    rows, codes = ten_points()
    figure = draw_in_plane(boosted(rows, signs_of(codes, 2)), rows, codes, ("-", "+"))
    assert titles(figure) == [
        "Round 1:  ε = 0.30,  α = 0.42",
        "Round 2:  ε = 0.21,  α = 0.65",
        "Round 3:  ε = 0.14,  α = 0.92",
        "All 3 rounds:  error 0.0%",
    ]
    rings = [ax.collections[-1].get_offsets() for ax in figure.axes]
    assert [len(ring) for ring in rings] == [3, 3, 3, 0]
    sizes = {}  # before round 2 the mistakes of round 1 are the heaviest
    for marks in figure.axes[1].collections[:-1]:
        for place, size in zip(marks.get_offsets().tolist(), marks.get_sizes(), strict=True):
            sizes[tuple(place)] = float(size)
    heavy = {tuple(place) for place in rings[0].tolist()}
    assert min(sizes[place] for place in heavy) > max(v for place, v in sizes.items() if place not in heavy)
    figure.canvas.draw()


@pytest.mark.slow
def test_more_classes_more_rounds_and_silence():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2))
    codes = np.digitize(x[:, 0], [-0.5, 0.5]).astype(np.int32)
    rows = rows_of_matrix(x)
    for target, learner in ((Votes(codes, 3), None), (signs_of(codes, 3), Stump("abstaining"))):
        figure = draw_in_plane(boosted(rows, target, 6, learner), rows, codes, ("a", "b", "c"), most=6)
        assert len(titles(figure)) == 7
        figure.canvas.draw()


def test_only_planes_are_drawn():
    x = np.random.default_rng(0).normal(size=(20, 3))
    rows, codes = rows_of_matrix(x), (x[:, 0] > 0).astype(np.int32)
    with pytest.raises(ValueError, match="have 3 columns"):
        draw_in_plane(boosted(rows, signs_of(codes, 2)), rows, codes, ("a", "b"))


def diagnosis(n_rounds=70, many=2):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(90, 4))
    codes = np.digitize(x[:, 0] + rng.normal(size=90), np.linspace(-0.6, 0.6, many - 1)).astype(np.int32)
    rows = rows_of_matrix(x)
    rounds = boosted(rows, signs_of(codes, many), n_rounds)
    return diagnose(rounds, rows, codes, tuple("abcd"[:many]), test=(rows_of_matrix(x[:30]), codes[:30]))


def test_errors_and_their_bound():
    table = diagnosis().rounds
    ax = table.draw()
    lines = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    np.testing.assert_allclose(lines["training error"], table.error)
    np.testing.assert_allclose(lines["test error"], table.test_error)
    np.testing.assert_allclose(lines["bound of the training error"], table.bound)
    assert ax.get_xscale() == "log"
    assert diagnosis(4).rounds.draw().get_xscale() == "linear"


def test_margin_curves():
    margins = diagnosis().margins
    ax = margins.draw()
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert words == ["1 round", "5 rounds", "10 rounds", "50 rounds", f"{margins.after[-1]} rounds"]
    for line in ax.get_lines()[1:]:
        assert (np.diff(line.get_ydata()) >= 0).all()
        assert line.get_ydata()[-1] == pytest.approx(1)


@pytest.mark.parametrize("many", [2, 3])
def test_additive_panels(many):
    additive = diagnosis(30, many).additive
    figure = additive.draw(most=3)
    assert titles(figure) == [shape.name for shape in additive.shapes[:3]]
    figure.canvas.draw()


@pytest.mark.slow
def test_additive_panels_of_categories_and_missing_cells():
    heart = datasets.heart()
    rows = BoostInput(heart.table.n_rows, heart.table.names, heart.table, schema_of(heart.table))
    codes = heart.target.astype(np.int32)
    found = diagnose(boosted(rows, signs_of(codes, 2), 40), rows, codes, ("no", "yes"))
    figure = found.additive.draw(most=9)
    labels = {text.get_text() for ax in figure.axes for text in ax.texts}
    assert "missing" in labels
    figure.canvas.draw()


def test_names_are_not_mathematics():
    names = ("$a_{", "b\x1b[31m$")
    table = to_table({names[0]: [1.0, 2.0, 3.0, 4.0], names[1]: ["$x$", "$y_$", "$x$", "\u202e$"]})
    rows = BoostInput(4, table.names, table, schema_of(table))
    codes = np.array([0, 1, 0, 1], np.int32)
    rounds = boosted(rows, signs_of(codes, 2), 5)
    diagnose(rounds, rows, codes, names).additive.draw().canvas.draw()
    numbers = rows_of_matrix(np.array([[0.0, 1], [1, 0], [2, 3], [3, 1]]))
    draw_in_plane(boosted(numbers, signs_of(codes, 2)), numbers, codes, names).canvas.draw()


def test_on_axes_of_ones_own():
    figure = Figure()
    axes = figure.subplots(1, 2)
    found = diagnosis(5)
    assert found.rounds.draw(ax=axes[0]) is axes[0]
    assert found.margins.draw(ax=axes[1]) is axes[1]
    figure.canvas.draw()
