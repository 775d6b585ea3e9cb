"""CSV.   In: the path of a text file with a header line.   Out: a polars frame of numbers, booleans and text.

Every cell is read as text and each column typed from all of its cells, so a number or a word in the last row
counts as much as one in the first:

    strip spaces -> missing spellings become null -> all true/false? all integers? all floats? else text

"None" is not a missing spelling: it is an ordinary word in real tables (no patrons: "None"). Where semicolons part the
cells, 1.234,5 is a number, and so are 1.234,50 € and (12,5 %). UTF-8, UTF-16 with its mark at the start (a
spreadsheet's "Unicode text"), and Windows-1252 (Latin-1) where no other reading is plausible, with a note.
Titles above the column names, a row of units below them (layout.py), notes below the last row and totals (totals.py)
are no rows, and names that repeat are made different, with a note. polars fills short rows with nulls in silence; they
are refused here, by line. Codes of one length that begin with zeros (02139) stay text.
"""

import codecs
import csv
import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO, TypeVar

from hedgerow.display.sentences import many
from hedgerow.table.layout import LOOKED_AT, MISSING, Layout, find_layout, is_number
from hedgerow.table.panics import hold_back_panics
from hedgerow.table.totals import drop_totals
from hedgerow.words import listing, quote_path, quote_shell

if TYPE_CHECKING:
    import polars as pl

Frame = TypeVar("Frame", "pl.DataFrame", "pl.LazyFrame")
SEPARATORS = (",", ";", "\t", "|")
SIGNS = "$€£¥"
DECIMAL_COMMA = rf"^[-+]?[{SIGNS}]?\s?(\d+|\d{{1,3}}(\.\d{{3}})+)(,\d+)?\s?[%{SIGNS}]?$"
THOUSANDS = r"^[-+]?(0|[1-9]\d{0,2}(\.\d{3})*)$"
FRACTION = r"^[^,]*\d,(\d{1,2}|\d{4,})\D*$"
BRACKETS = r"^\((.*)\)$"  # how accounts write what is below zero
MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # at the start of a file
CODE = r"^0\d{2,}$"  # 01 to 12 are months, 007 is none
UTF_8, WESTERN = "utf-8-sig", "cp1252"
NOT_WESTERN = re.compile(rb"[\x80-\xff]{3}|[\x00-\x08\x0e-\x1f\x81\x8d\x8f\x90\x9d]")  # accents stand alone
WESTERN_NOTE = (
    "The file is not UTF-8: it is read as Windows-1252 (Latin-1), as older Western programs write it."
)
EXACT_DIGITS = 15  # every whole number of so many is a float
LONGEST_LINE = 20_000_000  # characters of column names
PIECE = 1 << 20  # bytes
OTHERS = {
    b"PK\x03\x04": "a ZIP archive or a spreadsheet",
    b"\x1f\x8b": "gzip (name it .csv.gz)",
    b"PAR1": "Parquet",
}


class Form(NamedTuple):
    """How a file is laid out."""

    separator: str
    layout: Layout
    above: int  # lines before the first row


def read_csv(file: Path, header: int | None = None) -> tuple["pl.DataFrame", tuple[str, ...]]:
    """And notes on how it was read, in sentences. `header`: the line of the column names, counted from 1; if not given,
    the first that looks like names."""
    import polars as pl

    form = _find_form(file, header)
    names = form.layout.names
    try:
        with hold_back_panics():
            raw = pl.read_csv(
                _for_polars(file, form),
                separator=form.separator,
                infer_schema=False,
                glob=False,
                has_header=_is_plain(form),
                schema=None if _is_plain(form) else dict.fromkeys(names, pl.String),
            )
        raw.columns = list(names)
    except UnicodeError as reason:
        raise _other_text(file, reason) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as reason:
        _blank_rows(file, form)  # the better message, when the length of a row is the cause
        raise _unreadable(file, str(reason)) from None
    notes = [WESTERN_NOTE] if _encoding(file) == WESTERN else []
    notes += form.layout.notes()
    if raw.height and raw.to_series(-1).null_count():  # a short row or a blank line ends in a null
        blank, n_notes = _blank_rows(file, form)
        raw = raw.filter(~pl.int_range(pl.len()).is_in(blank)) if blank else raw
        notes += (
            [f"Below the last row: {many(n_notes, 'line')} of notes, not part of the table."]
            if n_notes
            else []
        )
    raw, totals = drop_totals(raw)
    cells = _cleaned(raw)
    frame, points = _read_points(cells, _type_cells(cells, form.separator), form.separator)
    return frame, (*notes, *totals, *points)


def read_csv_names(file: Path, header: int | None = None) -> list[str]:
    """The names of the columns, from the first lines of the file."""
    return list(_find_form(file, header).layout.names)


