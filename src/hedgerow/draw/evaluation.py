"""All curves of an Evaluation on one figure.   In: an Evaluation.   Out: a Figure."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_evaluation(evaluation: Any) -> Any:
    from matplotlib import pyplot

    panels = _panels(evaluation)
    across = min(3, len(panels))
    down = -(-len(panels) // across)
    figure, grid = pyplot.subplots(
        down, across, figsize=(4.6 * across, 4.4 * down), layout="constrained", squeeze=False
    )
    for ax, draw in zip(grid.flat, panels, strict=False):
        draw(ax)
    for ax in list(grid.flat)[len(panels) :]:
        ax.set_visible(False)
    return figure


def _panels(evaluation: Any) -> "list[Callable[[Axes], Any]]":
    if evaluation.data.classes is None:
        return [lambda ax: evaluation.residuals().draw(ax=ax)]
    panels: list[Callable[[Axes], Any]] = [lambda ax: evaluation.confusion().draw(ax=ax)]
    guesses = [answer.guess for answer in evaluation.answers if answer.guess is not None]
    ordered = all(guess.order is not None for guess in guesses)
    if ordered and evaluation.data.is_binary:
        panels += [
            lambda ax: evaluation.roc().draw(ax=ax),
            lambda ax: evaluation.precision_recall().draw(ax=ax),
        ]
    if evaluation.data.is_binary and all(guess.chances is not None for guess in guesses):
        panels += [
            lambda ax: evaluation.calibration().draw(ax=ax),
            lambda ax: evaluation.threshold().draw(ax=ax),
        ]
    if ordered:
        panels.append(lambda ax: evaluation.coverage_risk().draw(ax=ax))
    return panels
