"""Folds for machines.   In: class numbers.   Out: the fold of each row; the rows of a class are dealt out in turn."""

import numpy as np

from hedgerow.types import Count, Index


def deal(codes: Index, n_folds: int, seed: int = 0) -> Count:
    fold = np.zeros(len(codes), np.int64)
    for code in np.unique(codes):
        own = np.flatnonzero(codes == code)
        fold[own] = np.random.default_rng([seed, int(code)]).permutation(len(own)) % n_folds
    return fold
