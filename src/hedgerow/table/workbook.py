"""Workbooks (.xlsx and the like).   In: a path.   Out: a polars frame; how it was read, in sentences.

Read by fastexcel, an extra: pip install 'hedgerow[excel]'. The first sheet with two columns or more says what the
columns are; sheets with the same columns are read as one table, others are left aside with a note. Titles and units as
in layout.py.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.table.csv_file import type_columns
from hedgerow.table.layout import LOOKED_AT, Layout, find_layout
from hedgerow.table.totals import drop_totals
from hedgerow.words import did_you_mean, listing, quote, quote_path

if TYPE_CHECKING:
    import polars as pl

ENDINGS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")


def read_workbook(
    file: Path, sheet: str | None = None, header: int | None = None
) -> tuple["pl.DataFrame", tuple[str, ...]]:
    """`sheet`: that one alone. `header`: the line of the column names, counted from 1."""
    book = _open(file)
    names = _chosen(file, book.sheet_names, sheet)
    layouts = {name: found for name in names if (found := _layout(book, name, header)) is not None}
    if not layouts:
        raise ValueError(f"{quote_path(file)} has no sheet with a table: column names, and a row below them.")
    first = next((found for found in layouts.values() if len(found.names) > 1), next(iter(layouts.values())))
    alike = [name for name, found in layouts.items() if set(found.names) == set(first.names)]
    sheets = [_read_sheet(book, name, layouts[name]) for name in alike]
    totals = dict.fromkeys(note for _, notes in sheets for note in notes)
    frame = stack_frames([sheet for sheet, _ in sheets], alike)
    return frame, (*first.notes(), *totals, *_sheet_notes(names, alike))


def _open(file: Path) -> Any:
    try:
        import fastexcel
    except ImportError:
        raise ValueError(
            f"{quote_path(file)} is a spreadsheet, and the package that reads it is not installed. Ways out: "
            "pip install 'hedgerow[excel]', or save the sheet as CSV UTF-8 (File, Save as)."
        ) from None
    logging.getLogger("fastexcel").setLevel(logging.ERROR)  # of an empty column it says that it found no type
    try:
        return fastexcel.read_excel(file)
    except (fastexcel.FastExcelError, OSError) as reason:
        why = (str(reason).splitlines() or ["unknown reason"])[0]
        raise ValueError(
            f"{quote_path(file)} cannot be read as a workbook: {why}. It may be cut short, or be of another format "
            "than its ending says; save it again."
        ) from None


def _chosen(file: Path, names: list[str], sheet: str | None) -> list[str]:
    if sheet is None or sheet in names:
        return names if sheet is None else [sheet]
    raise ValueError(
        f"{quote_path(file)} has no sheet {quote(sheet)}. Sheets: {listing(names, 20)}.{did_you_mean(sheet, names)}"
    )


def _layout(book: Any, name: str, header: int | None) -> Layout | None:
    """None: the sheet is empty."""
    top = _load(book, name, 0, LOOKED_AT, "string")
    records = [[cell or "" for cell in row] for row in top.rows()]
    if len(records) < 2 or not top.width:
        return None
    return find_layout(records, None if header is None else min(header - 1, len(records) - 1))


def _load(book: Any, name: str, skip: int, n_rows: int | None, dtypes: Any = None) -> "pl.DataFrame":
    sheet = book.load_sheet(
        name, header_row=None, skip_rows=skip, n_rows=n_rows, schema_sample_rows=None, dtypes=dtypes
    )
    found: pl.DataFrame = sheet.to_polars()
    return found


def _load_cells(book: Any, name: str, skip: int) -> "pl.DataFrame":
    """Of their own types; as text where a cell says #NAME?, for which fastexcel finds no type: it is missing then."""
    import fastexcel

    try:
        return _load(book, name, skip, None)
    except fastexcel.CalamineCellError:
        return _load(book, name, skip, None, "string")


def _read_sheet(book: Any, name: str, layout: Layout) -> tuple["pl.DataFrame", tuple[str, ...]]:
    """And a note, where its last rows are totals."""
    import polars as pl

    frame = _load_cells(book, name, layout.first_row)
    frame.columns = list(layout.names)
    frame, notes = drop_totals(frame.filter(~pl.all_horizontal(pl.all().is_null())))
    texts = [column for column, dtype in frame.schema.items() if dtype in (pl.String, pl.Null)]
    typed = type_columns(frame.select(pl.col(texts).cast(pl.String))) if texts else frame.select([])
    return frame.with_columns(typed.get_columns()), notes


def _sheet_notes(names: list[str], alike: list[str]) -> list[str]:
    others = [name for name in names if name not in alike]
    out = (
        [f"The sheets {listing(alike, 12)} have the same columns and are read as one."]
        if len(alike) > 1
        else []
    )
    if others:
        verb = (
            "sheet {} has other columns and is"
            if len(others) == 1
            else "sheets {} have other columns and are"
        )
        out.append(f"The {verb.format(listing(others, 6))} not read.")
    return out


def stack_frames(frames: Sequence["pl.DataFrame"], names: Sequence[str]) -> "pl.DataFrame":
    """Frames of the same columns below each other; `names`: of where each comes from."""
    import polars as pl

    first = frames[0].columns
    for frame, name in zip(frames, names, strict=True):
        if set(frame.columns) != set(first):
            odd = sorted(set(frame.columns) ^ set(first))
            verb = "is" if len(odd) == 1 else "are"
            raise ValueError(
                f"{name} has other columns than {names[0]}: {listing(odd, 6)} {verb} in one of them "
                "only. Tables that are read as one have the same columns."
            )
    mixed = [name for name in first if len({str(frame.schema[name]) for frame in frames}) > 1]
    is_number = [all(frame.schema[name].is_numeric() for frame in frames) for name in mixed]
    as_text = [name for name, numeric in zip(mixed, is_number, strict=True) if not numeric]
    texts = [frame.select(first).with_columns(pl.col(as_text).cast(pl.String)) for frame in frames]
    return pl.concat(texts, how="vertical_relaxed")
