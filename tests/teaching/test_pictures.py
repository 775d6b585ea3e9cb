import numpy as np
import pytest

from hedgerow import SVC, AdaBoostClassifier, DecisionTreeClassifier, datasets, teaching
from hedgerow.formulas import entropy, exponential_loss
from hedgerow.teaching import pictures

pytest.importorskip("matplotlib")


def test_curves_are_those_of_the_formulas():
    lines = {line.get_label(): line for line in pictures.draw_impurities().lines}
    x, y = lines["entropy, in bits"].get_data()
    assert y[50] == pytest.approx(entropy([x[50], 1 - x[50]]))
    losses = {line.get_label(): line for line in pictures.draw_surrogate_losses().lines}
    x, y = losses["exponential: boosting"].get_data()
    assert y == pytest.approx(exponential_loss(x))
    _, hinge = losses["hinge: support vector machines"].get_data()
    assert (hinge >= (x < 0)).all()


def test_several_roc_curves_are_told_apart_by_name_and_colour():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = np.where(X[:, 0] + rng.normal(size=90) > 0, "a", "b")
    models = {"stump": DecisionTreeClassifier(max_depth=1).fit(X, y), "machine": SVC().fit(X, y)}
    ax = pictures.draw_rocs(models, X, y, positive="a")
    named = [line for line in ax.lines if ":" in str(line.get_label())]
    assert [line.get_label().split(":")[0] for line in named] == ["stump", "machine"]
    assert len({line.get_color() for line in named}) == 2
    for line in named:
        assert [line.get_xydata()[0].tolist(), line.get_xydata()[-1].tolist()] == [[0, 0], [1, 1]]


def test_margins_narrow_as_C_grows():
    points = datasets.ten_points()
    X = np.column_stack([column.values for column in points.table.columns]).astype(float)
    machines = [SVC(kernel="linear", C=C).fit(X, points.target) for C in (0.1, 0.01, 1)]
    ax = pictures.draw_margin_widths(machines)
    x, widths = ax.lines[0].get_data()
    assert list(x) == [0.01, 0.1, 1]
    assert (np.diff(widths) < 0).all()


def test_weights_and_thresholds_are_drawn():
    points = datasets.ten_points()
    model = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
    found = teaching.trace_weights(model, points.table, points.target)
    assert len([line for line in found.draw().lines if len(line.get_xdata()) == 4]) == 10
    scores = teaching.score_thresholds(points.table.columns[0].values, points.target)
    assert scores.draw().lines[0].get_ydata() == pytest.approx(scores.gain)
