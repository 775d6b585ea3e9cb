"""Stratified folds for SVMs.   In: class numbers.   Out: the fold of each row; each class shuffled, dealt in turn.

With keys, equal rows stay together, and which fold they go to depends on their content alone: a row of weight 2 and the
same row twice are then trained on, and scored, alike. (table/split.py has other folds: one shuffle of all rows.)
"""

from typing import Any

import numpy as np

from hedgerow.types import Count, Index, Word


def assign_folds(codes: Index, n_folds: int, seed: int = 0) -> Count:
    fold = np.zeros(len(codes), np.int64)
    for code in np.unique(codes):
        own = np.flatnonzero(codes == code)
        fold[own] = np.random.default_rng([seed, int(code)]).permutation(len(own)) % n_folds
    return fold


def assign_folds_by_key(codes: Index, keys: Word, n_folds: int) -> Count:
    """Fold -1: the only row of its class, or copies of it, which must be learned from always."""
    fold = np.full(len(codes), -1, np.int64)
    for code in np.unique(codes):
        own = np.flatnonzero(codes == code)
        distinct, which = np.unique(keys[own], return_inverse=True)
        if len(distinct) > 1:
            dealt = np.random.default_rng([0, int(code)]).permutation(len(distinct))
            fold[own] = dealt[which] % min(n_folds, len(distinct))
    return fold


def hash_rows(X: Any) -> Word:
    """A number for each row of a matrix, dense or CSR; equal rows have equal numbers, whatever stands around them."""
    factor = np.random.default_rng(0).integers(0, 2**63, X.shape[1]).astype(np.uint64) * 2 + 1
    if isinstance(X, np.ndarray):
        total: Word = (_bits(X) * factor).sum(axis=1, dtype=np.uint64)
        return total
    cells = np.concatenate(
        [np.zeros(1, np.uint64), np.cumsum(_bits(X.data) * factor[X.indices], dtype=np.uint64)]
    )
    found: Word = cells[X.indptr[1:]] - cells[X.indptr[:-1]]
    return found


def _bits(values: Any) -> Word:
    """Of 0 none; the high half, where the bits of round numbers are, also stands in the low half."""
    bits = np.ascontiguousarray(values + 0.0, np.float64).view(np.uint64)  # -0.0 is 0.0
    mixed: Word = bits ^ (bits >> np.uint64(32))
    return mixed
