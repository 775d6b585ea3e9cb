"""Files written whole or not at all.   In: a path, bytes.   Out: the file, or the one that stood there before. And CSV.

The bytes go to a new file beside it, of a name nobody can guess and nobody had (O_EXCL), reach the disk, and are put in
place by one step. So a crash, a full disk or another writer leaves a whole file; a link that stands at the path is
replaced, never followed; and who could read the file before can read it after, no one else.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path
from secrets import token_hex
from shutil import disk_usage, rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from hedgerow.words import quote_path

if TYPE_CHECKING:
    import polars as pl

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
FULL, FORBIDDEN = (ENOSPC, EDQUOT), (EACCES, EPERM, EROFS)
STARTS = re.compile(r"^[=+\-@\t\r]")  # how a cell begins that a spreadsheet runs
PART = ".part"  # the ending of a file that is not whole yet


def write_atomically(file: Path, data: bytes) -> None:
    """The file, whole or not at all."""
    mode = _mode_of(file)
    beside = file.with_name(f".{file.name[:40]}.{token_hex(8)}{PART}")
    try:
        _write_new(beside, data, mode)
        _put_in_place(beside, file, mode)
    except OSError as reason:
        raise _explain(file, len(data), reason) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


@contextmanager
def write_in_parts(file: Path) -> Iterator[Path]:
    """A folder beside the file, for what is too large to be held in memory: what stands in it under the file's name in
    the end takes the file's place in one step. The folder goes, whatever happens."""
    mode = _mode_of(file)
    try:
        folder = Path(mkdtemp(prefix=".hedgerow-", suffix=PART, dir=file.parent))
    except OSError as reason:
        raise _explain(file, 0, reason) from None
    beside = folder / file.name
    try:
        yield folder
        if beside.is_file():
            _put_in_place(beside, file, mode)
    except OSError as reason:
        if reason.errno not in FULL:
            raise
        raise _explain(file, sum(part.stat().st_size for part in folder.iterdir()), reason) from None
    finally:
        rmtree(folder, ignore_errors=True)


def to_csv(frame: "pl.DataFrame", *, keep_formulas: bool = False) -> str:
    """CSV. Text that a spreadsheet would run as a formula gets an apostrophe before it, names of columns too."""
    import polars as pl

    if keep_formulas:
        return frame.write_csv()
    safe = frame.with_columns(
        pl.Series(column.name, [_neutralise(cell) for cell in column], pl.String)
        for column in frame
        if column.dtype == pl.String
    )
    return safe.rename({name: f"'{name}" for name in safe.columns if STARTS.search(name)}).write_csv()


def _neutralise(cell: str | None) -> str | None:
    return f"'{cell}" if cell and STARTS.search(cell) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _mode_of(file: Path) -> int | None:
    """Of the regular file that stands there; None where there is none."""
    try:
        found = os.lstat(file).st_mode
    except OSError:
        return None
    if not (stat.S_ISREG(found) or stat.S_ISLNK(found)):
        what = "a folder" if stat.S_ISDIR(found) else "no regular file"
        raise OSError(f"{quote_path(file)} is {what}, and is not replaced. Give another name.")
    return stat.S_IMODE(found) if stat.S_ISREG(found) else None


def _write_new(file: Path, data: bytes, mode: int | None) -> None:
    with os.fdopen(os.open(file, NEW, 0o666 if mode is None else 0o600), "wb") as out:
        out.write(data)


def _put_in_place(beside: Path, file: Path, mode: int | None) -> None:
    """In one step, once its bytes have reached the disk."""
    with beside.open("rb+") as out:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(out.fileno(), mode)
        os.fsync(out.fileno())
    os.replace(beside, file)
    _sync_folder(file.parent)


def _sync_folder(folder: Path) -> None:
    """So that the new name survives a power cut too, where the system can promise that."""
    with suppress(OSError):
        place = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)


def _explain(file: Path, size: int, reason: OSError) -> OSError:
    """Which file, how much is wanted, what is safe."""
    why = reason.strerror or str(reason)
    if reason.errno in FULL:
        why = f"the disk is full: {size:,} bytes are wanted, {_free_bytes(file.parent):,} are free"
        way = "Free some space, or give another place"
    elif reason.errno in FORBIDDEN:
        way = f"Give another place, or allow writing to the folder {quote_path(file.parent)}"
    else:
        way = "Give another place"
    kept = " What stood there before is unchanged." if file.exists() else ""
    return type(reason)(f"{quote_path(file)} cannot be written: {why}.{kept} {way}.")


def _free_bytes(folder: Path) -> int:
    with suppress(OSError):
        return disk_usage(folder).free
    return 0
