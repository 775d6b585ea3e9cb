"""The complexity table in words.   In: a CpTable.   Out: text as rpart prints it, the chosen row marked; HTML."""

from collections.abc import Iterator

from hedgerow.prune.cp_table import CpTable
from hedgerow.tree.page import styled

MOST_ROWS = 40  # of a longer table the beginning, the best and their neighbours are shown
RULES = {
    "1se": "the smallest tree within one standard error of the best",
    "min": "the smallest cross-validated error",
}


def heading(table: CpTable) -> list[str]:
    total = table.root_weight
    root = f"{table.root_error:g}/{total:g} = {table.root_error / total:.5g}" if total else "0"
    what = "Root node error (weight guessed wrong)" if table.is_error_rate else "Root node error (mean loss)"
    return [f"Cost-complexity pruning, {table.n_folds}-fold cross-validation", f"{what}: {root}"]


def note(table: CpTable) -> str:
    line = f"* kept: row {table.chosen + 1}, {RULES[table.choose]}"
    if table.choose == "1se":
        best = table.best
        line += f" (row {best + 1}: {table.xerror[best]:.4f} + {table.xstd[best]:.4f} = {table.bound:.4f})"
    return line


def shown_rows(table: CpTable) -> Iterator[int | None]:
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


def cells(table: CpTable, row: int) -> list[str]:
    return [
        f"{row + 1}",
        f"{table.cp[row]:.7f}",
        f"{table.nsplit[row]}",
        f"{table.rel_error[row]:.5f}",
        f"{table.xerror[row]:.5f}",
        f"{table.xstd[row]:.5f}",
    ]


TITLES = ["", "CP", "nsplit", "rel error", "xerror", "xstd"]


def to_text(table: CpTable) -> str:
    lines = [TITLES, *(cells(table, row) if row is not None else ["..."] * 6 for row in shown_rows(table))]
    width = [max(len(line[k]) for line in lines) for k in range(6)]
    marks = [" ", *("*" if row == table.chosen else " " for row in shown_rows(table))]
    body = [
        f"{mark} " + "  ".join(cell.rjust(w) for cell, w in zip(line, width, strict=True))
        for mark, line in zip(marks, lines, strict=True)
    ]
    return "\n".join([*heading(table), "", *body, "", note(table)])


def to_html(table: CpTable) -> str:
    """Numbers and fixed words only: nothing to escape."""
    head = "".join(f"<th>{title}</th>" for title in TITLES)
    body = "".join(_row(table, row) for row in shown_rows(table))
    above = "<br>".join(heading(table))
    table_itself = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return styled(f"<p>{above}</p>{table_itself}<p>{note(table)}</p>")


def _row(table: CpTable, row: int | None) -> str:
    if row is None:
        return '<tr><td colspan="6">&hellip;</td></tr>'
    chosen = ' class="chosen"' if row == table.chosen else ""
    return f"<tr{chosen}>" + "".join(f"<td>{cell}</td>" for cell in cells(table, row)) + "</tr>"
