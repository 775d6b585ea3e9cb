"""Rank codes by sorting the distinct values."""

import numpy as np

from hedgerow.types import Count, FloatAny


def rank_codes(values: FloatAny) -> tuple[Count, int, int]:
    """The code of each cell (missing = number of codes), the number of codes, the number of missing cells."""
    missing = np.isnan(values)
    distinct = np.unique(values[~missing] + values.dtype.type(0))  # -0.0 + 0 is 0.0
    codes = np.searchsorted(distinct, np.where(missing, 0, values))
    return np.where(missing, len(distinct), codes), len(distinct), int(missing.sum())
