"""Files.   In: a path.   Out: a polars frame with every column typed, or an error that names the file.

A frame rather than a Table, so that the command line can split off the target column first.
"""

import os
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from hedgerow.table.csv_file import read_csv
from hedgerow.table.panics import hold_back_panics
from hedgerow.words import listing, quote, quote_path

if TYPE_CHECKING:
    import polars as pl

Reader = Callable[[Path], "pl.DataFrame"]


def read_frame(path: str | os.PathLike[str]) -> "pl.DataFrame":
    """The rows of a CSV (also .tsv, .txt, .csv.gz), Parquet, Feather, JSON or JSON-lines file."""
    file = Path(path).expanduser()
    if file.is_dir():
        raise IsADirectoryError(f"{_named(file)} is a folder. Name one file in it.")
    reader = _reader(file)
    _check_there(file)
    frame = reader(file)
    if frame.width == 0 or frame.height == 0:
        raise ValueError(f"{_named(file)} holds no rows ({frame.width} columns). At least one row is wanted.")
    return frame


def _reader(file: Path) -> Reader:
    """Chosen by the ending, before the file is opened: a wrong ending is the more useful thing to hear."""
    name = file.name.lower()
    for endings, reader in READERS.items():
        if name.endswith(endings):
            return reader
    if name.endswith(SPREADSHEETS):
        raise ValueError(
            f"{_named(file)} is a spreadsheet, which is not read here. Way out: save the sheet as CSV UTF-8 "
            "(File, Save as), or read it with pandas or polars and pass the frame."
        )
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
        raise ValueError(f"{_named(file)} is empty (0 bytes). Wanted: a table with column names and rows.")


def _near(file: Path) -> str:
    if not file.parent.is_dir():
        return f" The folder {quote(str(file.parent))} does not exist either."
    names = [other.name for other in file.parent.iterdir() if other.is_file()]
    near = get_close_matches(file.name, names, n=3, cutoff=0.5)
    return f" In that folder there is {listing(near)}: did you mean that?" if near else ""


def _parquet(file: Path) -> "pl.DataFrame":
    import polars as pl

    return _guarded(file, "Parquet", lambda: pl.read_parquet(file, glob=False))


def _feather(file: Path) -> "pl.DataFrame":
    import polars as pl

    return _guarded(file, "Feather (Arrow IPC)", lambda: pl.read_ipc(file))


def _json_lines(file: Path) -> "pl.DataFrame":
    """One object a line, or one list of objects."""
    import polars as pl

    with file.open("rb") as opened:
        is_list = opened.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    if is_list:
        return _guarded(file, "JSON", lambda: pl.read_json(file, infer_schema_length=None))
    return _guarded(file, "JSON lines", lambda: pl.read_ndjson(file, infer_schema_length=None))


def _guarded(file: Path, format_name: str, read: Callable[[], "pl.DataFrame"]) -> "pl.DataFrame":
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


SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".numbers")
READERS: dict[tuple[str, ...], Reader] = {
    (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt"): read_csv,
    (".parquet",): _parquet,
    (".feather", ".arrow", ".ipc"): _feather,
    (".jsonl", ".ndjson", ".json"): _json_lines,
}
