"""Parameters of single columns: categories, monotone constraints, interaction groups.   In: an estimator's parameters
and the columns.   Out: a Table, a way for each column, groups of positions; or an error in scikit-learn's words."""

from dataclasses import replace
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.encode import Schema
from hedgerow.estimators.columns import is_array_of_numbers
from hedgerow.table import Table, to_table
from hedgerow.table.categories import as_categories
from hedgerow.types import Float, SmallInt
from hedgerow.words import did_you_mean, listing, quote


def read_table(estimator: Any, X: Any, schema: Schema | None) -> Table:
    """X with its categories; `schema`: of training, once there is one. As in scikit-learn, a number below zero is a
    missing cell in a column of numbers that the caller calls a category."""
    table = to_table(X)
    if _by_dtype(estimator.categorical_features):
        return table
    if schema is None:
        categories = categories_of(estimator.categorical_features, table)
    else:
        categories = [j for j, kind in enumerate(schema.kinds) if kind == "category"]
    if not categories:
        return table
    named = as_categories(table, categories)
    columns = [
        replace(old, values=np.where(old.numbers < 0, np.nan, old.numbers)) if new.kind != old.kind else old
        for old, new in zip(table.columns, named.columns, strict=True)
    ]
    if all(new is old for new, old in zip(columns, table.columns, strict=True)):
        return named
    return as_categories(replace(table, columns=tuple(columns)), categories)


def read_numbers(estimator: Any, X: Any, schema: Schema, threads: int) -> Float | None:
    """Rows of an array of numbers whose categories are whole numbers, as trees read them; None where it takes a Table.
    The same as read_table, which takes a hundred times longer for one row."""
    tables = None if _by_dtype(estimator.categorical_features) else schema.level_tables
    if tables is None or not is_array_of_numbers(estimator, X):
        return None
    return native.gradient_code_levels(X, *tables, threads)


def has_same_columns(a: Schema, b: Schema) -> bool:
    """The same codes mean the same cells."""
    return (a.names, a.kinds, a.levels) == (b.names, b.kinds, b.levels)


def _by_dtype(given: Any) -> bool:
    return given is None or (isinstance(given, str) and given == "from_dtype")


def categories_of(given: Any, table: Table) -> list[int]:
    """Positions of the columns that the caller calls categories: by name, by position or by a mask."""
    ways = "Give names, positions, a mask, 'from_dtype' or None."
    if isinstance(given, str):
        raise ValueError(f"categorical_features={given!r} is unknown. {ways}")
    if np.ndim(given) != 1 and not isinstance(given, (set, frozenset)):
        raise ValueError(f"categorical_features={given!r} is no list. {ways}")
    entries = [entry.item() if isinstance(entry, np.generic) else entry for entry in given]
    other = sorted({type(entry).__name__ for entry in entries if not isinstance(entry, (bool, int, str))})
    stored = np.asarray(given).dtype
    if other and stored.kind != "O":
        other = [stored.name]
    if other:
        raise ValueError(
            "categorical_features must be an array-like of bool, int or str, got: " + ", ".join(other) + "."
        )
    if entries and all(isinstance(entry, bool) for entry in entries):
        if len(entries) != len(table.columns):
            raise ValueError(
                "categorical_features set as a boolean mask must have shape (n_features,), got: "
                f"({len(entries)},) for {len(table.columns)} columns."
            )
        return [j for j, entry in enumerate(entries) if entry]
    return [_category(entry, table) for entry in entries]


def _category(entry: int | str, table: Table) -> int:
    if isinstance(entry, int):
        if not 0 <= entry < len(table.columns):
            raise ValueError(
                f"categorical_features set as integer indices must be in [0, n_features - 1] = [0, "
                f"{len(table.columns) - 1}], got: {entry}."
            )
        return entry
    if not table.named:
        raise ValueError(
            "categorical_features should be passed as an array of integers or as a boolean mask when the model is "
            "fitted on data without feature names."
        )
    if entry not in table.names:
        raise ValueError(
            f"categorical_features has an item value {entry!r} which is not a valid feature name of the training data. "
            f"Columns: {listing(table.names)}.{did_you_mean(entry, table.names)}"
        )
    return table.names.index(entry)


def monotone_of(given: Any, schema: Schema) -> SmallInt | None:
    if given is None:
        return None
    names = schema.names
    if isinstance(given, dict):
        unknown = [name for name in given if name not in names]
        if unknown:
            hint = did_you_mean(str(unknown[0]), names)
            raise ValueError(
                f"monotonic_cst contains {len(unknown)} unexpected feature names: {unknown}.{hint}"
            )
        given = [given.get(name, 0) for name in names]
    ways = np.asarray(given)
    if ways.shape != (len(names),):
        raise ValueError(
            f"monotonic_cst has shape {ways.shape} but the input data X has {len(names)} features. Give 1, -1 or 0 "
            "for each."
        )
    if not np.isin(ways, (-1, 0, 1)).all():
        found = np.unique(ways).tolist()
        raise ValueError(f"monotonic_cst must be an array-like of -1, 0 or 1. Observed values: {found}.")
    category = [
        name for name, kind, way in zip(names, schema.kinds, ways, strict=True) if way and kind == "category"
    ]
    if category:
        raise ValueError(
            f"Categorical features cannot have monotonic constraints, but {quote(category[0])} has one. Give it 0."
        )
    return ways.astype(np.int8) if ways.any() else None


def interactions_of(given: Any, schema: Schema) -> tuple[tuple[int, ...], ...]:
    d = len(schema.names)
    if given is None:
        return ()
    if isinstance(given, str) and given == "no_interactions":
        return tuple((j,) for j in range(d))
    if isinstance(given, str) and given == "pairwise":
        return tuple(combinations(range(d), 2)) if d > 1 else ((0,),)
    try:
        groups = [set(group) for group in given] if not isinstance(given, str) else None
    except TypeError:
        groups = None
    if groups is None:
        raise ValueError(
            f"Interaction constraints must be a sequence of tuples or lists, got: {given!r}. Give groups of columns, "
            "'pairwise' or 'no_interactions'."
        )
    placed = [{_place(entry, schema, group) for entry in group} for group in groups]
    rest = set(range(d)).difference(*placed)
    return tuple(tuple(sorted(group)) for group in [*placed, *([rest] if rest else [])])


def _place(entry: Any, schema: Schema, group: Any) -> int:
    if isinstance(entry, str) and entry in schema.names:
        return schema.names.index(entry)
    d = len(schema.names)
    if not isinstance(entry, Integral) or not 0 <= int(entry) < d:
        raise ValueError(
            f"Interaction constraints must consist of integer indices in [0, n_features - 1] = [0, {d - 1}], "
            f"specifying the position of features, got invalid indices: {group!r}"
        )
    return int(entry)
