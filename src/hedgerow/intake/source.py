"""Where rows come from.   In: a file's path, or the name of a data set.   Out: Source, a frame as it is.

A file in the current folder comes before a data set of the same name.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hedgerow.intake.large import sampled

if TYPE_CHECKING:
    import polars as pl

TARGET_WORDS = ("target", "y", "label", "labels", "class", "outcome", "response", "survived")


@dataclass(frozen=True, eq=False)
class Source:
    frame: "pl.DataFrame"
    stem: str  # what files made from it are called
    target: str | None = None  # known for a data set that comes along
    note: str = ""
    sampled: str = ""  # a notice, where not all rows were read


def open_source(data: str, *, memory: float | None = None, seed: int = 0) -> Source:
    """`memory`: gigabytes that reading a CSV may take, or half of what is free; of a larger one some rows."""
    from hedgerow import datasets
    from hedgerow.table import read_frame

    if data in datasets.names() and not Path(data).exists():
        return _embedded(data)
    if not Path(data).suffix and not Path(data).exists() and "/" not in data:
        datasets.load(data)  # no file and no ending: meant as a name, so say which there are
    stem = Path(data).name.removesuffix(".gz").rpartition(".")[0]
    part = sampled(Path(data).expanduser(), memory, seed)
    if part is not None:
        return Source(part[0], stem, sampled=part[1])
    return Source(read_frame(data), stem)


def _embedded(name: str) -> Source:
    import polars as pl

    from hedgerow import datasets

    found = datasets.load(name)
    frame = found.frame().with_columns(pl.Series(found.target_name, found.target))
    return Source(frame, name, found.target_name, found.note)


def likely_target(names: list[str]) -> str:
    """A column named as targets are; else the last one."""
    return next((name for name in names if name.casefold() in TARGET_WORDS), names[-1])
