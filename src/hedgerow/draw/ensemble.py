"""Why many are better than one, in pictures.   In: results of forests over m; or only numbers.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.paper import BAR, LINES, MARK, QUIET, axes_of, plain
from hedgerow.ensemble.diversity import majority_vote_error
from hedgerow.tree.picture.colours import SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_max_features(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The out-of-bag loss over the number of trees, a line for each m (lecture 003: effect of number of predictors)."""
    ax = axes_of(ax, (7.2, 4.4))
    ends = []
    for k, effect in enumerate(found.effects):
        trees = np.arange(1, len(effect.curve) + 1)
        words = f"m = {effect.m}" + (" = d (bagging)" if effect.m == found.n_columns else "")
        ax.plot(
            trees,
            effect.curve,
            color=LINES[k % len(LINES)],
            linewidth=1.4,
            label=f"{words}: {effect.loss:.4g}",
        )
        ends.append(effect.curve[len(effect.curve) // 10 :])
    late = np.concatenate(ends)
    late = late[~np.isnan(late)]
    if len(late):
        room = max(float(late.max() - late.min()), 1e-12)
        ax.set_ylim(max(0.0, late.min() - 0.1 * room), late.max() + 0.15 * room)
    ax.set_xlabel("trees")
    ax.set_ylabel("error rate out of bag" if found.is_error_rate else "mean squared error out of bag")
    plain(ax)
    ax.legend(frameon=False, fontsize=8.5, title="columns a node, and loss at the end", title_fontsize=8.5)
    return ax


def draw_majority_vote(error: float = 0.35, most: int = 51, *, ax: "Axes | None" = None) -> "Axes":
    """Error of the majority of independent classifiers, over their number; the 25 of lecture 003 are marked."""
    ax = axes_of(ax, (6.4, 4.0))
    many = np.arange(1, most + 1, 2)
    ax.axhline(error, color=QUIET, linewidth=1, linestyle=(0, (4, 3)))
    ax.text(most, error, f"one alone: {error:.2g}", ha="right", va="bottom", fontsize=8.5, color=SOFT)
    ax.plot(
        many,
        [majority_vote_error(int(n), error) for n in many],
        "o-",
        color=BAR,
        markersize=3.5,
        linewidth=1.2,
    )
    if most >= 25:
        of_25 = majority_vote_error(25, error)
        ax.plot(25, of_25, "o", color=MARK, markersize=8)
        ax.annotate(
            f"25 classifiers: {of_25:.2g}",
            (25, of_25),
            xytext=(8, 10),
            textcoords="offset points",
            fontsize=9,
        )
    ax.set_ylim(bottom=0)
    ax.set_xlabel("independent classifiers")
    ax.set_ylabel("error of their majority")
    plain(ax)
    return ax
