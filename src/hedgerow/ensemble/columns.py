"""Members that look at some columns only.   In: a seed, a member's number.   Out: its columns; the rows with these
columns; its Tree in the numbering of all columns.
"""

from dataclasses import replace
from numbers import Integral

import numpy as np

from hedgerow.encode import Encoded, Schema
from hedgerow.encode.sparse import SparseEncoded
from hedgerow.tree.tree import NONE, Tree
from hedgerow.types import Count, Index


def columns_a_member(wanted: int | float, n_columns: int) -> int:
    """A number of columns, or a share of them."""
    return int(wanted) if isinstance(wanted, Integral) else max(1, int(wanted * n_columns))


def columns_of(seed: int, member: int, n_columns: int, size: int, *, repeat: bool) -> Count:
    """`size` columns in order; with `repeat`, drawn with replacement."""
    if size == n_columns and not repeat:
        return np.arange(n_columns)
    rng = np.random.default_rng([seed, member, 1])
    return np.sort(rng.choice(n_columns, size, replace=repeat))


def only(rows: Encoded, columns: Count) -> Encoded:
    if isinstance(rows, SparseEncoded):
        return rows.select_columns(columns)
    table, schema = rows.table, rows.schema
    return Encoded(
        table.select_places(columns),
        Schema(
            tuple(schema.names[j] for j in columns),
            tuple(schema.kinds[j] for j in columns),
            tuple(schema.levels[j] for j in columns),
            schema.named,
        ),
        tuple(rows.codes[j] for j in columns),
        rows.n_codes[columns],
        rows.n_missing[columns],
        tuple(rows.edges[j] for j in columns),
    )


def widen(tree: Tree, columns: Count, n_levels: Index) -> Tree:
    """A Tree of some columns, as one of all of them."""
    if np.array_equal(columns, np.arange(len(n_levels))):
        return tree
    place = np.append(columns, NONE).astype(np.int32)  # -1, at a leaf, stays -1
    return replace(
        tree,
        feature=place[tree.feature],
        n_levels=n_levels,
        surrogate_feature=place[tree.surrogate_feature],
    )
