"""The columns an estimator has seen.   In: X and the Table made of it.   Out: `n_features_in_`, `feature_names_in_`,
or an error when X has other columns than in training.

What scikit-learn knows (arrays, frames) is checked by scikit-learn, in its words: its estimator checks demand that a
frame with its columns in another order is refused. Tables, files, dicts, records
and lazy frames are hedgerow's own and are matched by name.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from hedgerow import encode
from hedgerow.core import native, threads_for
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.encode import Schema
from hedgerow.fitting.target import check_sample_weight
from hedgerow.table import Table, to_table
from hedgerow.types import Float, FloatAny


def read_training_rows(
    estimator: Any, X: Any, y: Any, sample_weight: Any, read: Callable[[Any], Table] | None = None
) -> tuple[Table, Float | None]:
    """X as a Table, by `read` where an estimator has a way of its own, and the weight of each row."""
    compare_lengths(X, y, sample_weight)
    table = to_table(X, categories=estimator.categorical_features) if read is None else read(X)
    remember_columns(estimator, X, table)
    return table, check_sample_weight(sample_weight, table.n_rows)


def compare_lengths(X: Any, y: Any, sample_weight: Any) -> None:
    """Before cells are read, which may take a while."""
    if len(getattr(X, "shape", ())) != 2:
        return
    n_rows = X.shape[0]
    if _length(y) not in (None, n_rows):
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: y has {_length(y)} entries, but X has "
            f"{n_rows} rows. Give one target a row."
        )
    if _length(sample_weight) not in (None, n_rows):
        check_sample_weight(sample_weight, n_rows)  # which says what is wrong


def _length(given: Any) -> int | None:
    """None of what has no length, such as an array of no dimension."""
    shape = getattr(given, "shape", None)
    if isinstance(shape, tuple):
        return int(shape[0]) if shape else None
    return len(given) if hasattr(given, "__len__") and not isinstance(given, str) else None


def remember_columns(estimator: Any, X: Any, table: Table) -> None:
    if not _is_ours(X):
        validate_data(estimator, X=X, skip_check_array=True)
        return
    estimator.n_features_in_ = len(table.columns)
    if table.named:
        estimator.feature_names_in_ = np.array(table.names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def check_columns(estimator: Any, X: Any) -> None:
    """X's columns are those of training."""
    if not _is_ours(X):
        validate_data(estimator, X=X, skip_check_array=True, reset=False)


def read_rows(estimator: Any, X: Any, table: Table, schema: Schema) -> FloatAny | SparseRows:
    """X as a tree reads it, its columns those of training."""
    check_columns(estimator, X)
    return encode.read_rows(schema, table)


def is_plain(estimator: Any, X: Any, schema: Schema) -> bool:
    """An array of numbers as the trees read it: nothing to find fault with, nothing to convert. A table of its columns
    and its checks would take longer than walking a row through a hundred trees, or a wide row through one."""
    return not schema.has_categories and is_array_of_numbers(estimator, X)


def is_array_of_numbers(estimator: Any, X: Any) -> bool:
    """Finite or missing, with as many columns as in training, which had no names."""
    return (
        type(X) is np.ndarray
        and X.ndim == 2
        and X.dtype.char in "fd"
        and X.dtype.isnative
        and X.shape[1] == estimator.n_features_in_
        and X.shape[0] > 0
        and not hasattr(estimator, "feature_names_in_")
        and not native.any_infinite(X, threads_for(getattr(estimator, "n_jobs", None), X.size))
    )


def in_memory(X: Any) -> Any:
    """X as scikit-learn's checks read it: the rows of a lazy frame, or of an Arrow stream, become a frame."""
    if isinstance(X, np.ndarray) or _sklearn_knows(X):
        return X
    import narwhals as nw

    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame) and hasattr(X, "__arrow_c_stream__"):
        frame = nw.from_arrow(X, backend="polars")
    return frame.to_pandas() if isinstance(frame, nw.DataFrame) else X


def check_matrix(estimator: Any, X: Any, *, reset: bool, sparse: str | bool = "csr") -> Any:
    """A matrix of finite float64 by rows, dense or CSR, as scikit-learn's validate_data has it. One that is so already
    is let through: the checks take longer than fitting or predicting a few rows."""
    if _is_plain(estimator, X, reset):
        if reset:
            estimator.n_features_in_ = X.shape[1]
        return X
    return validate_data(
        estimator,
        in_memory(X),
        accept_sparse=sparse,
        dtype=np.float64,
        order="C",
        accept_large_sparse=False,
        reset=reset,
    )


def _is_plain(estimator: Any, X: Any, reset: bool) -> bool:
    if (
        type(X) is not np.ndarray
        or X.dtype != np.float64
        or X.ndim != 2
        or hasattr(estimator, "feature_names_in_")
    ):
        return False
    whole = X.flags.c_contiguous and X.size > 0 and (reset or X.shape[1] == estimator.n_features_in_)
    with np.errstate(over="ignore", invalid="ignore"):
        return whole and bool(np.isfinite(X.sum()))


def _is_ours(X: Any) -> bool:
    if isinstance(X, np.ndarray):
        return False
    records = isinstance(X, (list, tuple)) and bool(X) and isinstance(X[0], Mapping)
    return records or isinstance(X, (Table, str, os.PathLike, Mapping)) or not _sklearn_knows(X)


def _sklearn_knows(X: Any) -> bool:
    """Lists, arrays, sparse matrices and frames in memory; not lazy frames, nor what only hands out an Arrow stream."""
    return isinstance(X, (list, tuple)) or any(
        hasattr(X, name) for name in ("__array__", "__dataframe__", "toarray")
    )
