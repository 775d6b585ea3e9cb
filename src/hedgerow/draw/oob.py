"""The out-of-bag loss over the number of members.   In: an OutOfBag (anything with `curve`, `loss`, `classes`).
Out: the Axes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.paper import BAR, axes_of, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_oob(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The line, and about its end the 95% interval of the loss."""
    ax = axes_of(ax, (7.2, 4.2))
    members = np.arange(1, len(found.curve) + 1)
    loss, error = found.loss
    ax.axhspan(
        max(0.0, loss - 1.96 * error),
        loss + 1.96 * error,
        color=BAR,
        alpha=0.12,
        linewidth=0,
        label="95% interval, over rows",
    )
    what = "error rate" if found.classes is not None else "mean squared error"
    ax.plot(members, found.curve, color=BAR, linewidth=1.4, label=f"out of bag; {loss:.4g} at the end")
    ax.set_xlabel("members")
    ax.set_ylabel(f"{what} out of bag")
    ax.set_xlim(0, len(members) * 1.01 + 1)
    plain(ax)
    ax.legend(frameon=False, fontsize=8.5)
    return ax
