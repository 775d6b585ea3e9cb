"""The margin curves.   In: Margins, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.boost.margins import Margins
from hedgerow.draw.plain import DASHES, axes_for, quiet
from hedgerow.tree.picture.colours import DEEP, INK, SOFT, mix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE = "#c6dbef"


def draw_margins(margins: Margins, *, ax: "Axes | None" = None) -> "Axes":
    """For each margin the share of the rows that have no more, after some of the rounds: the darker the later.

    What stands to the left of 0 is the training error. Curves that move right are margins that grow.
    """
    ax = axes_for(ax, (7.2, 4.4))
    ax.axvline(0, color=SOFT, linewidth=0.8, linestyle=DASHES, zorder=1)
    many = len(margins.after)
    for line, after in enumerate(margins.after):
        x, y = margins.curve(line)
        place = line / max(many - 1, 1)
        colour = mix(PALE, DEEP, 2 * place) if place < 0.5 else mix(DEEP, INK, 2 * place - 1)
        label = f"{after:,} round{'' if after == 1 else 's'}"
        ax.step(
            np.append(x, 1.0),
            np.append(y, y[-1]),
            where="post",
            color=colour,
            linewidth=1.5,
            label=label,
            zorder=2,
        )
    ax.set_xlim(-1.02, 1.02)
    ax.set_ylim(0, 1.01)
    ax.set_xlabel("margin: -1 surely wrong, 1 surely right")
    ax.set_ylabel("share of the training rows at or below")
    quiet(ax)
    ax.legend(frameon=False, fontsize=8.5, loc="upper left")
    return ax