def scan_csv(file: Path, header: int | None = None) -> "pl.LazyFrame":
    """As read_csv, read when it is looked at and never whole: the types are found in a pass of their own."""
    import polars as pl

    form = _find_form(file, header)
    names, is_plain = list(form.layout.names), _is_plain(form)
    if not is_utf_8(file):
        raise ValueError(
            f"{_named(file)} is not UTF-8 text, and only that is read in blocks. Save it as UTF-8."
        )
    raw = pl.scan_csv(
        file,
        separator=form.separator,
        infer_schema=False,
        glob=False,
        new_columns=names,
        has_header=is_plain,
        skip_lines=0 if is_plain else form.above,
    )
    try:
        with hold_back_panics():
            ends_in_null = raw.select(pl.col(names[-1]).null_count()).collect(engine="streaming").item()
            if ends_in_null and (blank := _blank_rows(file, form)[0]):
                raw = raw.with_row_index("\0row").filter(~pl.col("\0row").is_in(blank)).drop("\0row")
            return _typed_lazily(_cleaned(raw), names, form.separator)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as reason:
        _blank_rows(file, form)
        raise _unreadable(file, str(reason)) from None


def _typed_lazily(raw: "pl.LazyFrame", names: list[str], separator: str) -> "pl.LazyFrame":
    """Each column as _typed makes it, of all its cells."""
    import polars as pl

    ways: dict[str, Callable[[pl.Expr], pl.Expr]] = {
        "boolean": lambda cell: cell.str.to_lowercase().is_in(["true", "false"]),
        "whole": lambda cell: cell.cast(pl.Int64, strict=False).is_not_null(),
        "float": lambda cell: cell.cast(pl.Float64, strict=False).is_not_null(),
        "comma": _has_decimal_comma,
    }
    facts = [
        (pl.col(name).is_null() | fits(pl.col(name))).all().alias(f"{way} {name}")
        for name in names
        for way, fits in ways.items()
    ]
    facts += [_are_codes(pl.col(name)).alias(f"code {name}") for name in names]
    empty = [pl.col(name).is_null().all().alias(f"empty {name}") for name in names]
    found = raw.select(facts + empty).collect(engine="streaming").row(0, named=True)
    typed = []
    for name in names:
        cell = pl.col(name)
        if found[f"boolean {name}"] and not found[f"empty {name}"]:
            typed.append(cell.str.to_lowercase() == "true")
        elif found[f"code {name}"]:
            continue
        elif found[f"whole {name}"]:
            typed.append(cell.cast(pl.Int64))
        elif found[f"float {name}"]:
            whole = raw.select(cell.str.contains(r"^[-+]?\d+$").all()).collect(engine="streaming").item()
            rounded = whole and _are_rounded(raw.select(cell.unique()).collect().to_series())
            typed.append(cell if rounded else cell.cast(pl.Float64))
        elif separator == ";" and found[f"comma {name}"]:
            typed.append(_parse_decimal_comma(cell))
    return raw.with_columns(typed)


def type_columns(raw: "pl.DataFrame") -> "pl.DataFrame":
    """Columns of text -> numbers, booleans and text, with missing cells."""
    return _type_cells(_cleaned(raw), ",")


def _type_cells(cells: "pl.DataFrame", separator: str) -> "pl.DataFrame":
    import polars as pl

    return pl.DataFrame([_typed(column, separator) for column in cells])


def _cleaned(raw: Frame) -> Frame:
    import polars as pl

    text = pl.all().str.strip_chars()
    return raw.select(pl.when(text.is_in(MISSING)).then(None).otherwise(text).name.keep())


def _typed(column: "pl.Series", separator: str) -> "pl.Series":
    import polars as pl

    words = column.str.to_lowercase()
    if column.null_count() < len(column) and words.is_in(["true", "false"]).all():  # nulls do not count
        return words == "true"
    if column.to_frame().select(_are_codes(pl.col(column.name))).item():
        return column
    for dtype in (pl.Int64, pl.Float64):
        numbers = column.cast(dtype, strict=False)
        if numbers.null_count() == column.null_count():
            return column if dtype == pl.Float64 and _are_rounded(column) else numbers
    if separator == ";":
        cell = pl.col(column.name)
        table = column.to_frame()
        if table.select(_has_decimal_comma(cell).all()).item():  # nulls do not count
            return table.select(_parse_decimal_comma(cell)).to_series()
    return column


