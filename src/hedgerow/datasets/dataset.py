"""Dataset: a table with its answers.   In: one of the files in data/.   Out: a frozen Dataset."""

from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.table import Table, read_frame, to_table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Source:
    """Where a set is kept, and what the file itself cannot say."""

    name: str
    file: str
    target: str
    whole_numbers: bool = False  # the target is kept as text or as a category, but means an integer
    orders: tuple[tuple[str, tuple[str, ...]], ...] = ()  # column -> levels, where not alphabetical


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table with its target.

    Parameters
    ----------
    name : str
        Its name.
    table : Table
        The features.
    target : ndarray
        Text or integers, a cell for each row.
    target_name : str
        Name of the target's column.
    note : str
        Where it comes from, its licence, what it is.
    stored : polars.DataFrame
        The rows as stored, the target among the columns.

    See Also
    --------
    hedgerow.datasets.load : The data set of a name.

    Examples
    --------
    >>> from hedgerow import datasets
    >>> datasets.titanic().table.names
    ('pclass', 'sex', 'age', 'sibsp', 'parch')
    """

    name: str
    table: Table
    target: NDArray[Any]
    target_name: str
    note: str
    stored: "pl.DataFrame"

    def frame(self) -> "pl.DataFrame":
        """Get the rows as stored, the target among the columns.

        Returns
        -------
        polars.DataFrame
            The rows.
        """
        return self.stored

    def __repr__(self) -> str:
        values, counts = np.unique(self.target, return_counts=True)
        shown = ", ".join(f"{value} {count}" for value, count in list(zip(values, counts, strict=True))[:6])
        more = f", … {len(values) - 6} more" if len(values) > 6 else ""
        size = f"{self.table.n_rows} rows, {len(self.table.columns)} columns"
        return f"<Dataset {self.name}: {size}; target {self.target_name!r}: {shown}{more}>"


def open_dataset(source: Source) -> Dataset:
    frame = _read(source)
    note = (files("hedgerow.datasets") / "data" / f"{source.name}.md").read_text(encoding="utf-8")
    table = to_table(frame.drop(source.target))
    return Dataset(source.name, table, _answers(frame, source), source.target, note, frame)


def _read(source: Source) -> "pl.DataFrame":
    """The file as a frame. Integers are stored narrow and handed out wide, so that sums do not overflow."""
    import polars as pl
    import polars.selectors as cs

    with as_file(files("hedgerow.datasets") / "data" / source.file) as file:
        frame = read_frame(file)
    enums = [pl.col(column).cast(pl.Enum(levels)) for column, levels in source.orders]
    return frame.with_columns(cs.integer().cast(pl.Int64), *enums)


def _answers(frame: "pl.DataFrame", source: Source) -> NDArray[Any]:
    import polars as pl

    target = frame[source.target]
    if source.whole_numbers:
        return target.cast(pl.String).cast(pl.Int64).to_numpy()
    return np.array(target.cast(pl.String).to_list(), dtype=np.str_)
