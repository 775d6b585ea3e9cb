"""Rows held out for testing.   In: a stratum for each row, a seed.   Out: row numbers."""

import numpy as np

from hedgerow.table.split import stratified_split
from hedgerow.types import Count


def hold_out(strata: Count, share: float, seed: int) -> tuple[Count, Count]:
    """Training rows and held-out rows, in the order of the table; at least one is held out, two are not."""
    out = stratified_split(strata, share, seed, keep=2)
    return np.flatnonzero(~out), np.flatnonzero(out)
