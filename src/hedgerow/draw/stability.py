"""A tree drawn with its stability.   In: a Stability, perhaps an Axes.   Out: the Axes."""

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.draw.style import GREEN, GREY, LINE, RED
from hedgerow.draw.tree import draw_picture
from hedgerow.tree.picture.picture import picture, shown_items
from hedgerow.tree.tree import LEAF, NONE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hedgerow.fitting.stability_report import Stability

BAND, LEFT, LINE_HEIGHT, LETTER = 5.0, 18.0, 16.0, 6.6  # pixels


def draw_stability(
    stability: "Stability", *, max_depth: int | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Under each card a band: the part of the replicas with the same question, or decision; below, the sentence."""
    tree = stability.tree
    drawn = picture(tree, stability.labels, max_depth)
    lines = wrap(stability.sentence, max(40, int(drawn.width / LETTER)))
    ax, pen = draw_picture(replace(drawn, height=drawn.height + LINE_HEIGHT * (len(lines) + 0.5)), ax)
    for k, line in enumerate(lines):
        pen.text(
            LEFT,
            drawn.height + LINE_HEIGHT * (k + 0.5),
            line,
            11,
            GREY,
            drawn.width - 2 * LEFT,
            bold=False,
            anchor=0.0,
        )
    for item, placed in zip(shown_items(tree, max_depth), drawn.cards, strict=True):
        if item.node == NONE:
            continue
        part = _part(stability, item.node)
        if np.isnan(part):
            continue
        left, y, wide = placed.x - placed.card.width / 2, placed.y + placed.card.height + 2, placed.card.width
        pen.rect(left, y, wide, BAND, LINE)
        pen.rect(left, y, wide * part, BAND, GREEN if part >= 0.5 else RED)
        pen.text(left + wide + 2, y + BAND, f"{part:.0%}", 8, GREY, 12, bold=False, anchor=0.0)
    return ax


def _part(stability: "Stability", node: int) -> float:
    if stability.tree.kind[node] == LEAF:
        return float(stability.counts.kept[node])
    return float(stability.share[node])
