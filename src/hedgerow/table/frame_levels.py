"""Levels and codes, reached natively.   In: a narwhals series of text or categories.   Out: a category
Column.

narwhals has no word for a categorical's codes, and going through strings costs a Python object per cell (and
loses nulls of Arrow dictionaries); each library has a fast way of its own, and there are three of them.
"""

import os
from typing import Any

import numpy as np

from hedgerow.table.cells import from_cells
from hedgerow.table.levels import declared, found, from_strings
from hedgerow.table.table import Column

PROCESS = os.getpid()  # that loaded this; polars' threads do not come along into a fork of it


def string_column(name: str, series: Any) -> Column:
    native = series.to_native()
    if series.implementation.is_polars():
        return _polars_found(name, native)
    if series.implementation.is_pyarrow():
        return _arrow_found(name, native)
    return _pandas_found(name, native)


def categorical_column(name: str, series: Any) -> Column:
    native = series.to_native()
    if series.implementation.is_polars():
        return _polars_categorical(name, native)
    if series.implementation.is_pyarrow():
        return declared(name, *_arrow_codes(native))
    if str(native.dtype) == "category":
        return declared(name, list(native.cat.categories), native.cat.codes.to_numpy())
    return from_cells(name, native.to_list())  # pandas around an Arrow dictionary


def _polars_categorical(name: str, native: Any) -> Column:
    """An Enum declares its levels. A Categorical does not: its codes come from a pool the whole process
    shares."""
    import polars as pl

    if isinstance(native.dtype, pl.Enum):
        levels = native.dtype.categories.to_list()
        return declared(
            name, levels, _codes_in_fork(native, levels) if is_forked() else _polars_codes(native)
        )
    return _polars_found(name, native.cast(pl.String))


def _polars_found(name: str, native: Any) -> Column:
    import polars as pl

    if is_forked():
        return from_strings(name, native.to_list(), len(native))
    levels = native.drop_nulls().unique().sort()
    return found(name, levels.to_list(), _polars_codes(native.cast(pl.Enum(levels))))


def is_forked() -> bool:
    """Then polars may do nothing but hand out its cells: the rest waits for threads that are not there, for ever."""
    return os.getpid() != PROCESS


def _codes_in_fork(native: Any, levels: list[str]) -> Any:
    code = {level: k for k, level in enumerate(levels)}
    return np.fromiter((code.get(cell, -1) for cell in native.to_list()), np.int32, len(native))


def _polars_codes(native: Any) -> Any:
    import polars as pl

    return native.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()


def _pandas_found(name: str, native: Any) -> Column:
    categories = native.astype("category").cat
    return found(name, list(categories.categories), categories.codes.to_numpy())


def _arrow_found(name: str, native: Any) -> Column:
    values, codes = _arrow_codes(native.cast("large_string").dictionary_encode())
    return found(name, values, codes)


def _arrow_codes(native: Any) -> tuple[list[Any], Any]:
    whole = native.combine_chunks()
    indices = whole.indices.cast("int32").fill_null(-1)
    return whole.dictionary.to_pylist(), np.asarray(indices.to_numpy(zero_copy_only=False))
