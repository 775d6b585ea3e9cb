"""Schema: what a table must look like.   In: a Table.   Out: names, kinds and levels, by which a
new Table is put in order and made into the matrix of numbers that trees read.

In that matrix a number is itself, a boolean 0 or 1, a category the number of its level; a level never seen in
training is the number after the last one; a missing cell is NaN. The two are different, and so are their routes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hedgerow.core.sparse_rows import SparseRows
from hedgerow.table import Column, Kind, Table
from hedgerow.table.sparse import SparseTable
from hedgerow.table.texts import Texts
from hedgerow.types import Count, Float, FloatAny, Index
from hedgerow.words import listing

LARGEST_NUMBERED = 1 << 16  # a whole number that is a level and is looked up, not searched for


@dataclass(frozen=True)
class Schema:
    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    levels: tuple[tuple[str, ...], ...]  # () where the column is no category
    named: bool

    @cached_property
    def n_levels(self) -> Index:
        return np.array([len(levels) for levels in self.levels], np.int32)

    @cached_property
    def has_categories(self) -> bool:
        return any(kind == "category" for kind in self.kinds)

    @cached_property
    def level_tables(self) -> tuple[Index, Float, Count, Float] | None:
        """From whole numbers to level numbers (native/gradient/level_codes.hpp); None where a level is no such number,
        or a large one."""
        column = [j for j, kind in enumerate(self.kinds) if kind == "category"]
        codes = []
        for j in column:
            levels = self.levels[j]
            if not all(level.isdecimal() and str(int(level)) == level for level in levels):
                return None
            numbers = np.array([int(level) for level in levels])
            if numbers.max() > LARGEST_NUMBERED:
                return None
            codes.append(np.full(numbers.max() + 1, float(len(levels))))
            codes[-1][numbers] = np.arange(len(levels))
        if not column:
            return None
        start = np.cumsum([0, *map(len, codes)])
        unseen = self.n_levels[column].astype(np.float64)
        return np.array(column, np.int32), unseen, start, np.concatenate(codes)


def schema_of(table: Table) -> Schema:
    if isinstance(table, SparseTable):
        many = len(table.columns)
        return Schema(table.names, (table.kind,) * many, ((),) * many, table.named)
    columns = table.columns
    return Schema(
        tuple(column.name for column in columns),
        tuple(column.kind for column in columns),
        tuple(() if column.kind == "text" else column.levels for column in columns),
        table.named,
    )


def align(schema: Schema, table: Table) -> Table:
    """The table's columns in the schema's order: by name if both have names, else by place."""
    if schema.named and table.named:
        _refuse_other_names(schema, table.names)
        table = table if table.names == schema.names else table.select(schema.names)
    elif len(table.columns) != len(schema.names):
        raise ValueError(
            f"The table has {len(table.columns)} columns, but {len(schema.names)} were seen in training: "
            f"{listing(schema.names, 10)}. Give the same columns in the same order."
        )
    if isinstance(table, SparseTable):
        return _align_sparse(schema, table)
    for column, name, kind in zip(table.columns, schema.names, schema.kinds, strict=True):
        _refuse_other_kind(column, name, kind)
    return replace(table, columns=tuple(map(_as_kind, table.columns, schema.kinds)))


def _align_sparse(schema: Schema, table: SparseTable) -> SparseTable:
    if schema.has_categories:
        name = schema.names[schema.kinds.index("category")]
        raise ValueError(
            f"Column {name!r} was text or categories in training, but now X is sparse, that is of numbers. Give a "
            "table with the columns of training."
        )
    return table


def read_rows(schema: Schema, table: Table) -> FloatAny | SparseRows:
    """The rows as trees read them: those of a sparse table by their entries, all others as a matrix."""
    aligned = align(schema, table)
    return aligned.by_row if isinstance(aligned, SparseTable) else matrix(schema, table)


def matrix(schema: Schema, table: Table) -> FloatAny:
    """Rows x columns, as trees read them; the caller's own array where that is possible."""
    table = align(schema, table)
    if isinstance(table, SparseTable):
        return np.asarray(table.matrix.toarray())
    block = None if schema.has_categories else _in_one_piece(table.columns)
    if block is not None:
        return block
    # Column-major: each column is written, and read by the walk's few features, in one stretch.
    out: Float = np.empty((table.n_rows, len(schema.names)), np.float64, order="F")
    for j, (column, kind, levels) in enumerate(zip(table.columns, schema.kinds, schema.levels, strict=True)):
        out[:, j] = level_numbers(column, levels) if kind == "category" else column.values
    return out


def _in_one_piece(columns: Sequence[Column]) -> FloatAny | None:
    """The columns as one matrix, if they are views of one array, at equal distances in it."""
    first = columns[0].values
    if len(columns) > 1 and any(
        column.values.base is None or column.values.base is not first.base for column in columns
    ):
        return None  # owners of their own: the view would outlive all of them but the first
    start = [column.values.__array_interface__["data"][0] for column in columns]
    step = start[1] - start[0] if len(start) > 1 else first.itemsize
    if any(
        column.values.dtype != first.dtype or column.values.strides != first.strides for column in columns
    ):
        return None
    if start != list(range(start[0], start[0] + step * len(start), step)) if step else True:
        return None
    shape, strides = (len(first), len(columns)), (first.strides[0], step)
    return np.lib.stride_tricks.as_strided(first, shape, strides, writeable=False)


def level_numbers(column: Column, levels: tuple[str, ...]) -> Float:
    """A category column in the numbering of `levels`; unseen = len(levels), missing = NaN."""
    if column.kind != "category":  # a column without a single present cell
        return np.full(len(column.values), np.nan)
    place = {level: float(k) for k, level in enumerate(levels)}
    numbers = [place.get(level, float(len(levels))) for level in column.levels]
    return np.array([*numbers, np.nan])[column.values]  # code -1, missing, takes the last


def _refuse_other_names(schema: Schema, names: Sequence[str]) -> None:
    given, wanted = set(names), set(schema.names)
    missing = [name for name in schema.names if name not in given]
    extra = [name for name in names if name not in wanted]
    if missing or extra:
        parts = [f"missing: {listing(missing, 10)}"] * bool(missing) + [
            f"not seen in training: {listing(extra, 10)}"
        ] * bool(extra)
        raise ValueError(
            f"The table's columns are not those of training; {'; '.join(parts)}. Rename, add or drop columns so that "
            f"they are: {listing(schema.names, 10)}."
        )


def _refuse_other_kind(column: Column, name: str, kind: Kind) -> None:
    if column.is_coded == (kind in ("category", "text")) or column.missing.all():
        return
    found = f"text such as {column.levels[0]!r}" if column.is_coded else "numbers"
    wanted = "text or categories" if kind in ("category", "text") else "numbers"
    wanted = "dates" if kind in ("date", "datetime") else wanted
    way = "Write dates as 2024-12-31." if wanted == "dates" else "Convert it to what it was."
    raise ValueError(f"Column {name!r} was {wanted} in training, but now holds {found}. {way}")


def _as_kind(column: Column, kind: Kind) -> Column:
    """Text where training had text; numbers where a column without a single present cell had numbers."""
    if kind == "text" and column.kind != "text":
        empty = np.full(len(column.values), -1, np.int32)
        return Column(column.name, "text", column.values if column.is_coded else empty, Texts(column.levels))
    if column.is_coded and kind not in ("category", "text"):
        return Column(column.name, "number", np.full(len(column.values), np.nan))
    return column
