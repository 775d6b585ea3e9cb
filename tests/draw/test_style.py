"""Every kind of picture: none is left open in pyplot, and all are drawn without a display."""

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot

import hedgerow
from hedgerow import datasets
from hedgerow.draw import style
from hedgerow.draw.learning import draw_majority_vote
from hedgerow.draw.plane import draw_boundaries, draw_boundary
from hedgerow.draw.svm import draw_margins, draw_mixture, draw_progress, look_alike_mixture
from hedgerow.estimators.comparison import compare_prunings

RNG = np.random.default_rng(3)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + RNG.normal(size=120) > 0).astype(int)
PLANE, SIDES = look_alike_mixture(80)


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """What is drawn, by a name of its own."""
    tree = hedgerow.DecisionTreeClassifier(prune="cost_complexity").fit(X, Y)
    forest = hedgerow.RandomForestClassifier(15, random_state=0).fit(X, Y)
    boosted = hedgerow.AdaBoostClassifier(n_estimators=6).fit(PLANE, SIDES)
    numbers = hedgerow.AdaBoostRegressor(n_estimators=4).fit(X, X[:, 0])
    machine = hedgerow.SVC().fit(PLANE, SIDES)
    stump = hedgerow.DecisionTreeClassifier(max_depth=2)
    evaluation = hedgerow.evaluate(stump, X, Y)
    regression = hedgerow.evaluate(hedgerow.DecisionTreeRegressor(max_depth=2), X, X[:, 0])
    found = boosted.diagnose(PLANE, SIDES)
    return {
        "tree": tree.draw,
        "cp table": tree.cp_table_.draw,
        "prunings": compare_prunings(stump, X, Y).draw,
        "growth": hedgerow.compare_growth(
            hedgerow.OptimalTreeClassifier(max_thresholds=3), X, Y, sizes=(2, 4)
        ).draw,
        "stability": hedgerow.stability(stump, X, Y, n_replicas=5).draw,
        "importance": forest.importance("impurity").draw,
        "explanation": forest.explain(X[:1]).draw,
        "out of bag": forest.oob_.draw,
        "max features": hedgerow.compare_max_features(forest, X, Y).draw,
        "majority": lambda: draw_majority_vote(lambda n: 0.3 / n),
        "boundary": lambda: draw_boundary(machine, PLANE, SIDES, steps=20),
        "boundaries": lambda: draw_boundaries({"a": machine, "b": boosted}, PLANE, SIDES, steps=20),
        "rounds": found.rounds.draw,
        "margin curves": found.margins.draw,
        "additive": found.additive.draw,
        "plane": lambda: boosted.draw_rounds(PLANE, SIDES),
        "numbers": numbers.diagnose(X, X[:, 0]).draw,
        "margins": lambda: draw_margins(machine, PLANE, SIDES),
        "mixture": lambda: draw_mixture([machine] * 4, PLANE, SIDES, list("abcd")),
        "progress": lambda: draw_progress(machine.progress_[0]),
        "steps": machine.trace_steps(PLANE, SIDES).draw,
        "slacks": machine.slacks(PLANE, SIDES).draw,
        "path": hedgerow.svm_path(machine, PLANE, SIDES, C=[0.1, 1], gamma=[1.0], cv=2).draw,
        "evaluation": evaluation.draw,
        "residuals": regression.residuals().draw,
        "learning curve": hedgerow.learning_curve(stump, X, Y).draw,
        "validation curve": hedgerow.validation_curve(stump, X, Y, "max_depth", [1, 2]).draw,
        "comparison": hedgerow.compare({"a": stump, "b": hedgerow.SVC()}, X, Y).draw,
        "bias and variance": hedgerow.bias_variance(stump, X, Y, n_draws=5, progress=False).draw,
    }


def test_no_figure_is_left_open(made: dict[str, Any]) -> None:
    before = pyplot.get_fignums()
    assert len(made) > 20  # as many as pyplot holds without a warning
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, draw in made.items():
            draw()
            assert pyplot.get_fignums() == before, name
        for _ in range(25):
            made["out of bag"]()


@pytest.mark.slow
def test_pictures_need_no_pyplot() -> None:
    code = (
        "import numpy as np, hedgerow; X = np.random.default_rng(0).normal(size=(60, 2))\n"
        "model = hedgerow.DecisionTreeClassifier(prune='cost_complexity').fit(X, X[:, 0] > 0)\n"
        "model.draw().figure.canvas.draw(); model.cp_table_.draw().figure.canvas.draw()\n"
        "import sys; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"], check=True)


def test_in_a_notebook_pyplot_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class ZMQInteractiveShell:
        """What IPython calls the shell of a notebook."""

    class IPython:
        get_ipython = ZMQInteractiveShell

    assert not style._in_notebook()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "IPython", IPython)
        assert style._in_notebook()
    monkeypatch.setattr(style, "_in_notebook", lambda: True)
    figure = style.new_figure((3, 2))
    assert pyplot.figure(figure.number) is figure
    pyplot.close(figure)


def test_saved_twice_alike(tmp_path: Any) -> None:
    tree = hedgerow.DecisionTreeClassifier(max_depth=2).fit(*_play())
    for ending in ("svg", "png"):
        files = [tmp_path / f"{k}.{ending}" for k in (1, 2)]
        for file in files:
            style.save(tree.draw().figure, file)
        assert files[0].read_bytes() == files[1].read_bytes()


def _play() -> tuple[Any, Any]:
    points = datasets.ten_points()
    return points.table, points.target


def test_panels_hide_what_is_left_over() -> None:
    figure, places = style.panels(5, 3, (2, 2))
    assert len(places) == 5
    assert [ax.get_visible() for ax in figure.axes] == [True] * 5 + [False]
    assert tuple(figure.get_size_inches()) == (6, 4)


def test_labels_are_not_mathematics() -> None:
    assert style.label("$a$") == r"\$a\$"
    assert len(style.label("a" * 90, 12)) == 12
