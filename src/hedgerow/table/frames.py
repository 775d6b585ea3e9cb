"""Frames.   In: a frame of pandas, polars, Arrow or whatever else narwhals knows.   Out: a Table.

narwhals says what a column is; how its levels and codes are reached differs by library, and that is in
frame_levels.py. Floats of 32 bits stay so, every other number becomes float64: integers beyond 2**53 are
rounded.
"""

from typing import Any

import numpy as np

from hedgerow.table.cells import from_cells
from hedgerow.table.checks import check_finite, check_size, text_names
from hedgerow.table.frame_levels import categorical_column, string_column
from hedgerow.table.levels import all_missing, boolean
from hedgerow.table.refuse import refuse_complex, refuse_nested, refuse_sparse, refuse_time
from hedgerow.table.table import Column, Table


def is_frame(data: object) -> bool:
    """A frame of narwhals' or of a library it knows, or anything that hands out an Arrow stream."""
    import narwhals as nw

    known = (nw.DataFrame, nw.LazyFrame)
    return (
        isinstance(data, known)
        or nw.dependencies.is_into_dataframe(data)
        or is_lazy(data)
        or hasattr(data, "__arrow_c_stream__")
    )


def is_series(data: object) -> bool:
    import narwhals as nw

    return isinstance(data, nw.Series) or nw.dependencies.is_into_series(data)


def from_frame(data: Any) -> Table:
    import narwhals as nw

    if is_lazy(data):
        data = nw.from_native(data).collect()
    native = nw.to_native(data, pass_through=True)
    if not nw.dependencies.is_into_dataframe(native):
        native = nw.to_native(nw.from_arrow(native, backend="polars"))
    names, named = text_names(_raw_names(native))  # before narwhals, whose message for copies has no way out
    frame = nw.from_native(native, eager_only=True)
    check_size(len(frame), len(names))
    columns = tuple(_column(name, series) for name, series in zip(names, frame.iter_columns(), strict=True))
    return Table(columns, len(frame), named)


def series_column(name: str, series: Any) -> Column:
    import narwhals as nw

    return _column(name, nw.from_native(series, series_only=True))


def is_lazy(data: object) -> bool:
    """A frame whose rows are still to be computed: of polars, duckdb, dask and others that narwhals knows."""
    import narwhals as nw

    if nw.dependencies.is_into_dataframe(data) or is_series(data):
        return False
    return isinstance(nw.from_native(data, pass_through=True), nw.LazyFrame)


def _raw_names(native: Any) -> list[object]:
    return list(native.column_names if hasattr(native, "column_names") else native.columns)


def _column(name: str, series: Any) -> Column:
    import narwhals as nw

    dtype = series.dtype
    if dtype == nw.Object or str(getattr(series.to_native(), "dtype", "")) == "object":
        return from_cells(name, series.to_list())
    if dtype == nw.Boolean:
        return boolean(name, series.cast(nw.Float64).to_numpy())
    if dtype.is_numeric():
        return _number(name, series)
    if dtype == nw.String:
        return string_column(name, series)
    if dtype in (nw.Categorical, nw.Enum):
        return categorical_column(name, series)
    return _unusual(name, series)


def _number(name: str, series: Any) -> Column:
    import narwhals as nw

    values = (series if series.dtype == nw.Float32 else series.cast(nw.Float64)).to_numpy()
    if values.dtype not in (np.float32, np.float64):
        values = values.astype(np.float64)
    check_finite(values, [name])
    return Column(name, "number", values)


def _unusual(name: str, series: Any) -> Column:
    native = str(getattr(series.to_native(), "dtype", getattr(series.to_native(), "type", series.dtype)))
    if native.lower() in ("null", "null[pyarrow]"):
        return all_missing(name, len(series))
    if series.dtype.is_temporal() or native.startswith("period"):
        raise refuse_time(name, native)
    if native.startswith("complex"):
        raise refuse_complex(name)
    if native.startswith("Sparse"):
        raise refuse_sparse(f"column {name!r}: {native}")
    raise refuse_nested(name, native)
