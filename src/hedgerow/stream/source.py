"""TableStream: a table as blocks of rows, as often as wanted.

In: the path of a CSV or Parquet file, a folder or a pattern of Parquet files, a polars LazyFrame, a pyarrow Dataset,
blocks of Arrow or of any frame (a list, or an iterator).   Out: polars frames of `block_rows` rows each.

An iterator can be gone through only once, so that its blocks are written to a folder on the way, which is removed with
the stream. Where the rows are cut changes no answer: nothing that reads a stream may depend on it.
"""

import glob
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import finalize

from hedgerow.docstrings import document
from hedgerow.table.csv_file import scan_csv
from hedgerow.table.read import Read, guard_reading
from hedgerow.words import did_you_mean, listing, quote, quote_path

if TYPE_CHECKING:
    import polars as pl

BLOCK_ROWS = 65_536
CODE_MEMORY = 2 * 10**9  # bytes of codes and row sums that are kept in memory; beyond, they lie in a file
CSV = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt")
IPC = (".feather", ".arrow", ".ipc")


@document()
class TableStream:
    """Rows that are read block by block.

    Parameters
    ----------
    data : path, LazyFrame, Dataset or iterable of frames
        What to read.
    block_rows : int
        Rows of a block; no answer depends on it.
    memory : int
        Bytes of codes to keep in memory; beyond, they lie in a file in `folder`, which is removed afterwards.
    folder : path or None
        Where such a file lies. None for the system's folder of temporary files.
    header : int or None
        Of a CSV, the line of the column names, from 1. None for the first that looks so.

    See Also
    --------
    HistGradientBoostingClassifier : Its `fit` takes a stream.
    RandomForestClassifier : Its `fit` takes one too, and so does that of extra trees and single trees.

    Examples
    --------
    >>> import polars as pl
    >>> from hedgerow import TableStream
    >>> stream = TableStream(pl.LazyFrame({"x": range(10)}), block_rows=4)
    >>> sum(block.height for block in stream.blocks())
    10
    """

    def __init__(
        self,
        data: Any,
        *,
        block_rows: int = BLOCK_ROWS,
        memory: int = CODE_MEMORY,
        folder: str | os.PathLike[str] | None = None,
        header: int | None = None,
    ) -> None:
        if block_rows < 1:
            raise ValueError(f"block_rows={block_rows} is no number of rows. Give 1 or more.")
        self.block_rows, self.memory, self.folder = int(block_rows), int(memory), folder
        self._file = Path(data) if isinstance(data, str | os.PathLike) else None
        self._lazy, self._pieces = _open(data, folder, header)
        self.names = self._find_names()

    def blocks(self, columns: Sequence[str] | None = None) -> "Iterator[pl.DataFrame]":
        """Read all rows in their order, some columns of them.

        Parameters
        ----------
        columns : sequence of str or None
            Names of columns. None for all.

        Yields
        ------
        polars.DataFrame
            A block of rows.
        """
        wanted = list(self.names if columns is None else columns)
        for piece in self._read(wanted):
            for at in range(0, piece.height, self.block_rows):
                yield piece.slice(at, self.block_rows)

    def count_rows(self) -> int:
        """Count the rows: quick where the file says how many there are.

        Returns
        -------
        int
            How many rows there are.
        """
        import polars as pl

        if self._lazy is not None:
            lazy = self._lazy
            return int(self._guard(lambda: lazy.select(pl.len()).collect(engine="streaming")).item())
        return sum(_as_frame(piece).height for piece in self._pieces or ())

    def check_column(self, name: str, what: str) -> str:
        """Refuse the name of a column that is not there.

        Parameters
        ----------
        name : str
            The column.
        what : str
            The parameter it was given as.

        Returns
        -------
        str
            The name.
        """
        if name not in self.names:
            raise ValueError(
                f"{what}={quote(name)} is no column. Columns: {listing(self.names)}.{did_you_mean(name, self.names)}"
            )
        return name

    def _read(self, columns: list[str]) -> "Iterator[pl.DataFrame]":
        if self._lazy is not None:
            batches = self._lazy.select(columns).collect_batches(chunk_size=self.block_rows)
            while (piece := self._guard(lambda: next(batches, None))) is not None:
                yield piece
            return
        for piece in self._pieces or ():
            yield _as_frame(piece).select(columns)

    def _guard(self, read: Callable[[], Read]) -> Read:
        """Errors of a file speak of the file."""
        if self._file is None:
            return read()
        name = self._file.name.lower()
        known = "CSV" if name.endswith(CSV) else "Feather (Arrow IPC)" if name.endswith(IPC) else "Parquet"
        return guard_reading(self._file, known, read)

    def _find_names(self) -> tuple[str, ...]:
        if self._lazy is not None:
            return tuple(self._guard(self._lazy.collect_schema).names())
        first = next(iter(self._pieces or ()), None)
        if first is None:
            raise ValueError("The stream has no blocks. Expected: at least one block of rows.")
        return tuple(_as_frame(first).columns)


