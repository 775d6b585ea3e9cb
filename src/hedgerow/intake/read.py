"""Where rows come from.   In: a file's path, the name of a data set, or a frame.   Out: Source, a frame as it is.

A file in the current folder comes before a data set of the same name. Of a CSV, Parquet or Feather file, or a folder
of Parquet files, that is larger than memory a random sample of the rows is read, with a remark; all of them can be read
block by block (large.py).
"""

import math
import os
from dataclasses import dataclass, field
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.errors import Message
from hedgerow.stream import TableStream
from hedgerow.table.read import FileOptions, read_file, read_names
from hedgerow.table.split import draw_keys
from hedgerow.types import Count

if TYPE_CHECKING:
    import polars as pl

TARGET_WORDS = ("target", "y", "label", "labels", "class", "outcome", "response", "survived")
MEMORY_PER_BYTE = 6.0  # bytes of memory for a byte of CSV: its cells are read as text first
MEMORY_PER_CELL = 24  # of Parquet: as it comes, as a table, and while one becomes the other


@dataclass(frozen=True, eq=False)
class Sampled:
    """A table of which a sample was read: the row at position p, if draw_keys(p, seed) < share."""

    stream: TableStream
    n_rows: int  # of all
    share: float
    seed: int
    positions: Count  # of the rows in the sample


@dataclass(frozen=True)
class Header:
    """What is known of a table before its rows are read."""

    name: str  # for people
    columns: list[str]
    target: str | None = None  # known for a data set that comes along


@dataclass(frozen=True, eq=False)
class Source:
    frame: "pl.DataFrame"
    name: str  # for people
    stem: str  # what files made from it are called
    target: str | None = None  # known for a data set that comes along
    note: str = ""  # about such a data set
    notice: Message | str = ""  # where not all rows were read
    sampled: Sampled | None = None  # where not all rows were read
    notes: tuple[str, ...] = ()  # what was noticed in the file: titles, units, new names
    file: FileOptions = field(default_factory=FileOptions)  # what the caller said of it

    @property
    def header(self) -> Header:
        return Header(self.name, self.frame.columns, self.target)


def read_source(
    data: Any, *, memory: float | None = None, random_state: int = 0, file: FileOptions | None = None
) -> Source:
    """`memory`: gigabytes that reading may take, or half of what is free; of a larger table some rows."""
    if not (isinstance(data, str) or hasattr(data, "__fspath__")):
        return Source(_to_polars(data), "a table", "study")
    return _read_named(str(data), memory, random_state, file or FileOptions())


def read_header(data: Any, file: FileOptions) -> Header | None:
    """Of one CSV, Parquet or Feather file, or a data set that comes along; None of others, which are read whole."""
    from hedgerow import datasets

    if not (isinstance(data, str) or hasattr(data, "__fspath__")):
        return None
    if str(data) in datasets.names() and not Path(data).exists():
        return _read_dataset(str(data)).header
    names = read_names(Path(data).expanduser(), file)
    return None if names is None else Header(str(data), names)


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
    large = _find_large(Path(data).expanduser(), _free_bytes(memory), file)
    if large is not None:
        return _read_sample(data, stem or Path(data).name, *large, random_state)
    if Path(data).expanduser().is_dir() and _is_parquet(Path(data).expanduser()):
        return Source(_read_all(TableStream(data)), data, Path(data).resolve().name)
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
            f"A {type(data).__name__} is no table that can be read. Expected: a path, the name of a bundled data set, "
            "or a frame (polars, pandas, Arrow)."
        ) from None
    return pl.from_arrow(frame.to_arrow())  # type: ignore[return-value]


def _is_parquet(path: Path) -> bool:
    """A Parquet file, a pattern for some, or a folder that has one, itself or in folders such as year=2024."""
    if path.is_dir():
        return any(next(path.glob(pattern), None) for pattern in ("*.parquet", "*=*/**/*.parquet"))
    return path.name.lower().endswith(".parquet") and (path.is_file() or has_magic(str(path)))


def _find_large(path: Path, memory: int, file: FileOptions) -> tuple[TableStream, float] | None:
    """All rows, and the share of them that the memory has room for; None where it has room for all, or where the form
    of the file does not say how large it is."""
    if path.is_file() and path.name.lower().endswith((".csv", ".tsv", ".txt")):
        wanted = MEMORY_PER_BYTE * path.stat().st_size
        return (
            (TableStream(path, memory=memory, header=file.header), _round_share(memory / wanted))
            if wanted > memory
            else None
        )
    is_feather = path.is_file() and path.name.lower().endswith((".feather", ".arrow", ".ipc"))
    if not is_feather and not _is_parquet(path):
        return None
    stream = TableStream(path, memory=memory)
    wanted = MEMORY_PER_CELL * len(stream.names) * stream.count_rows()
    return (stream, _round_share(memory / wanted)) if wanted > memory else None


def _round_share(share: float) -> float:
    """Half, a quarter ...: what is free differs from run to run, and the rows should not."""
    return 2.0 ** math.floor(math.log2(share))


def _read_sample(data: str, stem: str, stream: TableStream, share: float, seed: int) -> Source:
    import polars as pl

    kept, positions, at = [], [], 0
    for block in stream.blocks():
        drawn = np.flatnonzero(draw_keys(at + np.arange(block.height), seed) < share)
        kept.append(block[drawn])
        positions.append(at + drawn)
        at += block.height
    frame = pl.concat(kept)
    if not frame.height:
        raise ValueError(f"The memory there is has room for no row of {data!r}. Give more.")
    notice = Message(
        "The table ({} rows of {} columns) is too large for the memory there is: {} of its rows, drawn at random, are "
        "used. More memory allows more ({memory}, in gigabytes).",
        f"{at:,}",
        len(stream.names),
        f"{frame.height:,}",
    )
    sampled = Sampled(stream, at, share, seed, np.concatenate(positions))
    return Source(frame, data, stem, notice=notice, sampled=sampled)


def _read_all(stream: TableStream) -> "pl.DataFrame":
    import polars as pl

    return pl.concat(stream.blocks())


def _free_bytes(memory: float | None) -> int:
    """What reading may take: as given, in gigabytes, or half of what is free."""
    if memory is not None:
        return int(memory * 2**30)
    if not hasattr(os, "sysconf") or "SC_AVPHYS_PAGES" not in os.sysconf_names:
        return 2**62  # not known here: whatever there is
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