def _read_points(
    cells: "pl.DataFrame", typed: "pl.DataFrame", separator: str
) -> tuple["pl.DataFrame", tuple[str, ...]]:
    """Where other columns have commas before the fraction, 950 and 1.192 are a column of thousands; and a note."""
    import polars as pl

    numbers = (
        [name for name, dtype in typed.schema.items() if dtype == pl.Float64] if separator == ";" else []
    )
    found = [
        name
        for name in numbers
        if cells[name].str.contains(THOUSANDS).all() and cells[name].str.contains(".", literal=True).any()
    ]
    if not found or not any(_has_commas(column) for column in cells):
        return typed, ()
    whole = [pl.col(name).str.replace_all(".", "", literal=True).cast(pl.Int64) for name in found]
    note = f"Points stand between thousands in {listing(found)}, for commas stand before fractions elsewhere."
    return typed.with_columns(cells.select(whole).get_columns()), (note,)


def _has_commas(column: "pl.Series") -> bool:
    """Before the fraction, in most cells: 45,3 %; three digits may be thousands."""
    known = column.drop_nulls()
    commas = known.str.contains(FRACTION)
    return 2 * int(commas.sum()) > len(known)


def _has_decimal_comma(cell: "pl.Expr") -> "pl.Expr":
    return cell.str.replace(BRACKETS, "$1").str.contains(DECIMAL_COMMA)


def _parse_decimal_comma(cell: "pl.Expr") -> "pl.Expr":
    import polars as pl

    number = cell.str.replace_all(r"[^\d,+-]", "").str.replace(",", ".").cast(pl.Float64, strict=False)
    return pl.when(cell.str.starts_with("(")).then(-number).otherwise(number)


def _are_codes(cell: "pl.Expr") -> "pl.Expr":
    """Digits of one length, some after a zero; nulls do not count."""
    length = cell.str.len_bytes()
    is_one_length = (length.min() == length.max()).fill_null(False)
    return is_one_length & cell.str.contains(CODE).any() & cell.str.contains(r"^\d+$").all()


def _are_rounded(column: "pl.Series") -> bool:
    """Whole numbers beyond 64 bits that a float would change."""
    if not column.str.contains(r"^[-+]?\d+$").all():
        return False
    longest = column.filter(column.str.len_bytes() > EXACT_DIGITS).drop_nulls().unique().to_list()
    return any(int(float(cell)) != int(cell) for cell in longest if len(cell) < 300)


def _find_form(file: Path, header: int | None = None) -> Form:
    """The separator that cuts the line of names into most names; a comma when none does."""
    _check_first_line(file)
    choices = ("\t",) if ".tsv" in file.name.lower() else SEPARATORS
    forms = [_form_by(file, separator, header) for separator in choices]
    best = max(forms, key=lambda form: len(form.layout.names))
    _check_names(file, best.layout)
    return best


def _form_by(file: Path, separator: str, header: int | None) -> Form:
    found = list(islice(_records(file, separator), LOOKED_AT))
    if not found:
        raise ValueError(f"{_named(file)} is empty. Expected: a line of column names, then a line per row.")
    place = None if header is None else next((k for k, (line, _) in enumerate(found) if line >= header), None)
    if header is not None and place is None:
        raise ValueError(f"{_named(file)} has no line {header} near its top. Name the line of column names.")
    layout = find_layout([record for _, record in found], place)
    return Form(separator, layout, found[layout.first_row - 1][0])


def _is_plain(form: Form) -> bool:
    """Names in the first record, one for each cell of the rows right below."""
    return form.layout.first_row == 1 and not form.layout.unnamed


def _check_first_line(file: Path) -> None:
    """Before anything reads it whole: a file may be one line without an end."""
    try:
        with _opened(file) as text:
            found = text.readline(LONGEST_LINE)
    except UnicodeError as reason:
        raise _other_text(file, reason) from None
    except (EOFError, OSError, zlib.error) as reason:
        raise _unreadable(file, str(reason)) from None
    if len(found) == LONGEST_LINE and found[-1] not in "\r\n":
        raise ValueError(
            f"{_named(file)} has a first line of more than {LONGEST_LINE:,} characters. Expected: a line of column "
            "names, then a line per row."
        )


def _check_names(file: Path, layout: Layout) -> None:
    names = layout.names
    are_numbers = all(map(is_number, names)) and names != tuple(str(k) for k in range(len(names)))
    if are_numbers or layout.is_row:
        raise ValueError(
            f"{_named(file)} begins with {listing(names, 4)}, which look like a row and not like column "
            "names. Way out: put a line of column names first."
        )


