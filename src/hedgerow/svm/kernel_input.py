"""Rows as the native kernels take them.   In: a dense matrix, a sparse one, or a kernel matrix.   Out: KernelInput."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.types import Count, Float, Index


@dataclass(frozen=True)
class KernelInput:
    """One of three: `dense`; `starts`, `at`, `values` (CSR, columns ascending in a row); `gram`, a kernel matrix."""

    n_rows: int
    n_columns: int
    dense: Float | None = None
    starts: Count | None = None
    at: Index | None = None
    values: Float | None = None
    gram: Float | None = None  # kernel values; square in training
    chosen: Index | None = None  # rows (and columns) of gram that are meant; None: all

    @property
    def native_args(self) -> tuple[Float | None, Count | None, Index | None, Float | None, int]:
        """The same as the native module takes it."""
        return self.dense, self.starts, self.at, self.values, self.n_columns

    def take(self, which: Any) -> "KernelInput":
        """These rows; of a square kernel matrix also these columns."""
        which = np.asarray(which)
        if self.gram is not None:
            chosen = np.asarray(which if self.chosen is None else self.chosen[which], np.int32)
            return replace(self, n_rows=len(chosen), chosen=chosen)
        if self.dense is not None:
            return rows_of(self.dense[which])
        return rows_of(self.sparse()[which])

    def sparse(self) -> Any:
        from scipy.sparse import csr_matrix

        return csr_matrix((self.values, self.at, self.starts), shape=(self.n_rows, self.n_columns))


def rows_of(X: Any) -> KernelInput:
    """A NumPy matrix or a SciPy sparse one, already checked."""
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return KernelInput(
            n_rows=X.shape[0],
            n_columns=X.shape[1],
            starts=np.ascontiguousarray(X.indptr, np.int64),
            at=np.ascontiguousarray(X.indices, np.int32),
            values=np.ascontiguousarray(X.data, np.float64),
        )
    dense = np.ascontiguousarray(X, np.float64)
    return KernelInput(n_rows=dense.shape[0], n_columns=dense.shape[1], dense=dense)


def gram_rows(gram: Any) -> KernelInput:
    """A kernel matrix: rows x the rows it was computed against."""
    gram = np.ascontiguousarray(gram, np.float64)
    return KernelInput(gram.shape[0], gram.shape[1], gram=gram)
