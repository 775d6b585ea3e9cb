"""Files.   In: a path.   Out: a polars frame with every column typed, or an error that names the file.

A frame rather than a Table, so that the command line can split off the target column first. A pattern (sales-*.csv)
names several files of one form, which are read as one.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hedgerow.table.csv_file import read_csv, read_csv_names
from hedgerow.table.panics import hold_back_panics
from hedgerow.table.workbook import ENDINGS as WORKBOOKS
from hedgerow.table.workbook import read_workbook, stack_frames
from hedgerow.words import listing, quote, quote_path

if TYPE_CHECKING:
    import polars as pl

Read = TypeVar("Read")


@dataclass(frozen=True)
class FileOptions:
    """Where the table stands in a file, where that is not found by itself."""

    sheet: str | None = None  # of a workbook
    header: int | None = None  # the line of column names, counted from 1


@dataclass(frozen=True, eq=False)
class FileTable:
    frame: "pl.DataFrame"
    notes: tuple[str, ...] = ()  # how it was read: titles, units, new names


def read_frame(path: str | os.PathLike[str]) -> "pl.DataFrame":
    """The rows of a CSV (also .tsv, .txt, .csv.gz), Excel, Parquet, Feather, JSON or JSON-lines file."""
    return read_file(path).frame


def read_file(
    path: str | os.PathLike[str], options: FileOptions | None = None, *, allow_empty: bool = False
) -> FileTable:
    """`allow_empty`: a table without rows is one."""
    options = options or FileOptions()
    if has_magic(str(path)) and not Path(path).exists():
        return _read_several(str(path), options, allow_empty)
    return _read_one(Path(path).expanduser(), options, allow_empty)


def read_names(file: Path, options: FileOptions) -> list[str] | None:
    """Of the columns, where they can be read without the rows; None where they cannot, or nothing is there."""
    import polars as pl

    if not file.is_file() or not file.stat().st_size:
        return None
    reader = _reader(file)
    if reader is read_csv:
        return read_csv_names(file, options.header)
    if reader is _parquet:
        return list(guard_reading(file, "Parquet", lambda: pl.read_parquet_schema(file)))
    if reader is _feather:
        return list(guard_reading(file, "Feather (Arrow IPC)", lambda: pl.read_ipc_schema(file)))
    return None


def _read_several(pattern: str, options: FileOptions, allow_empty: bool) -> FileTable:
    files = sorted(map(Path, glob(str(Path(pattern).expanduser()), recursive=True)))
    if not files:
        raise FileNotFoundError(f"No file is named like {quote(pattern)}.")
    tables = [_read_one(file, options, allow_empty) for file in files]
    frame = stack_frames([table.frame for table in tables], list(map(_named, files)))
    notes = dict.fromkeys(note for table in tables for note in table.notes)
    return FileTable(frame, (f"{len(files)} files of one form, read as one table.", *notes))


def _read_one(file: Path, options: FileOptions, allow_empty: bool) -> FileTable:
    if file.is_dir():
        raise IsADirectoryError(
            f"{_named(file)} is a folder. Name one file in it, or several of one form: "
            f"{quote(str(file / '*.csv'))}."
        )
    if not file.suffix:  # a folder that was mistyped, rather than a file of another form
        _check_there(file)
    reader = _reader(file)
    _check_there(file)
    if reader is read_workbook:
        frame, notes = read_workbook(file, options.sheet, options.header)
    elif reader is read_csv:
        frame, notes = read_csv(file, options.header)
    else:
        frame, notes = reader(file), ()
    if frame.width == 0 or (frame.height == 0 and not allow_empty):
        raise ValueError(f"{_named(file)} holds no rows ({frame.width} columns). At least one row is wanted.")
    return FileTable(frame, notes)


def _reader(file: Path) -> Callable[..., Any]:
    """Chosen by the ending, before the file is opened: a wrong ending is the more useful thing to hear."""
    name = file.name.lower()
    for endings, reader in READERS.items():
        if name.endswith(endings):
            return reader
    if name.endswith(".hedgerow"):
        raise ValueError(
            f"{_named(file)} is a model, not a table. What it is: hedgerow show MODEL. For new rows: hedgerow predict "
            "MODEL ROWS. How good it is on others: hedgerow evaluate ROWS --model MODEL."
        )
    known = ", ".join(ending for endings in READERS for ending in endings)
    raise ValueError(
        f"{_named(file)} has an unknown ending. Known: {known}. "
        "Way out: save the table as CSV, or pass a frame."
    )


def _check_there(file: Path) -> None:
    if not file.exists():
        raise FileNotFoundError(f"No file {_named(file)}.{_near(file)}")
    if file.stat().st_size == 0:
        raise ValueError(f"{_named(file)} is empty (0 bytes). Expected: a table with column names and rows.")


def _near(file: Path) -> str:
    if not file.parent.is_dir():
        return f" The folder {quote(str(file.parent))} does not exist either."
    names = [other.name for other in file.parent.iterdir() if other.is_file()]
    near = get_close_matches(file.name, names, n=3, cutoff=0.5)
    return f" In that folder there is {listing(near)}: did you mean that?" if near else ""


def _parquet(file: Path) -> "pl.DataFrame":
    import polars as pl

    return guard_reading(file, "Parquet", lambda: pl.read_parquet(file, glob=False))


def _feather(file: Path) -> "pl.DataFrame":
    import polars as pl

    return guard_reading(file, "Feather (Arrow IPC)", lambda: pl.read_ipc(file))


def _json_lines(file: Path) -> "pl.DataFrame":
    """One object a line, or one list of objects."""
    import polars as pl

    with file.open("rb") as opened:
        is_list = opened.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    if is_list:
        return guard_reading(file, "JSON", lambda: pl.read_json(file, infer_schema_length=None))
    return guard_reading(file, "JSON lines", lambda: pl.read_ndjson(file, infer_schema_length=None))


def guard_reading(file: Path, format_name: str, read: Callable[[], Read]) -> Read:
    """What `read` gives; where it fails, an error that names the file, in words."""
    import polars as pl

    try:
        with hold_back_panics():
            return read()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as reason:
        first_line = str(reason).strip().splitlines()[0] if str(reason).strip() else type(reason).__name__
        raise ValueError(
            f"{_named(file)} cannot be read as {format_name}: {first_line}. The file may be cut short, or "
            "be of another format than its ending says; write it again."
        ) from None


def _named(file: Path) -> str:
    return quote_path(file)


READERS: dict[tuple[str, ...], Callable[..., Any]] = {
    (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt"): read_csv,
    WORKBOOKS: read_workbook,
    (".parquet",): _parquet,
    (".feather", ".arrow", ".ipc"): _feather,
    (".jsonl", ".ndjson", ".json"): _json_lines,
}
