"""CSV.   In: the path of a text file with a header line.   Out: a polars frame of numbers, booleans and text.

Every cell is read as text and each column typed from all of its cells, so a number or a word in the last row
counts as much as one in the first:

    strip spaces -> missing spellings become null -> all true/false? all integers? all floats? else text

"None" is not a missing spelling: it is an ordinary word in real tables (no patrons: "None").
polars fills short rows with nulls and renames repeated headers in silence; both are refused here, by line.
"""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TextIO

from hedgerow.table.checks import check_unique
from hedgerow.table.words import listing, quote_path

if TYPE_CHECKING:
    import polars as pl

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "?")
SEPARATORS = (",", ";", "\t", "|")


def read_csv(file: Path) -> "pl.DataFrame":
    import polars as pl

    separator = "\t" if ".tsv" in file.name.lower() else _separator(file)
    names = _header(file, separator)
    try:
        raw = pl.read_csv(file, separator=separator, infer_schema=False, glob=False)
        raw.columns = names
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as reason:
        _blank_rows(file, separator, len(names))  # the better message, when the length of a row is the cause
        raise _unreadable(file, str(reason)) from None
    if raw.height and raw.to_series(-1).null_count():  # a short row or a blank line ends in a null
        raw = _without(raw, _blank_rows(file, separator, len(names)))
    return pl.DataFrame([_typed(column) for column in _cleaned(raw)])


def read_csv_sample(file: Path, share: float, seed: int) -> tuple["pl.DataFrame", int]:
    """A random share of the rows, read one by one so that the file need not fit into memory; and how many there are."""
    import polars as pl

    separator = "\t" if ".tsv" in file.name.lower() else _separator(file)
    names = _header(file, separator)
    random, total = Random(seed), 0
    kept: list[list[str]] = []
    records = _records(file, separator)
    next(records, None)
    for line, record in records:
        if len(record) != len(names):
            if any(cell.strip() for cell in record):
                raise _ragged(file, line, len(record), len(names), separator)
            continue
        total += 1
        if random.random() < share:
            kept.append(record)
    raw = pl.DataFrame(kept, schema=dict.fromkeys(names, pl.String), orient="row")
    return pl.DataFrame([_typed(column) for column in _cleaned(raw)]), total


def _cleaned(raw: "pl.DataFrame") -> "pl.DataFrame":
    import polars as pl

    text = pl.all().str.strip_chars()
    return raw.select(pl.when(text.is_in(MISSING)).then(None).otherwise(text).name.keep())


def _typed(column: "pl.Series") -> "pl.Series":
    import polars as pl

    words = column.str.to_lowercase()
    if column.null_count() < len(column) and words.is_in(["true", "false"]).all():  # nulls do not count
        return words == "true"
    for dtype in (pl.Int64, pl.Float64):
        numbers = column.cast(dtype, strict=False)
        if numbers.null_count() == column.null_count():
            return numbers
    return column


def _separator(file: Path) -> str:
    """Whichever cuts the header line into most names; a comma when none does."""
    return max(SEPARATORS, key=lambda separator: len(next(_records(file, separator), (0, []))[1]))


def _header(file: Path, separator: str) -> list[str]:
    _, record = next(_records(file, separator), (0, []))
    if not record:
        raise ValueError(f"{_named(file)} is empty. Wanted: a line of column names, then a line per row.")
    names = [cell.strip() or f"column_{k}" for k, cell in enumerate(record, start=1)]
    check_unique(names, where=_named(file))
    if all(map(_is_number, names)) and names != [str(k) for k in range(len(names))]:
        raise ValueError(
            f"{_named(file)} begins with {listing(names, 4)}, which look like a row and not like column "
            "names. Way out: put a line of column names first."
        )
    return names


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _blank_rows(file: Path, separator: str, width: int) -> list[int]:
    """Which rows are blank lines. A row of another length than the header is an error, with its line."""
    blank: list[int] = []
    records = _records(file, separator)
    next(records, None)
    for index, (line, record) in enumerate(records):
        if len(record) == width:
            continue
        if any(cell.strip() for cell in record):
            raise _ragged(file, line, len(record), width, separator)
        blank.append(index)
    return blank


def _ragged(file: Path, line: int, found: int, width: int, separator: str) -> ValueError:
    return ValueError(
        f"{_named(file)}, line {line}: {found} cells, but the header names {width} columns. "
        f"Wanted: {width} cells in each row, parted by {separator!r}, with nothing between two "
        "separators for a missing cell and quotes around a cell that holds a separator."
    )


def _without(raw: "pl.DataFrame", rows: list[int]) -> "pl.DataFrame":
    import polars as pl

    return raw.filter(~pl.int_range(pl.len()).is_in(rows)) if rows else raw


def _records(file: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Each record with its line number, the header first. Slow and exact; read only where polars cannot
    say."""
    begun = False
    try:
        with _opened(file) as text:
            reader = csv.reader(text, delimiter=separator)
            for record in reader:
                begun = begun or any(cell.strip() for cell in record)
                if begun:
                    yield reader.line_num, record
    except UnicodeDecodeError:
        raise _unreadable(file, "it is not UTF-8 text; save it with the encoding UTF-8") from None
    except (csv.Error, EOFError, OSError) as reason:
        raise _unreadable(file, str(reason)) from None


def _opened(file: Path) -> TextIO:
    if file.name.lower().endswith(".gz"):
        return gzip.open(file, "rt", encoding="utf-8-sig", newline="")
    return file.open(encoding="utf-8-sig", newline="")


def _unreadable(file: Path, reason: str) -> ValueError:
    first_line = (reason.strip().splitlines() or ["unknown reason"])[0]
    return ValueError(
        f"{_named(file)} cannot be read as CSV: {first_line}. Wanted: UTF-8 text, a line of column names, "
        "then a line per row. An opening quote without its closing one is a common cause."
    )


def _named(file: Path) -> str:
    return quote_path(file)
