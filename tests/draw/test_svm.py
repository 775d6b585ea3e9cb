"""Pictures of margins: they are made, they show what the machine says, and wrong input is refused."""

import numpy as np
import pytest

from hedgerow import SVC, SVR, LinearSVC, svm_path
from hedgerow.draw.svm import draw_margins, draw_mixture, draw_path, draw_progress, look_alike_mixture


def test_margins_count_support_points():
    X, y = look_alike_mixture()
    model = LinearSVC(loss="hinge", C=1.0).fit(X, y)
    ax = draw_margins(model, X, y)
    score = np.where(y == 1, 1, -1) * model.decision_function(X)
    assert f"{(score <= 1.01).mean():.0%}" in ax.get_xlabel()


def test_the_two_by_two():
    X, y = look_alike_mixture()
    machines = [
        SVC(kernel="linear", C=100).fit(X, y),
        SVC(kernel="linear", C=0.01).fit(X, y),
        SVC(kernel="poly", degree=4, gamma=1.0, coef0=1.0).fit(X, y),
        SVC(kernel="rbf", gamma=1.0).fit(X, y),
    ]
    shares = [len(model.support_) / len(X) for model in machines]
    assert shares[0] == pytest.approx(0.62, abs=0.05)  # as in the lecture's own mixture
    assert shares[1] == pytest.approx(0.85, abs=0.05)
    figure = draw_mixture(machines, X, y, ["a", "b", "c", "d"])
    assert [ax.get_title() for ax in figure.axes] == ["a", "b", "c", "d"]


def test_progress_and_path():
    X, y = look_alike_mixture()
    model = LinearSVC(loss="hinge").fit(X, y)
    line = draw_progress(model.progress_[0]).lines[0].get_ydata()
    assert (np.diff(line) <= 0).all()
    assert draw_path(svm_path(SVC(), X, y, C=[0.1, 1], gamma=[0.1, 1], cv=3)).get_xlabel() == "C"
    svm_path(LinearSVC(), X, y, C=[0.1, 1], cv=3).draw()


def test_wrong_input():
    X = np.random.default_rng(0).normal(size=(20, 3))
    y = np.arange(20) % 2
    with pytest.raises(ValueError, match="2 columns and 2 classes"):
        draw_margins(LinearSVC().fit(X, y), X, y)
    with pytest.raises(ValueError, match="seconds, primal, dual"):
        draw_progress(np.zeros((3, 4)))


def test_names_bring_scales_and_a_legend():
    X, y = look_alike_mixture()
    ax = draw_margins(SVC(gamma=1.0).fit(X, y), X, y, names=("east", "north"))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("east", "north")
    assert "support points" in ax.get_title()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["0", "1"]


def test_slack_ends_on_the_margin():
    """Of a plane, a line from each row within the margin to where it should stand; whatever the units."""
    X, y = look_alike_mixture()
    X = X * [100.0, 0.01]
    model = LinearSVC(loss="hinge", standardize=True).fit(X, y)
    lines = next(c for c in draw_margins(model, X, y).collections if type(c).__name__ == "LineCollection")
    ends = np.array([line[-1] for line in lines.get_segments()])
    assert len(ends) == (np.where(y == 1, 1, -1) * model.decision_function(X) < 0.99).sum()
    assert np.allclose(np.abs(model.decision_function(ends)), 1.0)


def test_rings_grow_with_slack():
    X, y = look_alike_mixture()
    sizes = draw_margins(SVC(gamma=1.0, C=0.1).fit(X, y), X, y).collections[-2].get_sizes()
    assert len(np.unique(sizes)) > 10


def test_many_rows_are_drawn_as_dots():
    X, y = look_alike_mixture(2400)
    ax = draw_margins(LinearSVC(loss="hinge").fit(X, y), X, y)
    assert not any(type(c).__name__ == "LineCollection" for c in ax.collections)


def test_progress_of_a_kernel():
    X, y = look_alike_mixture()
    ax = draw_progress(SVC().fit(X, y).progress_[0])
    assert ax.get_ylabel() == "largest KKT violation"
    assert draw_progress(SVR().fit(X, y).progress_).get_ylabel() == "largest KKT violation"
