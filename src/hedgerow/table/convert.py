"""The way in.   In: anything tabular.   Out: a Table, or an error that names the column, the row and a way
out.

    ndarray -> arrays.py     list, dict -> rows.py     frame -> frames.py     path -> read.py, then frames.py
    scipy.sparse -> sparse.py

NumPy comes first and touches no frame library; others are imported only for what is not NumPy or plain
Python.
"""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from hedgerow.table.arrays import from_array
from hedgerow.table.categories import Categories, as_categories
from hedgerow.table.frames import from_frame, is_frame, is_series
from hedgerow.table.read import read_frame
from hedgerow.table.refuse import refuse_one_column
from hedgerow.table.rows import from_columns, from_rows
from hedgerow.table.sparse import from_sparse
from hedgerow.table.table import Table
from hedgerow.words import quote


def to_table(data: Any, *, categories: Categories | None = None) -> Table:
    """The Table in `data`: a 2-D array, a list of rows or of dicts, a dict of columns, a frame of pandas,
    polars or Arrow, or the path of a file.

    Numbers are numbers (32-bit floats stay so, all else becomes a 64-bit float: integers beyond 2**53 are
    rounded), booleans are booleans, text and categoricals are categories. None, NaN, NA and null are missing.
    A NumPy array of text is made of categories, even where every cell reads as a number.

    categories: names, positions or a mask of the columns to take as categories although they hold numbers.
    """
    table = _converted(data)
    return table if categories is None else as_categories(table, categories)


def _converted(data: Any) -> Table:
    if isinstance(data, np.ndarray):
        return from_array(data)
    if isinstance(data, Table):
        return data
    if isinstance(data, (str, os.PathLike)):
        return from_frame(read_frame(data))
    if _is_sparse(data):  # before dicts: scipy's dictionary of keys is one
        return from_sparse(data)
    if isinstance(data, Mapping):
        return from_columns(data)
    if isinstance(data, (list, tuple)):
        return from_rows(data)
    return _from_object(data)


def _from_object(data: Any) -> Table:
    if is_series(data):
        raise refuse_one_column(type(data).__name__)
    if is_frame(data):
        return from_frame(data)
    if hasattr(data, "__array__"):
        return from_array(np.asarray(data))
    raise TypeError(
        f"{quote(data)} ({type(data).__name__}) is not a table. Expected: a 2-D array, a list of rows or of "
        "dicts, a dict of columns, a pandas, polars or Arrow frame, or the path of a file. Way out for an "
        "iterator: list(X)."
    )


def _is_sparse(data: object) -> bool:
    """scipy.sparse, or the package sparse: recognised by the type's module, with neither imported."""
    package = type(data).__module__.split(".")[0]
    return package in ("scipy", "sparse") and (hasattr(data, "toarray") or hasattr(data, "todense"))
