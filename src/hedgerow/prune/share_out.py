"""Rows shared out.   In: a stratum for each row (its class, or 0), a seed.   Out: the fold of each row, or who is
held out.

    by stratum, shuffled within     a a a a a a b b b b b b
    dealt to three folds            0 1 2 0 1 2 0 1 2 0 1 2
    every fourth is held out          ^       ^       ^

The same seed gives the same rows on every machine.
"""

import numpy as np

from hedgerow.grow.target import Classes, Target
from hedgerow.types import Count, Mask


def strata_of(target: Target) -> Count:
    """Classes are shared out each by itself; numbers are not."""
    if isinstance(target, Classes):
        return target.codes.astype(np.int64)
    return np.zeros(len(target.values), np.int64)


def folds(strata: Count, n_folds: int, seed: int) -> Count:
    """The fold of each row, 0 to n_folds - 1."""
    fold = np.empty(len(strata), np.int64)
    fold[_by_stratum(strata, seed)] = np.arange(len(strata)) % n_folds
    return fold


def held_out(strata: Count, share: float, seed: int) -> Mask:
    """Which rows are set aside: about this share of each stratum, at least one row and never all."""
    n_rows = len(strata)
    n_out = min(max(1, round(share * n_rows)), n_rows - 1)
    out = np.zeros(n_rows, bool)
    out[_by_stratum(strata, seed)[((np.arange(n_out) + 0.5) * n_rows / n_out).astype(np.int64)]] = True
    return out


def _by_stratum(strata: Count, seed: int) -> Count:
    shuffled = np.random.default_rng(seed).permutation(len(strata))
    return shuffled[np.argsort(strata[shuffled], kind="stable")]
