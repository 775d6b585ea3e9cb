"""Rows split at random, in proportion.   In: a stratum for each row (its class, or 0), a seed.   Out: the fold of each
row, or which rows are held out.

    by stratum, shuffled within     a a a a a a b b b b b b
    dealt to three folds            0 1 2 0 1 2 0 1 2 0 1 2
    every fourth is held out          ^       ^       ^

So each stratum gives its share, as near as whole rows allow, and the same seed gives the same rows on every machine.
Written here in a few lines because loading scikit-learn's splitters takes longer than fitting most tables.
"""

import numpy as np

from hedgerow.types import Count, Mask


def stratified_split(strata: Count, share: float, seed: int, *, keep: int = 1) -> Mask:
    """Which rows are held out: about this share of each stratum; at least one row, and all but `keep` at most."""
    n_rows = len(strata)
    n_out = min(max(1, round(share * n_rows)), n_rows - keep)
    out = np.zeros(n_rows, bool)
    out[_by_stratum(strata, seed)[((np.arange(n_out) + 0.5) * n_rows / n_out).astype(np.int64)]] = True
    return out


def stratified_folds(strata: Count, n_folds: int, seed: int) -> Count:
    """The fold of each row, 0 to n_folds - 1."""
    fold = np.empty(len(strata), np.int64)
    fold[_by_stratum(strata, seed)] = np.arange(len(strata)) % n_folds
    return fold


def hold_out(strata: Count, share: float, seed: int) -> tuple[Count, Count]:
    """Training rows and held-out rows, in the order of the table; at least one is held out, two are not."""
    out = stratified_split(strata, share, seed, keep=2)
    return np.flatnonzero(~out), np.flatnonzero(out)


def _by_stratum(strata: Count, seed: int) -> Count:
    shuffled = np.random.default_rng(seed).permutation(len(strata))
    return shuffled[np.argsort(strata[shuffled], kind="stable")]
