"""Boosting in the plane, round by round.   In: what each round answers on a grid (boost/plane.py).   Out: a Figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.draw.style import CLASSES, INK, PAPER, label, panels, style_axes
from hedgerow.types import Float, Index, Mask

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FINE = 241  # points a side of the grid that regions are drawn on
MARKS = ("_", "+", "x", "1", "2", "3", "4", "|")  # drawn as lines, the first two as the lectures do


@dataclass(frozen=True, eq=False)
class PlaneRound:
    """One panel: a round alone, or all of them together."""

    title: str
    regions: Index  # the class answered at each point of the grid; -1: it is silent
    weight: Float  # of the rows, before the round
    wrong: Mask  # the rows it gets wrong


@dataclass(frozen=True, eq=False)
class PlaneGrid:
    x: Float
    y: Float

    @property
    def points(self) -> Float:
        """All of them, row by row from below: points x 2."""
        return np.column_stack([side.ravel() for side in np.meshgrid(self.x, self.y)])


def grid_over(points: Float) -> PlaneGrid:
    """A little larger than the rows."""
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.where(high > low, (high - low) * 0.09, 1.0)
    x, y = (np.linspace(low[k] - room[k], high[k] + room[k], FINE) for k in (0, 1))
    return PlaneGrid(x, y)


def draw_rounds(
    rounds: Sequence[PlaneRound],
    grid: PlaneGrid,
    points: Float,
    codes: Index,
    classes: tuple[str, ...],
    names: Sequence[str],
) -> "Figure":
    """Rows are as large as their weight before the round; a ring is a mistake of the round's predictor; the ground is
    what it answers (white: it is silent)."""
    figure, places = panels(len(rounds), 4, (3.1, 3.4))
    for ax, round in zip(places, rounds, strict=True):
        _ground(ax, grid.x, grid.y, round.regions)
        _weighted_points(ax, points, codes, round.weight, round.wrong)
        ax.set_title(round.title, fontsize=10, color=INK)
        ax.set_xlabel(label(names[0]))
    places[0].set_ylabel(label(names[1]))
    _legend_of_classes(figure, classes)
    return figure


def _ground(ax: "Axes", x: Float, y: Float, chosen: Index) -> None:
    from matplotlib.colors import ListedColormap

    colours = ListedColormap([PAPER, *CLASSES])
    picture = (chosen.reshape(len(y), len(x)) % len(CLASSES) + 1) * (chosen.reshape(len(y), len(x)) >= 0)
    ends = (x[0], x[-1], y[0], y[-1])
    ax.imshow(
        picture,
        extent=ends,
        origin="lower",
        aspect="auto",
        cmap=colours,
        vmin=0,
        vmax=len(CLASSES),
        alpha=0.22,
        interpolation="nearest",
    )
    style_axes(ax)


def _weighted_points(ax: "Axes", points: Float, codes: Index, weight: Float, wrong: Mask) -> None:
    """As large in area as the weight; a row of the mean weight is the same size in every picture of as many rows."""
    usual = float(np.clip(4000 / len(points), 8, 160))
    size = usual * weight * np.count_nonzero(weight) + 2
    for k in np.unique(codes):
        mine = codes == k
        ax.scatter(
            points[mine, 0],
            points[mine, 1],
            s=size[mine],
            marker=MARKS[k % len(MARKS)],
            color=CLASSES[k % len(CLASSES)],
            linewidths=np.clip(np.sqrt(size[mine]) / 5, 0.8, 3.5),
            zorder=3,
        )
    ax.scatter(
        points[wrong, 0],
        points[wrong, 1],
        s=2.2 * size[wrong] + 25,
        facecolors="none",
        edgecolors=INK,
        linewidths=1,
        zorder=4,
    )


def _legend_of_classes(figure: "Figure", classes: tuple[str, ...]) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D(
            [],
            [],
            color=CLASSES[k % len(CLASSES)],
            marker=MARKS[k % len(MARKS)],
            linestyle="none",
            mew=2,
            label=label(name),
        )
        for k, name in enumerate(classes)
    ]
    ring = Line2D([], [], color=INK, marker="o", mfc="none", linestyle="none", label="mistake")
    figure.legend(
        handles=[*marks, ring], loc="outside lower center", ncols=len(marks) + 1, frameon=False, fontsize=9
    )
