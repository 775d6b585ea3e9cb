"""Pictures of gradient boosting.   In: RoundLosses, an Importance, perhaps an Axes.   Out: the Axes, or the Figure."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.draw.style import DASHES, LINES, SOFT, axes_for, label, legend, panels, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hedgerow.ensemble.importance_table import Importance
    from hedgerow.gradient.diagnose import RoundLosses


def draw_rounds_and_gain(losses: "RoundLosses", importance: "Importance") -> "Figure":
    """The loss by round, and what each column gained."""
    figure, places = panels(2, 2, (6.0, 4.2))
    draw_round_losses(losses, ax=places[0])
    importance.draw(ax=places[1])
    return figure


def draw_round_losses(losses: "RoundLosses", *, ax: "Axes | None" = None) -> "Axes":
    """The mean loss after each round, of training rows and of others, and where it is least."""
    ax = axes_for(ax, (7.2, 4.4))
    rounds = np.arange(len(losses.train))
    ax.plot(rounds, losses.train, color=LINES[0], label="training rows")
    if len(losses.test):
        ax.plot(rounds, losses.test, color=LINES[1], label="test rows")
        ax.axvline(
            losses.best_round, color=SOFT, linestyle=DASHES, label=f"least after {losses.best_round:,} rounds"
        )
    ax.set_xlabel("rounds")
    ax.set_ylabel(f"mean loss ({label(losses.loss)})")
    legend(ax)
    style_axes(ax)
    return ax
