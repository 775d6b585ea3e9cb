"""The complexity table to read.   In: a CpTable.   Out: a DisplayTable as rpart prints it, the chosen row marked."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hedgerow.display import DisplayTable

if TYPE_CHECKING:  # a CpTable prints itself
    from hedgerow.prune.cp_table import CpTable

MOST_ROWS = 40  # of a longer table the beginning, the best and their neighbours are shown
TITLES = ("", "CP", "nsplit", "rel error", "xerror", "xstd")
RULES = {
    "1se": "the smallest tree within one standard error of the best",
    "min": "the smallest cross-validated error",
}


def display_table(table: "CpTable") -> DisplayTable:
    shown = list(shown_rows(table))
    return DisplayTable(
        TITLES,
        [cells(table, row) if row is not None else ["..."] * len(TITLES) for row in shown],
        words=(),
        title=heading(table),
        notes=[note(table)],
        marks=["*" if row == table.chosen else "" for row in shown],
    )


def heading(table: "CpTable") -> list[str]:
    total = table.root_weight
    root = f"{table.root_error:g}/{total:g} = {table.root_error / total:.5g}" if total else "0"
    what = "Root node error (weight guessed wrong)" if table.is_error_rate else "Root node error (mean loss)"
    return [f"Cost-complexity pruning, {table.n_folds}-fold cross-validation", f"{what}: {root}"]


def note(table: "CpTable") -> str:
    line = f"* kept: row {table.chosen + 1}, {RULES[table.choose]}"
    if table.choose == "1se":
        best = table.best
        line += f" (row {best + 1}: {table.xerror[best]:.4f} + {table.xstd[best]:.4f} = {table.bound:.4f})"
    return line


def shown_rows(table: "CpTable") -> Iterator[int | None]:
    """The rows to print; None where some are left out."""
    last, kept = len(table) - 1, set(range(len(table)))
    if len(table) > MOST_ROWS:
        marks = (table.chosen, table.best)
        kept = {*range(12), last} | {k + d for k in marks for d in range(-4, 5) if 0 <= k + d <= last}
    before = -1
    for row in sorted(kept):
        if row > before + 1:
            yield None
        yield row
        before = row


def cells(table: "CpTable", row: int) -> list[str]:
    return [
        f"{row + 1}",
        f"{table.cp[row]:.7f}",
        f"{table.nsplit[row]}",
        f"{table.rel_error[row]:.5f}",
        f"{table.xerror[row]:.5f}",
        f"{table.xstd[row]:.5f}",
    ]