def is_stream(X: Any, y: Any) -> bool:
    """X is to be read block by block: it is a stream, or y names its target column."""
    return isinstance(X, TableStream) or (isinstance(y, str) and not _is_array(X))


def to_stream(X: Any) -> TableStream:
    return X if isinstance(X, TableStream) else TableStream(X)


def _is_array(X: Any) -> bool:
    return hasattr(X, "__array__") and not hasattr(X, "columns") and not hasattr(X, "column_names")


def _open(data: Any, folder: Any, header: int | None) -> "tuple[pl.LazyFrame | None, Iterable[Any] | None]":
    """A lazy frame, or pieces to go through again and again."""
    import polars as pl

    if isinstance(data, (str, os.PathLike)):
        return _scan_path(data, header), None
    if isinstance(data, pl.LazyFrame):
        return data, None
    if isinstance(data, pl.DataFrame):
        return data.lazy(), None
    if hasattr(data, "to_batches") and hasattr(data, "scanner"):  # a Dataset of pyarrow
        return pl.scan_pyarrow_dataset(data), None
    if _is_piece(data):
        return _as_frame(data).lazy(), None
    if isinstance(data, Iterator):
        return _spool(data, folder), None
    if isinstance(data, Iterable):
        return None, data
    raise TypeError(
        f"{quote(data)} ({type(data).__name__}) cannot be read block by block. Expected: the path of a CSV or Parquet "
        "file, a folder or pattern of Parquet files, a polars LazyFrame, a pyarrow Dataset, or an iterator of Arrow "
        "batches."
    )


def _scan_path(path: str | os.PathLike[str], header: int | None) -> "pl.LazyFrame":
    import polars as pl

    file = Path(path).expanduser()
    if file.is_dir():
        return _scan_parquet(_parquet_files(file.rglob("*.parquet"), file))
    if glob.has_magic(str(file)) and not file.exists():
        return _scan_parquet(_parquet_files(map(Path, glob.glob(str(file), recursive=True)), file))
    if not file.exists():
        raise FileNotFoundError(f"No file {quote_path(file)}.")
    name = file.name.lower()
    if name.endswith(CSV):
        return scan_csv(file, header)
    if name.endswith(".parquet"):
        return pl.scan_parquet(file, glob=False)
    if name.endswith(IPC):
        return pl.scan_ipc(file)
    raise ValueError(
        f"{quote_path(file)} has an ending that is not read block by block. Known: .parquet, {', '.join(CSV + IPC)}."
    )


def _scan_parquet(files: list[Path]) -> "pl.LazyFrame":
    """Folders such as year=2024 are columns."""
    import polars as pl

    in_folders = any("=" in name for file in files for name in file.parent.parts)
    return pl.scan_parquet(files, hive_partitioning=in_folders)


def _parquet_files(found: Iterable[Path], where: Path) -> list[Path]:
    files = sorted(file for file in found if file.name.endswith(".parquet"))
    if not files:
        raise FileNotFoundError(f"{quote_path(where)} holds no .parquet file. Expected: at least one.")
    return files


def _is_piece(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__") or hasattr(data, "iloc")


def _as_frame(piece: Any) -> "pl.DataFrame":
    import polars as pl

    if isinstance(piece, pl.DataFrame):
        return piece
    if not _is_piece(piece):
        raise TypeError(
            f"A block of the stream is {quote(piece)} ({type(piece).__name__}). Expected: Arrow batches, or frames."
        )
    return pl.from_pandas(piece) if hasattr(piece, "iloc") else pl.DataFrame(piece)


def _spool(pieces: Iterator[Any], folder: Any) -> "pl.LazyFrame":
    """The blocks of an iterator, written down while they go by."""
    import polars as pl

    own = Path(tempfile.mkdtemp(prefix="hedgerow-", dir=folder))
    files: list[Path] = []
    try:
        for piece in pieces:
            files.append(own / f"{len(files):08}.parquet")
            _as_frame(piece).write_parquet(files[-1])
    except BaseException:
        shutil.rmtree(own, ignore_errors=True)
        raise
    if not files:
        shutil.rmtree(own, ignore_errors=True)
        raise ValueError("The iterator gave no blocks. Expected: at least one block of rows.")
    lazy = pl.scan_parquet(files)
    finalize(lazy, shutil.rmtree, own, ignore_errors=True)
    return lazy
