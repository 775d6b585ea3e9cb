"""All rows of a table of which a sample was prepared.   In: PreparedData of a sample, ColumnOptions.   Out: the other
rows block by block, each column read as in the sample; which rows are held out.

    position   0 1 2 3 4 5 6 7 8      in the sample: drawn by the position
    sample       ^     ^       ^      held out: drawn by the cells of the row, so that copies of a row stay together;
    held out       ^   ^     ^                  of a table whose rows are mostly equal to others, by the position;
                                                by the group, where rows have one

So a row is where it is whatever other rows are read, and nothing has to be kept of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.errors import Message
from hedgerow.intake.clean import coerce_to_numbers, find_numbers
from hedgerow.intake.columns import ColumnOptions
from hedgerow.intake.prepare import PreparedData, Samples, read_groups, read_weights
from hedgerow.intake.read import Sampled
from hedgerow.intake.task import read_labels
from hedgerow.table import Column, Table, to_table
from hedgerow.table.row_hash import hash_cells, hash_rows
from hedgerow.table.split import draw_keys
from hedgerow.table.texts import Texts
from hedgerow.types import Count, Mask

if TYPE_CHECKING:
    import polars as pl

MOSTLY_EQUAL = 0.5  # share of different rows in the sample, below which rows are equal by chance


@dataclass(eq=False)
class Reading:
    """How many rows went by."""

    n_train: int = 0
    n_held: int = 0
    n_unknown: int = 0  # of a class that the sample does not have


class LargeRows:
    def __init__(self, data: PreparedData, options: ColumnOptions, held_out: float, seed: int) -> None:
        assert data.source.sampled is not None
        self.data, self.options, self.share, self.seed = data, options, held_out, seed
        self.sampled: Sampled = data.source.sampled
        hashes = hash_rows(data.features)
        self._by_cells = len(np.unique(hashes)) > MOSTLY_EQUAL * len(hashes)

    def split_sample(self) -> tuple[Count, Count]:
        """Rows of the sample to learn from, and those held out."""
        own = self.data.samples
        held = self._is_held(replace(own, numbers=self.sampled.positions[own.numbers]))
        return np.flatnonzero(~held), np.flatnonzero(held)

    def training(self, reading: Reading) -> Iterator[Samples]:
        """Rows to learn from that are not in the sample. `reading` is called for all rows, also those of the sample."""
        for rows in self._rows(reading):
            held = self._is_held(rows)
            reading.n_held += int(held.sum())
            reading.n_train += len(rows) - int(held.sum())
            drawn = draw_keys(rows.numbers, self.sampled.seed) < self.sampled.share
            yield rows.take(np.flatnonzero(~held & ~drawn))

    def held_out(self, most: int, n_held: int) -> Samples:
        """Rows held out, in the sample or not; about `most` of them, drawn at random, where there are more."""
        kept = []
        share = min(1.0, most / max(1, n_held))
        for rows in self._rows(Reading()):
            drawn = draw_keys(rows.numbers, self.seed + 2) < share
            kept.append(rows.take(np.flatnonzero(self._is_held(rows) & drawn)))
        return join_samples([rows for rows in kept if len(rows)])

    def blocks_held_out(self) -> Iterator[Samples]:
        for rows in self._rows(Reading()):
            held = np.flatnonzero(self._is_held(rows))
            if len(held):
                yield rows.take(held)

    def _is_held(self, rows: Samples) -> Mask:
        """`rows.numbers`: positions in the whole table."""
        if rows.groups is not None:
            levels, codes = np.unique(rows.groups, return_inverse=True)
            groups = Column("", "category", codes.reshape(-1).astype(np.int32), tuple(levels.tolist()))
            keys = hash_cells(groups, 0)
        else:
            keys = hash_rows(rows.table) if self._by_cells else rows.numbers.astype(np.uint64)
        return np.asarray(draw_keys(keys, self.seed + 1) < self.share)

    def _rows(self, reading: Reading) -> Iterator[Samples]:
        at = 0
        for block in self.sampled.stream.blocks():
            rows = self._read(block, at, reading)
            at += block.height
            if len(rows):
                yield rows

    def _read(self, block: "pl.DataFrame", start: int, reading: Reading) -> Samples:
        target, features = self.data.target, self.data.features
        names = [*features.names, target.name]
        kinds = {column.name: column.kind for column in features.columns} | {target.name: target.kind}
        selected = _dates_as_text(block.select(names), kinds)
        frame = coerce_to_numbers(selected, find_numbers(kinds), self.data.orders)
        table = to_table(
            frame, categories=[name for name in features.names if kinds[name] in ("category", "text")]
        )
        column = table.column(target.name)
        known = ~column.missing
        labels = (
            read_labels(replace(column, values=column.values[known])) if target.classes is not None else None
        )
        if labels is None:
            values: NDArray[Any] = column.values[known].astype(np.float64)
        else:
            assert target.classes is not None
            place = np.minimum(np.searchsorted(target.classes, labels), len(target.classes) - 1)
            is_class = target.classes[place] == labels
            reading.n_unknown += int((~is_class).sum())
            known[np.flatnonzero(known)[~is_class]] = False
            values = place[is_class].astype(np.int32)
        kept = np.flatnonzero(known)
        marked = tuple(_mark(own, kinds[own.name]) for own in table.select(features.names).take(kept).columns)
        return Samples(
            Table(marked, len(kept), True),
            values,
            read_weights(block, self.options.weights, kept),
            read_groups(block, self.options.groups, kept),
            start + kept,
        )


def _dates_as_text(frame: "pl.DataFrame", kinds: dict[str, Any]) -> "pl.DataFrame":
    """Dates that the caller calls categories."""
    import polars as pl

    named = [
        n for n, dtype in frame.schema.items() if dtype.is_temporal() and kinds[n] in ("category", "text")
    ]
    return frame.with_columns(pl.col(named).cast(pl.String)) if named else frame


def _mark(column: Column, kind: Any) -> Column:
    """As the sample has it."""
    if kind == "text":
        return Column(column.name, "text", column.values, Texts(column.levels))
    if kind in ("date", "datetime") and column.kind == "number":
        return replace(column, kind=kind)
    return column


def to_frame(table: Table) -> "pl.DataFrame":
    """As a stream hands it to an estimator: numbers, true and false, text."""
    import polars as pl

    return pl.DataFrame([_series(column) for column in table.columns])


def _series(column: Column) -> "pl.Series":
    import polars as pl

    if column.is_coded:
        texts = pl.Series(column.name, [*column.levels, None], dtype=pl.String)
        return texts.gather(np.where(column.values < 0, len(column.levels), column.values))
    numbers = pl.Series(column.name, column.values, nan_to_null=True)
    return numbers.cast(pl.Boolean) if column.kind == "boolean" else numbers


def join_samples(parts: list[Samples]) -> Samples:
    """One after the other."""
    import polars as pl

    columns = []
    for j, first in enumerate(parts[0].table.columns):
        own = [part.table.columns[j] for part in parts]
        if not first.is_coded:
            columns.append(replace(first, values=np.concatenate([one.values for one in own])))
            continue
        joined = pl.concat([_series(one) for one in own])
        levels = joined.drop_nulls().unique().sort()
        codes = joined.replace_strict(levels, np.arange(len(levels)), default=-1, return_dtype=pl.Int32)
        texts = tuple(levels.to_list())
        columns.append(
            Column(first.name, first.kind, codes.to_numpy(), Texts(texts) if first.kind == "text" else texts)
        )

    def join(take: Callable[[Samples], Any]) -> Any:
        return None if take(parts[0]) is None else np.concatenate([take(part) for part in parts])

    numbers = join(lambda part: part.numbers)
    table = Table(tuple(columns), len(numbers), parts[0].table.named)
    return Samples(
        table,
        join(lambda part: part.target),
        join(lambda part: part.weight),
        join(lambda part: part.groups),
        numbers,
    )


def describe_learning(data: PreparedData, reading: Reading) -> Message:
    """Of a model that learned from all rows."""
    unknown = (
        f" {reading.n_unknown:,} rows of classes that the sample lacks are left out."
        if reading.n_unknown
        else ""
    )
    return Message(
        "The table ({}) is too large for the memory there is: it was read block by block, and the model learned from "
        "{} rows, each column in at most 255 bins. What the columns are was found in {} rows, drawn at random "
        "({memory}, in gigabytes, allows more).{}",
        *_sizes(data, f"{reading.n_train:,}"),
        unknown,
    )


def explain_sample(data: PreparedData, why: str) -> Message:
    """Of a model that learned from the sample. `why`: not from all rows."""
    return Message(
        "The table ({}) is too large for the memory there is, and this model needs its rows there ({}): {} of its "
        "rows, drawn at random, are used. gradient_boosting, forest, extra_trees and full_tree learn from all rows; "
        "more memory allows more rows ({memory}, in gigabytes).",
        *_sizes(data, why),
    )


def explain_quick(data: PreparedData) -> Message:
    """Of a quick study, which uses a part of the sample."""
    table, _, sample = _sizes(data, "")
    return Message(
        "The table ({}) is too large for the memory there is: what the columns are was found in {} rows, drawn at "
        "random, and the rows used were drawn from these. Without {quick}, gradient_boosting, forest, extra_trees and "
        "full_tree learn from all rows.",
        table,
        sample,
    )


def _sizes(data: PreparedData, middle: str) -> tuple[str, str, str]:
    sampled = data.source.sampled
    assert sampled is not None
    rows = f"{sampled.n_rows:,} rows of {len(sampled.stream.names)} columns"
    return rows, middle, f"{data.source.frame.height:,}"
