"""Rows held out.   In: a stratum for each row, a seed.   Out: row numbers.

    by stratum, shuffled within     a a a a a a b b b b b b
    every fourth is held out          ^       ^       ^

So each stratum (class) gives its share, as near as whole rows allow, and the same seed gives the same rows.
Written here in a few lines because loading scikit-learn's splitters takes longer than fitting most tables.
"""

import numpy as np

from hedgerow.types import Count


def hold_out(strata: Count, share: float, seed: int) -> tuple[Count, Count]:
    """Training rows and held-out rows, in the order of the table; at least one is held out, two are not."""
    n_rows = len(strata)
    n_out = min(max(1, round(share * n_rows)), n_rows - 2)
    out = np.zeros(n_rows, bool)
    out[_by_stratum(strata, seed)[((np.arange(n_out) + 0.5) * n_rows / n_out).astype(np.int64)]] = True
    return np.flatnonzero(~out), np.flatnonzero(out)


def _by_stratum(strata: Count, seed: int) -> Count:
    shuffled = np.random.default_rng(seed).permutation(len(strata))
    return shuffled[np.argsort(strata[shuffled], kind="stable")]
