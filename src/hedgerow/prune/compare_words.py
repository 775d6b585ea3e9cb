"""A comparison of prunings in words.   In: a Comparison.   Out: a table as text or HTML: each method as it is, the
best first, and beside it the best that any strength of it could have done.
"""

from html import escape

from hedgerow.prune.compare import Comparison, Point
from hedgerow.tree.page import styled

TITLES = ["method", "leaves", "depth", "error", "+-", "best over its range", "leaves", "error"]
WORDS = (0, 5)  # columns of words stand to the left


def table(comparison: Comparison) -> list[list[str]]:
    seen = [_row(comparison, point, point.method) for point in comparison.usual]
    alone = sorted({p.method for p in comparison.points} - {p.method for p in comparison.usual})
    seen += [[name, "", "", "", "", *_best(comparison, name)] for name in alone]
    return [_row(comparison, comparison.whole, "(not pruned)"), *seen]


def _row(comparison: Comparison, point: Point, name: str) -> list[str]:
    own = [name, f"{point.leaves:,}", f"{point.depth}", f"{point.error:#.4g}", f"{point.std:.2g}"]
    return own + (_best(comparison, point.method) if point.method else [""] * 3)


def _best(comparison: Comparison, method: str) -> list[str]:
    path = comparison.path(method)
    if len(path) < 2:
        return [""] * 3
    best = min(path, key=lambda p: (p.error, p.leaves))
    return [best.setting or "(as it is)", f"{best.leaves:,}", f"{best.error:#.4g}"]


def heading(comparison: Comparison) -> str:
    what = "error rate" if comparison.is_error_rate else "mean loss"
    if comparison.n_folds:
        return (
            f"Prunings of one tree, {what} of {comparison.n_judging:,} rows in {comparison.n_folds}-fold "
            "cross-validation; sizes are of the tree of all rows"
        )
    return f"Prunings of one tree, {what} on {comparison.n_judging:,} rows that took no part"


def note(comparison: Comparison) -> str:
    return "The right half picks the strength on the rows it is judged on: a bound, not a result."


def to_text(comparison: Comparison) -> str:
    lines = [TITLES, *table(comparison)]
    width = [max(len(line[k]) for line in lines) for k in range(len(TITLES))]
    body = [
        "  ".join(
            c.ljust(w) if k in WORDS else c.rjust(w) for k, (c, w) in enumerate(zip(line, width, strict=True))
        )
        for line in lines
    ]
    return "\n".join([heading(comparison), "", *(line.rstrip() for line in body), "", note(comparison)])


def to_html(comparison: Comparison) -> str:
    head = _html(TITLES, "th")
    body = "".join(f"<tr>{_html(line, 'td')}</tr>" for line in table(comparison))
    above, below = escape(heading(comparison)), escape(note(comparison))
    table_itself = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return styled(f"<p>{above}</p>{table_itself}<p>{below}</p>")


def _html(line: list[str], tag: str) -> str:
    sides = (' class="words"' if k in WORDS else "" for k in range(len(line)))
    return "".join(f"<{tag}{side}>{escape(cell)}</{tag}>" for side, cell in zip(sides, line, strict=True))
