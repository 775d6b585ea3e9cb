"""A network with one hidden layer, drawn.   In: a Network.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.draw.style import BLUE, INK, PAPER, RED, SOFT, axes_for, label
from hedgerow.types import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLACES = (0.0, 1.0, 1.75, 2.3)  # of inputs, units, the sum, the outer Z


def draw_network(network: Any, *, most: int = 12, ax: "Axes | None" = None) -> "Axes":
    """Inputs, units and the score; a line is as wide as its weight, blue above zero, red below. Of more inputs or units
    than `most` those of the largest weights are drawn. The last circle is the outer Z, which makes a confidence between
    -1 and 1 of the score."""
    outer = np.abs(network.output).max(axis=0)
    units = np.sort(np.argsort(-outer, kind="stable")[:most])
    strength = (np.abs(network.hidden[units]) * outer[units, None]).sum(axis=0)
    inputs = np.sort(np.argsort(-strength, kind="stable")[:most])
    ax = axes_for(ax, (8.0, 0.42 * max(len(inputs), len(units)) + 1.4))
    left, middle = _heights(len(inputs)), _heights(len(units))
    hidden = network.hidden[np.ix_(units, inputs)]
    scores = _heights(len(network.intercept))
    for k, unit in enumerate(middle):
        for j, one in enumerate(left):
            _line(ax, (PLACES[0], one), (PLACES[1], unit), hidden[k, j], float(np.abs(hidden).max()))
        for s, end in enumerate(scores):
            _line(ax, (PLACES[1], unit), (PLACES[2], end), network.output[s, units[k]], float(outer.max()))
    for end in scores:
        ax.plot([PLACES[2], PLACES[3]], [end, end], color=SOFT, linewidth=1, zorder=1)
    _circles(ax, PLACES[0], left, ["x"] * len(left))
    _circles(ax, PLACES[1], middle, ["Z"] * len(middle))
    _circles(ax, PLACES[2], scores, ["Σ"] * len(scores))
    _circles(ax, PLACES[3], scores, ["Z"] * len(scores))
    for j, one in zip(inputs, left, strict=True):
        ax.text(
            PLACES[0] - 0.07,
            one,
            label(network.inputs.names[j], 26),
            ha="right",
            va="center",
            fontsize=8.5,
            color=INK,
        )
    rest = network.hidden.shape[1] - len(inputs), network.n_units - len(units)
    words = [many(n, word) for n, word in zip(rest, ("input", "unit"), strict=True) if n]
    if words:
        ax.set_title(f"{' and '.join(words)} of smaller weights are not drawn", fontsize=8.5, color=SOFT)
    ax.set_xlim(-0.9, 2.5)
    ax.set_axis_off()
    return ax


def _heights(n: int) -> Float:
    return np.linspace((n - 1) / 2, -(n - 1) / 2, n)


def _line(
    ax: "Axes", start: tuple[float, float], end: tuple[float, float], weight: float, largest: float
) -> None:
    part = abs(weight) / largest if largest > 0 else 0.0
    colour = BLUE if weight > 0 else RED
    ax.plot(
        *zip(start, end, strict=True),
        color=colour,
        linewidth=0.2 + 3.2 * part,
        alpha=0.15 + 0.7 * part,
        zorder=1,
    )


def _circles(ax: "Axes", x: float, heights: Float, texts: list[str]) -> None:
    ax.scatter(
        np.full(len(heights), x), heights, s=190, facecolors=PAPER, edgecolors=INK, linewidths=1, zorder=2
    )
    for y, text in zip(heights, texts, strict=True):
        ax.text(x, y, text, ha="center", va="center", fontsize=9, color=INK, zorder=3)
