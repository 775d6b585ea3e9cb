"""The columns of a stream.   In: a TableStream and the names of its target and weights.   Out: the other columns as
Tables, block by block; their counts, which all bins follow from."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from hedgerow.estimators.columns import remember_columns
from hedgerow.gradient.counts import TableCounts, no_counts
from hedgerow.stream import TableStream
from hedgerow.table import Table, to_table
from hedgerow.types import Mask

if TYPE_CHECKING:
    import polars as pl

COUNT_AT_ONCE = 1 << 18  # rows: fewer would be gathered before they are counted


def name_columns(stream: TableStream, y: Any, sample_weight: Any) -> tuple[str, list[str]]:
    """The target's name, and those of the columns to learn from."""
    if not isinstance(y, str):
        raise TypeError(
            f"A stream was given with y of type {type(y).__name__}. Give the name of the target column: one of "
            f"{', '.join(map(repr, stream.names[:8]))}."
        )
    stream.check_column(y, "y")
    if isinstance(sample_weight, str):
        stream.check_column(sample_weight, "sample_weight")
    return y, [name for name in stream.names if name not in (y, sample_weight)]


class FeatureReader:
    """The columns that a model learns from, block by block."""

    def __init__(
        self, model: Any, stream: TableStream, names: list[str], read: Callable[[Table], Table]
    ) -> None:
        """`read`: a block with the categories that the model's parameters name."""
        self.model, self.stream, self.names, self.read = model, stream, names, read
        self.by_number: frozenset[int] = frozenset()

    def tables(self) -> Iterator[Table]:
        for block in self.stream.blocks(self.names):
            yield self._table(block)

    def _table(self, block: Any) -> Table:
        plain = to_table(block)
        table = self.read(plain)
        pairs = enumerate(zip(plain.columns, table.columns, strict=True))
        self.by_number |= {j for j, (old, new) in pairs if old.kind != new.kind and old.kind == "number"}
        return table

    def read_all(self) -> Table:
        import polars as pl

        return self._table(pl.concat(self.stream.blocks(self.names)))

    def count(self, use: Mask | None, threads: int) -> TableCounts:
        """Of the rows in `use`; the columns are remembered."""
        counts, at = None, 0
        for block in _gather(self.stream.blocks(self.names)):
            table = self._table(block)
            if counts is None:
                remember_columns(self.model, table, table)
                counts = no_counts(table.names, table.named)
            part = None if use is None else use[at : at + table.n_rows]
            counts.add(table, part, self.by_number, threads)
            at += table.n_rows
        assert counts is not None
        return counts


def _gather(blocks: "Iterator[pl.DataFrame]") -> "Iterator[pl.DataFrame]":
    """Small blocks put together: to count few rows takes as long as to count many."""
    import polars as pl

    kept: list[pl.DataFrame] = []
    for block in blocks:
        if kept and kept[0].schema != block.schema:
            yield pl.concat(kept)
            kept = []
        kept.append(block)
        if sum(part.height for part in kept) >= COUNT_AT_ONCE:
            yield pl.concat(kept)
            kept = []
    if kept:
        yield pl.concat(kept)
