"""Rows of totals at the end of a sheet or a text file.   In: a frame of cells, as text or typed.   Out: the frame
without them, and how that was read, in sentences.

    region   units   price   profit
    North       12   19.90    340.0
    ...
    Total    9,301           812,114      would decide every score of profit

One of the last rows is a total where its first filled cell is called so and no other cell of that column is; and where
it has empty cells that the other rows have not, or that column names the rows, so that it is no level of them.
"""

import re
from typing import TYPE_CHECKING

from hedgerow.words import listing

if TYPE_CHECKING:
    import polars as pl

MOST = 3  # totals, averages
MOST_EMPTY = 0.05  # of the cells of a column that the other rows fill
TOTAL = re.compile(
    r"((grand|sub|overall)[ -]?)?(totals?|sums?|averages?|means?|summe|gesamt(summe)?|insgesamt|mittelwert|"
    r"durchschnitt|somme|total général|moyenne|totale|total general|suma|promedio)\s*:?"
)


def drop_totals(frame: "pl.DataFrame") -> tuple["pl.DataFrame", tuple[str, ...]]:
    labels: list[str] = []
    filled: list[list[int]] = []
    rows = frame
    while rows.height > 1 and len(labels) < MOST:
        cells = ["" if cell is None else str(cell).strip() for cell in rows.row(-1)]
        places = [j for j, cell in enumerate(cells) if cell]
        if len(places) < 2 or not TOTAL.fullmatch(cells[places[0]].casefold()):
            break
        labels, filled, rows = [cells[places[0]], *labels], [places, *filled], rows.head(-1)
    if not labels or not all(_is_apart(rows, places) for places in filled):
        return frame, ()
    which = "row, {}, is a total" if len(labels) == 1 else f"{len(labels)} rows, {{}}, are totals"
    return rows, (f"The last {which.format(listing(labels))}, not part of the table.",)


def _is_apart(rows: "pl.DataFrame", filled: list[int]) -> bool:
    """`rows`: those above a row that is called a total. `filled`: its columns that are not empty."""
    import polars as pl

    first = rows.to_series(filled[0]).cast(pl.String).str.strip_chars()
    if first.str.to_lowercase().str.contains(f"^({TOTAL.pattern})$").any():
        return False
    if first.n_unique() == len(first):
        return True
    texts = rows.select(pl.all().cast(pl.String).str.strip_chars())
    n_empty = texts.select((pl.all().is_null() | (pl.all() == "")).sum()).row(0)
    return any(n <= MOST_EMPTY * rows.height for column, n in enumerate(n_empty) if column not in filled)
