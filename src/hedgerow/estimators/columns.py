"""The columns an estimator has seen.   In: X and the Table made of it.   Out: `n_features_in_`, `feature_names_in_`,
or an error when X has other columns than in training.

What scikit-learn knows (arrays, frames) is checked by scikit-learn, in its words: its estimator checks demand that a
frame with its columns in another order is refused. Tables, files, dicts
and records are hedgerow's own and are matched by name.
"""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from hedgerow import encode
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.encode import Schema
from hedgerow.table import Table
from hedgerow.types import FloatAny


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


def _is_ours(X: Any) -> bool:
    records = isinstance(X, (list, tuple)) and bool(X) and isinstance(X[0], Mapping)
    return records or isinstance(X, (Table, str, os.PathLike, Mapping))
