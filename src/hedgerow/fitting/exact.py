"""Sums without an order.   In: a target.   Out: the same, whose sums of weights and of numbers are exact, so that a
tree is the same to the bit whoever adds what first: on one machine, in blocks, on many workers.

    weights   are rounded to a grid of 2^-51 times their sum; whole numbers stay as they are
    numbers   the native grower rounds what it sums up, node by node (native/grow/grid.hpp)

Trees of bins (`max_bins`, streams, clusters) are grown this way; trees of exact codes add up in the order of the rows.
"""

from dataclasses import replace

import numpy as np

from hedgerow.gradient.sums import exponent_of_limbs, sum_limbs
from hedgerow.grow import Target
from hedgerow.types import Count, Float

BITS = 51
SMALLEST = -1074  # exponent of the smallest float above zero


def with_exact_sums(target: Target) -> Target:
    weight = target.weight
    if weight is not None:
        weight = round_weights(weight, weight_unit(sum_limbs(weight)))
    return replace(target, weight=weight, exact=True)


def weight_unit(limbs: Count) -> float:
    """A power of two. `limbs`: the sum of the weights, which may be more than the largest float."""
    return float(np.ldexp(1.0, max(exponent_of_limbs(limbs) - BITS, SMALLEST)))


def round_weights(weight: Float, unit: float) -> Float:
    """No row is lost."""
    return np.where(weight > 0, np.maximum(np.rint(weight / unit), 1.0) * unit, 0.0)