def _blank_rows(file: Path, form: Form) -> tuple[list[int], int]:
    """Which rows are blank lines, or notes below the last row; how many notes. Any other row that has not the length of
    the header is an error, with its line."""
    blank: list[int] = []
    notes: list[tuple[int, int]] = []  # line, cells
    width = len(form.layout.names)
    for index, (line, record) in enumerate(_records(file, form.separator, form.above)):
        n_filled = sum(bool(cell.strip()) for cell in record)
        if notes and n_filled and len(record) == width:
            raise _ragged(file, *notes[0], width, form.separator)
        if len(record) == width:
            continue
        if n_filled > max(1, width // 3) or len(record) > width:
            raise _ragged(file, *(notes[0] if notes else (line, len(record))), width, form.separator)
        notes += [(line, len(record))] if n_filled else []
        blank.append(index)
    return blank, len(notes)


def _ragged(file: Path, line: int, found: int, width: int, separator: str) -> ValueError:
    return ValueError(
        f"{_named(file)}, line {line}: {found} cells, but the header names {width} columns. "
        f"Expected: {width} cells in each row, separated by {separator!r}, with nothing between two "
        "separators for a missing cell and quotes around a cell that holds a separator."
    )


def _records(file: Path, separator: str, above: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Each record with its line number, from the first that is not blank, or below line `above`. Slow and exact; read
    only where polars cannot say."""
    begun = above > 0
    try:
        with _opened(file) as text:
            reader = csv.reader(text, delimiter=separator)
            for record in reader:
                begun = begun or any(cell.strip() for cell in record)
                if begun and reader.line_num > above:
                    yield reader.line_num, record
    except UnicodeError as reason:
        raise _other_text(file, reason) from None
    except (csv.Error, EOFError, OSError, zlib.error) as reason:
        raise _unreadable(file, str(reason)) from None


def _opened(file: Path) -> TextIO:
    if file.name.lower().endswith(".gz"):
        return gzip.open(file, "rt", encoding=UTF_8, newline="")
    return file.open(encoding=_encoding(file), newline="")


def _start(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(4)


def is_utf_8(file: Path) -> bool:
    return _encoding(file) == UTF_8


def _encoding(file: Path) -> str:
    start = _start(file)
    if start[:2] in MARKS:
        return MARKS[start[:2]]
    if len(start) == 4 and (start[0::2] == b"\0\0") != (start[1::2] == b"\0\0"):  # UTF-16 without its mark
        return "utf-16-be" if start[0] == 0 else "utf-16-le"
    found = file.stat()
    return _find_encoding(file, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=64)
def _find_encoding(file: Path, size: int, changed: int) -> str:
    """UTF-8; Windows-1252 for what is not, and has nothing that such a file has not. `size`, `changed`: which file this
    was."""
    decoder, is_utf_8, is_western = codecs.getincrementaldecoder("utf-8")(), True, True
    with file.open("rb") as opened:
        while (is_utf_8 or is_western) and (piece := opened.read(PIECE)):
            if is_utf_8:
                try:
                    decoder.decode(piece)
                except UnicodeError:
                    is_utf_8 = False
            is_western = is_western and not NOT_WESTERN.search(piece)
    return WESTERN if is_western and not is_utf_8 else UTF_8


def _for_polars(file: Path, form: Form) -> Path | bytes:
    """polars reads UTF-8 only, and names from the first line."""
    has_lines = _has_line_feeds(file)
    if _encoding(file) == UTF_8 and _is_plain(form) and has_lines:
        return file
    with _opened(file) as text:
        if not _is_plain(form):
            for _ in range(form.above):
                text.readline()
        found = text.read()
    return (found if has_lines else found.replace("\r", "\n")).encode()


def _has_line_feeds(file: Path) -> bool:
    """False: lines end in carriage returns alone, as on an old Macintosh."""
    with file.open("rb") as opened:
        start = opened.read(PIECE)
    return b"\n" in start or b"\r" not in start or file.name.lower().endswith(".gz")


def _other_text(file: Path, reason: UnicodeError) -> ValueError:
    """Some other format, or an older encoding."""
    start = _start(file)
    for mark, what in OTHERS.items():
        if start.startswith(mark) and not file.name.lower().endswith(".gz"):
            return ValueError(
                f"{_named(file)} is not text: it begins like {what}. Expected: CSV, as UTF-8 text."
            )
    if start[:2] in MARKS:
        return ValueError(
            f"{_named(file)} begins like UTF-16 text, but not all of it is ({str(reason)[:80]}). It may be cut short: "
            "copy it again, or save the table as UTF-8."
        )
    shell = quote_shell(str(file))
    return ValueError(
        f"{_named(file)} is not UTF-8 text ({str(reason)[:60]}), nor Windows-1252. Make it UTF-8 first, from the "
        f"encoding it was written in, such as SHIFT_JIS: iconv -f SHIFT_JIS -t UTF-8 {shell} > utf8.csv"
    )


def _unreadable(file: Path, reason: str) -> ValueError:
    first_line = (reason.strip().splitlines() or ["unknown reason"])[0]
    return ValueError(
        f"{_named(file)} cannot be read as CSV: {first_line}. Expected: UTF-8 text, a line of column names, "
        "then a line per row. An opening quote without its closing one is a common cause."
    )


def _named(file: Path) -> str:
    return quote_path(file)
