"""The additive view drawn.   In: an Additive.   Out: the Figure, a curve or bars for each of the widest columns."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.boost.additive import Additive, Shape
from hedgerow.draw.plain import LINES, plain, quiet
from hedgerow.tree.picture.colours import CLASSES, INK, LINE, SOFT
from hedgerow.types import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LEVELS = 12


def draw_additive(additive: Additive, *, most: int = 6) -> "Figure":
    """All panels share the scale of the score, so that wide columns look wide."""
    from matplotlib import pyplot

    shapes = additive.shapes[:most]
    if not shapes:
        raise ValueError("No column is asked about, so that there is nothing to draw.")
    columns = min(3, len(shapes))
    lines = -(-len(shapes) // columns)
    figure: Figure
    figure, axes = pyplot.subplots(
        lines, columns, figsize=(3.3 * columns, 2.7 * lines), layout="constrained", squeeze=False, sharey=True
    )
    for ax, shape in zip(axes.flat, shapes, strict=False):
        ax.axhline(0, color=LINE, linewidth=0.8, zorder=1)
        if shape.levels:
            _bars(ax, shape)
        else:
            _steps(ax, shape)
        if shape.has_missing:
            _missing(ax, shape.missing)
        ax.set_title(plain(shape.name), fontsize=10, color=INK)
        quiet(ax)
    for ax in axes.flat[len(shapes) :]:
        ax.set_visible(False)
    one = shapes[0].scores.shape[1] == 1
    axes[0, 0].set_ylabel(f"score towards {plain(additive.classes[1])}" if one else "score", fontsize=9)
    if not one:
        _legend(figure, additive.classes)
    return figure


def _colour(k: int, many: int) -> str:
    return LINES[0] if many == 1 else CLASSES[k % len(CLASSES)]


def _steps(ax: "Axes", shape: Shape) -> None:
    low, high = _ends(shape.ends)
    places = np.concatenate([[low], shape.ends, [high]])
    many = shape.scores.shape[1]
    for k in range(many):
        values = np.append(shape.scores[:, k], shape.scores[-1, k])
        ax.step(places, values, where="post", color=_colour(k, many), linewidth=1.5, zorder=2)
    ax.plot(shape.ends, np.zeros(len(shape.ends)), "|", color=SOFT, markersize=5, zorder=1)


def _ends(ends: Float) -> tuple[float, float]:
    """A little beyond the first and the last threshold."""
    room = 0.12 * float(np.ptp(ends)) if len(ends) > 1 else 0.5 * abs(float(ends[0])) or 1.0
    return float(ends[0]) - room, float(ends[-1]) + room


def _bars(ax: "Axes", shape: Shape) -> None:
    many = shape.scores.shape[1]
    shown = np.argsort(-np.abs(shape.scores).max(axis=1), kind="stable")[:MOST_LEVELS]
    shown = np.sort(shown)
    width = 0.8 / many
    for k in range(many):
        places = np.arange(len(shown)) + (k - (many - 1) / 2) * width
        ax.bar(places, shape.scores[shown, k], width=width, color=_colour(k, many), zorder=2)
    names = [plain(shape.levels[i], 12) for i in shown]
    turned = 45 if sum(map(len, names)) > 24 else 0
    ax.set_xticks(
        np.arange(len(shown)), names, fontsize=8, rotation=turned, ha="right" if turned else "center"
    )


def _missing(ax: "Axes", missing: Float) -> None:
    for k, score in enumerate(missing):
        ax.plot(
            1.0,
            score,
            marker="<",
            color=_colour(k, len(missing)),
            transform=ax.get_yaxis_transform(),
            clip_on=False,
        )
    ax.annotate(
        "missing",
        (1.0, missing[0]),
        xycoords=ax.get_yaxis_transform(),
        xytext=(-6, 3),
        textcoords="offset points",
        ha="right",
        fontsize=7.5,
        color=SOFT,
    )


def _legend(figure: "Figure", classes: tuple[str, ...]) -> None:
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], color=_colour(k, 2), label=plain(name)) for k, name in enumerate(classes)]
    figure.legend(
        handles=marks, loc="outside lower center", ncols=min(len(marks), 8), frameon=False, fontsize=9
    )
