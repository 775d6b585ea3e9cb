"""Rows for boosting.   In: X as the caller has it.   Out: BoostInput, dense or sparse, for training or prediction."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import validate_data

from hedgerow.boost.boost_input import BoostInput, SparseColumns
from hedgerow.core import threads_for
from hedgerow.encode import Schema, schema_of
from hedgerow.estimators.columns import compare_lengths, read_rows, remember_columns
from hedgerow.table import Table, to_table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Float


def training_rows(estimator: Any, X: Any, y: Any, sample_weight: Any) -> BoostInput:
    compare_lengths(X, y, sample_weight)
    if issparse(X) and _counts_words(estimator):
        X = validate_data(estimator, X=X, accept_sparse=("csr", "csc"), dtype=np.float64)
        return _sparse(estimator, X)
    if _is_block(estimator, X):
        X = validate_data(estimator, X=X, allow_nd=True, dtype=None)
        return BoostInput(len(X), tuple(f"x{j}" for j in range(X.shape[1])), given=X)
    table = to_table(X, categories=estimator.categorical_features)
    remember_columns(estimator, X, table)
    table = _named(estimator, table)
    threads = threads_for(estimator.n_jobs, table.n_rows * len(table.columns))
    return BoostInput(table.n_rows, table.names, table, schema_of(table), given=_as_given(X), threads=threads)


def new_rows(estimator: Any, X: Any, schema: Schema | None) -> BoostInput:
    """Rows whose columns are those of training."""
    if _is_block(estimator, X):
        X = validate_data(estimator, X=X, allow_nd=True, dtype=None, reset=False)
        return BoostInput(len(X), tuple(f"x{j}" for j in range(X.shape[1])), given=X)
    if schema is None or (issparse(X) and _counts_words(estimator)):
        X = validate_data(estimator, X=X, accept_sparse=("csr", "csc"), dtype=np.float64, reset=False)
        return _sparse(estimator, X)
    categories = [j for j, kind in enumerate(schema.kinds) if kind == "category"]
    table = to_table(X, categories=categories if estimator.categorical_features is not None else None)
    cells = read_rows(estimator, X, table, replace(schema, named=schema.named and table.named))
    threads = threads_for(estimator.n_jobs, cells.size)
    rows = BoostInput(table.n_rows, schema.names, table, schema, given=_as_given(X), threads=threads)
    rows.__dict__["cells" if isinstance(table, SparseTable) else "matrix"] = cells  # made by the check
    return rows


def select_rows(rows: BoostInput, places: Any, weight: Float) -> BoostInput:
    """Some of the rows. Whole weights say how many rows each stands for; a constant one says nothing."""
    counts = weight[places]
    whole = np.all(counts == np.floor(counts)) and not np.all(counts == counts[:1])
    counted = float(counts.sum()) if whole else None
    if len(places) == rows.n_rows:
        return replace(rows, counted=counted)
    given = None if rows.given is None else _safe_indexing(rows.given, places)
    if rows.sparse is not None:
        return replace(rows, n_rows=len(places), given=given, sparse=_columns(given), counted=counted)
    if rows.table is None:
        return replace(rows, n_rows=len(places), given=given, counted=counted)
    return replace(rows.take(places), given=given, counted=counted)


def _named(estimator: Any, table: Table) -> Table:
    """The columns under the names the caller gave for them."""
    names = estimator.feature_names
    if names is None:
        return table
    names = _names(names, len(table.columns))
    if isinstance(table, SparseTable):
        return table.with_names(names)
    columns = tuple(replace(column, name=name) for column, name in zip(table.columns, names, strict=True))
    return replace(table, columns=columns)


def _names(names: Any, n_columns: int) -> tuple[str, ...]:
    found = tuple(str(name) for name in names)
    if len(found) != n_columns:
        raise ValueError(
            f"feature_names has {len(found)} names, but X has {n_columns} columns. Give one a column."
        )
    return found


def _as_given(X: Any) -> Any:
    """X where another classifier can read it: an array, a frame, or sparse rows."""
    if issparse(X):
        return X if X.format in ("csr", "csc") else X.tocsr()
    return X if hasattr(X, "shape") and not isinstance(X, Table) else None


def _is_block(estimator: Any, X: Any) -> bool:
    """Rows of several dimensions (images), for a learner of the caller's that takes them: they are passed on."""
    return isinstance(X, np.ndarray) and X.ndim > 2 and hasattr(estimator.estimator, "get_params")


def _counts_words(estimator: Any) -> bool:
    """The weak learner reads the columns of counts, not a table."""
    return hasattr(estimator, "_reads_sparse") and bool(estimator._reads_sparse())


def _sparse(estimator: Any, X: Any) -> BoostInput:
    if estimator.feature_names is not None:
        names = _names(estimator.feature_names, X.shape[1])
    else:
        names = tuple(str(name) for name in getattr(estimator, "feature_names_in_", ())) or tuple(
            f"x{j}" for j in range(X.shape[1])
        )
    given = X.tocsr() if issparse(X) else X
    columns = _columns(csr_array(X))
    return BoostInput(
        X.shape[0],
        names,
        sparse=columns,
        given=given,
        threads=threads_for(estimator.n_jobs, len(columns.row)),
    )


def _columns(X: Any) -> SparseColumns:
    columns = X.tocsc(copy=True)
    columns.sum_duplicates()
    columns.eliminate_zeros()
    return SparseColumns(
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int32),
        columns.data.astype(np.float64),
        columns.shape[0],
    )
