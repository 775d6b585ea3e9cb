"""Files larger than memory.   In: a CSV and how much room there is.   Out: a random part of its rows, and a notice."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hedgerow.table.csv_file import read_csv_sample

if TYPE_CHECKING:
    import polars as pl

NEEDS = 6.0  # bytes of memory for a byte of CSV: its cells are read as text first


def sampled(file: Path, memory: float | None, seed: int) -> tuple["pl.DataFrame", str] | None:
    """Rows of the file and a notice; None if all of it fits, or if it is no plain CSV."""
    if not file.name.lower().endswith((".csv", ".tsv", ".txt")) or not file.is_file():
        return None
    size = file.stat().st_size
    share = _room(memory) / (NEEDS * max(1, size))
    if share >= 1:
        return None
    frame, total = read_csv_sample(file, share, seed)
    return frame, (
        f"The file ({size / 2**20:,.0f} MB) is too large for the memory there is: {frame.height:,} of its {total:,} "
        "rows, drawn at random, are used. More memory allows more (--memory GB)."
    )


def _room(memory: float | None) -> int:
    """Bytes that reading may take: as asked for, in gigabytes, or half of what is free."""
    if memory is not None:
        return int(memory * 2**30)
    if not hasattr(os, "sysconf") or "SC_AVPHYS_PAGES" not in os.sysconf_names:
        return 2**62  # not known here: whatever there is
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
