"""A comparison of prunings to read.   In: a Comparison.   Out: a DisplayTable: each method as it is, the best first,
and beside it the best that any strength of it could have done.
"""

from typing import TYPE_CHECKING

from hedgerow.display import DisplayTable

if TYPE_CHECKING:  # a Comparison prints itself
    from hedgerow.prune.compare import Comparison, Point

TITLES = ("method", "leaves", "depth", "error", "+-", "best over its range", "leaves", "error")
WORDS = (0, 5)  # columns of words
NOTE = "The right half chooses the strength on the very rows it is scored on: a bound, not a result."


def display_table(comparison: "Comparison") -> DisplayTable:
    seen = [_row(comparison, point, point.method) for point in comparison.defaults]
    alone = sorted({p.method for p in comparison.points} - {p.method for p in comparison.defaults})
    seen += [[name, "", "", "", "", *_best(comparison, name)] for name in alone]
    rows = [_row(comparison, comparison.unpruned, "(not pruned)"), *seen]
    return DisplayTable(TITLES, rows, WORDS, [heading(comparison)], [NOTE])


def _row(comparison: "Comparison", point: "Point", name: str) -> list[str]:
    own = [name, f"{point.leaves:,}", f"{point.depth}", f"{point.error:#.4g}", f"{point.std:.2g}"]
    return own + (_best(comparison, point.method) if point.method else [""] * 3)


def _best(comparison: "Comparison", method: str) -> list[str]:
    path = comparison.path(method)
    if len(path) < 2:
        return [""] * 3
    best = min(path, key=lambda p: (p.error, p.leaves))
    return [best.setting or "(as it is)", f"{best.leaves:,}", f"{best.error:#.4g}"]


def heading(comparison: "Comparison") -> str:
    what = "error rate" if comparison.is_error_rate else "mean loss"
    if comparison.n_folds:
        return (
            f"Prunings of one tree, {what} of {comparison.n_test:,} rows in {comparison.n_folds}-fold "
            "cross-validation; sizes are of the tree of all rows"
        )
    return f"Prunings of one tree, {what} on {comparison.n_test:,} rows that took no part"
