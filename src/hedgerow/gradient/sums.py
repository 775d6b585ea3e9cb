"""Sums that have no order.   In: numbers of some rows.   Out: limbs, whole numbers that add up over any pieces of the
rows; rounded once, at the end (native/common/exact_sum.hpp)."""

import numpy as np

from hedgerow.core import native
from hedgerow.types import Count, Float

N_LIMBS = 66  # then how many terms were NaN, and how many infinite (less those below zero)
SCALE = 2**1075


def sum_limbs(values: Float, threads: int = 1) -> Count:
    return native.sum_exactly(np.ascontiguousarray(values, np.float64), threads)


def weigh_limbs(values: Float, weight: Float | None) -> Count:
    """Of values times weight, and of the weights: 2 x limbs."""
    own = np.ones(1) if weight is None else weight
    total = sum_limbs(own) * (len(values) if weight is None else 1)
    return np.stack([sum_limbs(values if weight is None else values * weight), total])


def round_limbs(limbs: Count) -> float:
    """The sum as the nearest float."""
    if limbs[N_LIMBS]:
        return float("nan")
    if limbs[N_LIMBS + 1]:
        return float("inf") if limbs[N_LIMBS + 1] > 0 else float("-inf")
    total = _whole(limbs)
    try:
        return total / SCALE
    except OverflowError:
        return float("inf") if total > 0 else float("-inf")


def exponent_of_limbs(limbs: Count) -> int:
    """As frexp has it: 2^(e - 1) <= the sum < 2^e."""
    return _whole(limbs).bit_length() - SCALE.bit_length() + 1


def _whole(limbs: Count) -> int:
    """The sum times SCALE."""
    return sum(int(limbs[k]) << 32 * k for k in np.flatnonzero(limbs[:N_LIMBS]).tolist())


def mean_of_limbs(pair: Count) -> float:
    """Of the two rows of weigh_limbs."""
    total, weight = (round_limbs(row) for row in pair)
    return total / weight
