"""Where rows come from.   In: a file's path, the name of a data set, or a frame.   Out: Source, a frame as it is.

A file in the current folder comes before a data set of the same name. Of a CSV larger than memory a random part of
the rows is read, with a remark.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.errors import Message
from hedgerow.table.csv_file import read_csv_sample
from hedgerow.table.read import FileOptions, read_file

if TYPE_CHECKING:
    import polars as pl

TARGET_WORDS = ("target", "y", "label", "labels", "class", "outcome", "response", "survived")
MEMORY_PER_BYTE = 6.0  # bytes of memory for a byte of CSV: its cells are read as text first


@dataclass(frozen=True, eq=False)
class Source:
    frame: "pl.DataFrame"
    name: str  # for people
    stem: str  # what files made from it are called
    target: str | None = None  # known for a data set that comes along
    note: str = ""  # about such a data set
    notice: Message | str = ""  # where not all rows were read
    notes: tuple[str, ...] = ()  # what was understood of the file: titles, units, new names
    file: FileOptions = field(default_factory=FileOptions)  # what the caller said of it


def read_source(
    data: Any, *, memory: float | None = None, random_state: int = 0, file: FileOptions | None = None
) -> Source:
    """`memory`: gigabytes that reading a CSV may take, or half of what is free; of a larger one some rows."""
    if not (isinstance(data, str) or hasattr(data, "__fspath__")):
        return Source(_to_polars(data), "a table", "study")
    return _read_named(str(data), memory, random_state, file or FileOptions())


def likely_target(names: list[str]) -> str:
    """A column named as targets are; else the last one."""
    return next((name for name in names if name.casefold() in TARGET_WORDS), names[-1])


def _read_named(data: str, memory: float | None, random_state: int, file: FileOptions) -> Source:
    from hedgerow import datasets

    if data in datasets.names() and not Path(data).exists():
        return _read_dataset(data)
    if not Path(data).suffix and not Path(data).exists() and "/" not in data:
        datasets.load(data)  # no file and no ending: meant as a name, so say which there are
    stem = Path(data).name.removesuffix(".gz").rpartition(".")[0]
    part = _read_sample(Path(data).expanduser(), memory, random_state)
    if part is not None:
        return Source(part[0], data, stem, notice=part[1])
    found = read_file(data, file)
    return Source(found.frame, data, stem, notes=found.notes, file=file)


def _read_dataset(name: str) -> Source:
    import polars as pl

    from hedgerow import datasets

    found = datasets.load(name)
    frame = found.frame().with_columns(pl.Series(found.target_name, found.target))
    return Source(frame, name, name, found.target_name, found.note)


def _to_polars(data: Any) -> "pl.DataFrame":
    import narwhals as nw
    import polars as pl

    if isinstance(data, pl.DataFrame):
        return data
    try:
        frame = nw.from_native(data, eager_only=True)
    except TypeError:
        raise TypeError(
            f"A {type(data).__name__} is no table that can be read. Wanted: a path, the name of a data set that comes "
            "along, or a frame (polars, pandas, Arrow)."
        ) from None
    return pl.from_arrow(frame.to_arrow())  # type: ignore[return-value]


def _read_sample(
    file: Path, memory: float | None, random_state: int
) -> tuple["pl.DataFrame", Message] | None:
    """Rows of the file and a notice; None if all of it fits, or if it is no plain CSV."""
    if not file.name.lower().endswith((".csv", ".tsv", ".txt")) or not file.is_file():
        return None
    size = file.stat().st_size
    share = _free_bytes(memory) / (MEMORY_PER_BYTE * max(1, size))
    if share >= 1:
        return None
    frame, total = read_csv_sample(file, share, random_state)
    return frame, Message(
        "The file ({} MB) is too large for the memory there is: {} of its {} rows, drawn at random, are used. More "
        "memory allows more ({memory}, in gigabytes).",
        f"{size / 2**20:,.0f}",
        f"{frame.height:,}",
        f"{total:,}",
    )


def _free_bytes(memory: float | None) -> int:
    """What reading may take: as given, in gigabytes, or half of what is free."""
    if memory is not None:
        return int(memory * 2**30)
    if not hasattr(os, "sysconf") or "SC_AVPHYS_PAGES" not in os.sysconf_names:
        return 2**62  # not known here: whatever there is
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
