import subprocess
import sys
from typing import Any

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch

from hedgerow.draw.tree import draw_tree
from tree.examples import EXAMPLES, hostile, titanic


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_draws_on_an_axes_it_is_given(example: Any) -> None:
    ax = Figure(figsize=(5, 4)).add_subplot()
    assert draw_tree(*example(), ax=ax) is ax
    ax.figure.canvas.draw()


def test_makes_a_figure_of_fitting_size() -> None:
    ax = draw_tree(*titanic())
    width, height = ax.figure.get_size_inches()
    assert width / height == pytest.approx(ax.get_xlim()[1] / ax.get_ylim()[0])


def test_one_card_per_node_and_all_ink_inside() -> None:
    ax = draw_tree(*hostile(), ax=Figure().add_subplot())
    assert sum(isinstance(patch, FancyBboxPatch) for patch in ax.patches) == 7
    for patch in ax.patches:
        if isinstance(patch, PathPatch):
            box = patch.get_path().get_extents()
            assert 0 <= box.x0 <= box.x1 <= ax.get_xlim()[1]
            assert 0 <= box.y0 <= box.y1 <= ax.get_ylim()[0]


def test_a_text_is_outlined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It took most of the time of a picture."""
    draw_tree(*titanic())
    monkeypatch.setattr("matplotlib.textpath.text_to_path.get_text_path", None)
    draw_tree(*titanic())


def test_pyplot_is_left_alone_when_an_axes_is_given() -> None:
    code = (
        "import sys, hedgerow.draw.tree as d; assert 'matplotlib' not in sys.modules\n"
        "from tree.examples import titanic; from matplotlib.figure import Figure\n"
        "d.draw_tree(*titanic(), ax=Figure().add_subplot()); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"], check=True)
