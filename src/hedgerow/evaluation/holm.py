"""Holm's correction.   In: p-values of a family of tests.   Out: p-values that hold for all of them at once."""

import numpy as np

from hedgerow.types import Float


def holm(p_values: Float) -> Float:
    """The smallest times their number, the next times one less, and so on, never falling (Holm 1979). NaN stays."""
    out = np.array(p_values, np.float64)
    known = np.flatnonzero(~np.isnan(out))
    order = known[np.argsort(out[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    out[order] = np.minimum(1.0, np.maximum.accumulate(out[order] * factors))
    return out
