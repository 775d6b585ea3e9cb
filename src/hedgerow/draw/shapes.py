"""Pictures of what a column does: shapes of an additive model, partial dependence.   In: Shapes, a PartialDependence.
Out: a Figure, the Axes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.style import FAINT, LINE, LINES, SOFT, axes_for, label, legend, panels, style_axes
from hedgerow.types import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hedgerow.gradient.dependence import PartialDependence
    from hedgerow.gradient.shape import PairShape, Shape, Shapes

MOST_LEVELS = 24  # with a name below the axis


def draw_shapes(shapes: "Shapes", *, most: int = 9) -> "Figure":
    """A panel a column, the widest first; the same height in all of one column, so that spans can be compared."""
    both: list[Any] = [*shapes.shapes, *shapes.pairs]
    every = sorted(both, key=lambda one: -one.span)[:most]
    figure, places = panels(max(1, len(every)), 3, (3.9, 3.2))
    reach = _reach(shapes)
    title = shapes.outputs[0] if len(shapes.outputs) == 1 else "score of each class"
    for k, (ax, one) in enumerate(zip(places, every, strict=False)):
        if hasattr(one, "pieces"):
            _draw_shape(ax, one, shapes.outputs, reach, keys=k == 0 and len(shapes.outputs) > 1)
            ax.set_ylabel(f"added to {label(title, 28)}" if k % 3 == 0 else "")
        else:
            _draw_pair(ax, one)
    return figure


def _reach(shapes: "Shapes") -> tuple[float, float]:
    values = [part for one in shapes for part in (one.values, one.low, one.high) if part is not None] or [
        np.zeros(1)
    ]
    low, high = min(float(part.min()) for part in values), max(float(part.max()) for part in values)
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def _draw_shape(
    ax: "Axes", shape: "Shape", outputs: tuple[str, ...], reach: tuple[float, float], *, keys: bool
) -> None:
    ax.axhline(0.0, color=LINE, linewidth=1, zorder=1)
    ax.set_ylim(*reach)
    draw = _draw_levels if shape.levels else _draw_steps
    for k, name in enumerate(outputs):
        band = None if shape.low is None or shape.high is None else (shape.low[:, k], shape.high[:, k])
        draw(ax, shape, shape.values[:, k], band, LINES[k % len(LINES)], label(name, 24))
    ax.set_title(label(shape.name, 32), loc="left", fontsize=10)
    style_axes(ax)
    if keys:
        legend(ax)


def _draw_steps(
    ax: "Axes", shape: "Shape", values: Float, band: tuple[Float, Float] | None, colour: str, name: str
) -> None:
    edges = edges_of(shape.ends)
    ax.stairs(values[:-1], edges, baseline=None, color=colour, linewidth=1.6, label=name, zorder=3)
    if band is not None:
        ax.stairs(
            band[1][:-1], edges, baseline=band[0][:-1], fill=True, color=colour, alpha=0.16, linewidth=0
        )
    if shape.rows[-1] < 0.5:
        return
    right = edges[-1] + 0.06 * (edges[-1] - edges[0])
    _point(ax, right, values[-1], None if band is None else (band[0][-1], band[1][-1]), colour)
    ax.annotate(
        "missing", (right, 0.02), xycoords=("data", "axes fraction"), ha="center", fontsize=7.5, color=SOFT
    )


def edges_of(ends: Float) -> Float:
    """Of all pieces; the outer ones reach a little beyond the ends."""
    if not len(ends):
        return np.array([0.0, 1.0])
    room = 0.06 * float(np.ptp(ends)) or 0.5
    return np.concatenate([[ends[0] - room], ends, [ends[-1] + room]])


def _draw_levels(
    ax: "Axes", shape: "Shape", values: Float, band: tuple[Float, Float] | None, colour: str, name: str
) -> None:
    shown = np.arange(len(values) if shape.rows[-1] >= 0.5 else len(values) - 1)
    words = [*shape.levels, "missing"]
    for k in shown.tolist():
        _point(ax, k, values[k], None if band is None else (band[0][k], band[1][k]), colour)
    ax.plot([], [], "o", color=colour, label=name)
    few = len(shown) <= MOST_LEVELS
    ax.set_xticks(shown if few else [], [label(words[k], 14) for k in shown] if few else [])
    if len(shown) > 4:
        ax.tick_params(axis="x", labelrotation=60)
    ax.set_xlim(-0.6, len(shown) - 0.4)
    if not few:
        ax.set_xlabel(f"{len(shown):,} levels")


def _point(ax: "Axes", x: float, y: float, band: tuple[float, float] | None, colour: str) -> None:
    if band is not None:
        ax.plot([x, x], band, color=colour, linewidth=1.4, alpha=0.5, zorder=2)
    ax.plot([x], [y], "o", color=colour, markersize=4.5, zorder=3)


def _draw_pair(ax: "Axes", pair: "PairShape") -> None:
    """The first output, red below zero and blue above."""
    table = pair.values[:-1, :-1, 0]
    most = float(np.abs(table).max()) or 1.0
    grid = [
        edges_of(p.ends) if not p.levels else np.arange(len(p) + 1) - 0.5 for p in (pair.second, pair.first)
    ]
    shade = ax.pcolormesh(*grid, table, cmap="RdBu", vmin=-most, vmax=most)
    ax.figure.colorbar(shade, ax=ax, shrink=0.85)
    for pieces, ticks in ((pair.second, ax.set_xticks), (pair.first, ax.set_yticks)):
        if pieces.levels and len(pieces) <= MOST_LEVELS:
            ticks(range(len(pieces)), [label(level, 10) for level in pieces.levels])
    ax.set_xlabel(label(pair.second.name, 28))
    ax.set_ylabel(label(pair.first.name, 28))
    ax.set_title(label(pair.name, 36), loc="left", fontsize=10)


def draw_dependence(found: "PartialDependence", *, ax: "Axes | None" = None) -> "Axes":
    """The mean prediction over the column's cells; the band holds eight of ten rows."""
    ax = axes_for(ax, (6.4, 4.2))
    known = ~np.isnan(found.points)
    x = np.arange(int(known.sum())) if found.levels else found.points[known]
    for k, name in enumerate(found.outputs):
        colour = LINES[k % len(LINES)]
        if found.low is not None and found.high is not None and not found.levels:
            ax.fill_between(
                x, found.low[known, k], found.high[known, k], color=colour, alpha=0.14, linewidth=0
            )
        ax.plot(x, found.mean[known, k], "o" if found.levels else "-", color=colour, label=label(name))
    if found.levels:
        words = [label(word, 14) for word, one in zip(found.words, known, strict=True) if one]
        few = len(words) <= MOST_LEVELS
        ax.set_xticks(x if few else [], words if few else [], rotation=0 if len(words) <= 6 else 60)
    ax.set_xlabel(label(found.name))
    ax.set_ylabel(label(found.outputs[0]) if len(found.outputs) == 1 else "mean prediction")
    if found.n_rows:
        ax.set_title(f"mean over {found.n_rows:,} rows", loc="left", fontsize=9, color=FAINT)
    legend(ax)
    style_axes(ax)
    return ax
