"""Equal rows gathered.   In: a matrix, classes and weights.   Out: each different row once, in an order of its own,
with the weight of all its copies.

What is learned by drawing rows at random would otherwise depend on where a row stands, and on whether it stands there
twice or with weight two.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.types import Count, Float, FloatAny, Index


@dataclass(frozen=True, eq=False)
class Gathered:
    first: Count  # where each different row first stands
    weight: Float


def gather(matrix: FloatAny, codes: Index, weight: Float) -> Gathered:
    """Rows without weight are left out."""
    kept = np.flatnonzero(weight > 0)
    cells = np.column_stack([np.asarray(matrix, np.float64)[kept], codes[kept]]) + 0.0  # -0.0 is 0.0
    cells[np.isnan(cells)] = np.nan  # NaN has many bit patterns
    bits = np.ascontiguousarray(cells).view(np.dtype((np.void, cells.shape[1] * 8))).reshape(-1)
    _, first, place = np.unique(bits, return_index=True, return_inverse=True)
    return Gathered(kept[first], np.bincount(place.reshape(-1), weight[kept]).astype(np.float64))
