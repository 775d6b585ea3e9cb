"""The coverage-risk curve, drawn.   In: a CoverageRisk, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

from hedgerow.draw.look import BLUE, DASHES, GREY, axes, legend, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_coverage_risk(curve: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (5.6, 4.4))
    ax.axhline(
        curve.full_risk,
        color=GREY,
        linestyle=DASHES,
        linewidth=1,
        label=f"all answered: {curve.full_risk:.3f}",
    )
    ax.fill_between(curve.coverage, curve.low, curve.high, color=BLUE, alpha=0.15, linewidth=0, step="post")
    ax.step(
        curve.coverage,
        curve.risk,
        where="post",
        color=BLUE,
        linewidth=1.5,
        marker="o" if len(curve.risk) == 1 else "",
        label=f"mean risk {curve.area:.3f}",
    )
    plain(ax)
    ax.set_xlim(0, 1.01)
    seen = curve.coverage >= 0.1  # a handful of rows has a band over the whole page
    top = float(curve.high[seen].max()) if seen.any() else float(curve.high.max())
    ax.set_ylim(0, min(1.0, 1.15 * max(top, curve.full_risk)))
    ax.set_xlabel("rows answered, the surest first")
    ax.set_ylabel("error rate among them")
    ax.set_title("Coverage and risk", fontsize=10, loc="left")
    legend(ax, "upper left")
    return ax
