"""Pictures of boosting.   In: a RoundTable, Margins, an Additive, a NumberDiagnosis, perhaps an Axes.   Out: the Axes,
or the Figure.
"""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.draw.style import (
    CLASSES,
    DASHES,
    DEEP,
    INK,
    LINE,
    LINES,
    PAPER,
    SOFT,
    axes_for,
    label,
    legend,
    mix,
    panels,
    style_axes,
)
from hedgerow.types import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hedgerow.boost.additive import Additive, Shape
    from hedgerow.boost.diagnose_numbers import NumberDiagnosis
    from hedgerow.boost.margins import Margins
    from hedgerow.boost.round_table import RoundTable

LONG = 50  # rounds; beyond, the axis is logarithmic: most happens at the beginning
MOST_LEVELS = 12
PALE = "#c6dbef"


def draw_errors(table: "RoundTable", *, ax: "Axes | None" = None) -> "Axes":
    """Training and test error over the rounds, and the bound that the training error cannot exceed."""
    ax = axes_for(ax, (7.2, 4.4))
    x = np.arange(1, len(table) + 1)
    lines = [
        ("training error", table.error, LINES[0], "-"),
        ("error on held-out rows", table.checked, LINES[2], "-"),
        ("test error", table.test_error, LINES[1], "-"),
        ("bound of the training error", table.bound, SOFT, DASHES),
    ]
    for name, values, colour, style in lines:
        if values is not None:
            marker = "o" if len(x) <= 12 else ""
            ax.plot(
                x,
                values,
                color=colour,
                linestyle=style,
                linewidth=1.4,
                marker=marker,
                markersize=4,
                label=name,
            )
    _mark_least(ax, table)
    if len(x) > LONG:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    elif len(x) <= 12:
        ax.set_xticks(x)
    top = float(np.max([np.nanmax(v) for _, v, _, _ in lines[:3] if v is not None], initial=0.0))
    ax.set_ylim(0, min(max(1.0, top), max(2.2 * top, 0.02)))
    ax.set_xlabel("rounds")
    ax.set_ylabel("share of the rows")
    style_axes(ax)
    legend(ax)
    return ax


def _mark_least(ax: "Axes", table: "RoundTable") -> None:
    if table.test_error is None or len(table) < 2:
        return
    best = int(np.argmin(table.test_error))
    least = float(table.test_error[best])
    ax.plot(best + 1, least, "o", mfc="none", mec=LINES[1], markersize=8)
    below = least > 0.1 * ax.get_ylim()[1]
    ax.annotate(
        f"{least:.1%} after {best + 1:,}",
        (best + 1, least),
        xytext=(0, -9 if below else 9),  # the curve itself is above its least value
        textcoords="offset points",
        ha="right" if best > 0.6 * len(table) else "center",
        va="top" if below else "bottom",
        fontsize=8,
        color=INK,
        bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 1},
        zorder=5,
    )


def draw_number_errors(found: "NumberDiagnosis", *, ax: "Axes | None" = None) -> "Axes":
    """Mean error of the training and test rows over the rounds."""
    ax = axes_for(ax, (7.2, 4.4))
    x = np.arange(1, len(found.alpha) + 1)
    ax.plot(x, found.error, color=LINES[0], linewidth=1.4, label="training rows")
    if found.test_error is not None:
        ax.plot(x, found.test_error, color=LINES[1], linewidth=1.4, label="test rows")
    ax.set_ylim(bottom=0)
    ax.set_xlabel("rounds")
    ax.set_ylabel("mean absolute error")
    style_axes(ax)
    legend(ax)
    return ax


def draw_margin_curves(margins: "Margins", *, ax: "Axes | None" = None) -> "Axes":
    """For each margin the share of the rows that have no more, after some of the rounds: the darker the later.

    What stands to the left of 0 is the training error. Curves that move right are margins that grow.
    """
    ax = axes_for(ax, (7.2, 4.4))
    ax.axvline(0, color=SOFT, linewidth=0.8, linestyle=DASHES, zorder=1)
    last = max(len(margins.after) - 1, 1)
    for line, after in enumerate(margins.after):
        x, y = margins.curve(line)
        place = line / last
        colour = mix(PALE, DEEP, 2 * place) if place < 0.5 else mix(DEEP, INK, 2 * place - 1)
        ax.step(
            np.append(x, 1.0),
            np.append(y, y[-1]),
            where="post",
            color=colour,
            linewidth=1.5,
            label=many(after, "round"),
            zorder=2,
        )
    ax.set_xlim(-1.02, 1.02)
    ax.set_ylim(0, 1.01)
    ax.set_xlabel("margin: -1 surely wrong, 1 surely right")
    ax.set_ylabel("share of the training rows at or below")
    style_axes(ax)
    legend(ax, "upper left")
    return ax


def draw_additive(additive: "Additive", *, most: int = 6) -> "Figure":
    """All panels share the scale of the score, so that wide columns look wide."""
    shapes = additive.shapes[:most]
    if not shapes:
        raise ValueError("No column is used, so there is nothing to draw.")
    figure, places = panels(len(shapes), 3, (3.3, 2.7), sharey=True)
    for ax, shape in zip(places, shapes, strict=True):
        ax.axhline(0, color=LINE, linewidth=0.8, zorder=1)
        if shape.levels:
            _bars(ax, shape)
        else:
            _steps(ax, shape)
        if shape.has_missing:
            _missing(ax, shape.missing)
        ax.set_title(label(shape.name), fontsize=10, color=INK)
        style_axes(ax)
    one = shapes[0].scores.shape[1] == 1
    places[0].set_ylabel(f"score towards {label(additive.classes[1])}" if one else "score", fontsize=9)
    if not one:
        _legend_of_classes(figure, additive.classes)
    return figure


def _colour(k: int, many: int) -> str:
    return LINES[0] if many == 1 else CLASSES[k % len(CLASSES)]


def _steps(ax: "Axes", shape: "Shape") -> None:
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


def _bars(ax: "Axes", shape: "Shape") -> None:
    many = shape.scores.shape[1]
    shown = np.argsort(-np.abs(shape.scores).max(axis=1), kind="stable")[:MOST_LEVELS]
    shown = np.sort(shown)
    width = 0.8 / many
    for k in range(many):
        places = np.arange(len(shown)) + (k - (many - 1) / 2) * width
        ax.bar(places, shape.scores[shown, k], width=width, color=_colour(k, many), zorder=2)
    names = [label(shape.levels[i], 12) for i in shown]
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


def _legend_of_classes(figure: "Figure", classes: tuple[str, ...]) -> None:
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], color=_colour(k, 2), label=label(name)) for k, name in enumerate(classes)]
    figure.legend(
        handles=marks, loc="outside lower center", ncols=min(len(marks), 8), frameon=False, fontsize=9
    )
