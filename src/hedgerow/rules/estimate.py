"""How often a rule will be wrong.   In: the weight it covers, and how much of it is of another class.
Out: an estimated error rate, for numbers or arrays of them.

Pessimistic (C4.5, Quinlan 1993): the error rate U at which so few errors would be a surprise,

    P(at most `wrong` errors in `total` rows | U) = confidence          U(0, 6) = 0.206 at confidence 0.25

The binomial tail is solved exactly, through the beta distribution; weights need not be whole. (C4.5's program
approximates where there are errors: U(1, 16) = 0.157, where the tail has 0.160.)

Held-out rows were not looked at before, so their share of errors needs no such caution; but a rule that covers
few of them, or none, is moved towards one in two: half a row right and half a row wrong are added.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hedgerow.types import Float

Estimate = Callable[[Any, Any], Float]  # wrong, total -> error rate


def pessimistic_error(wrong: Any, total: Any, confidence: float = 0.25) -> Float:
    """The upper confidence limit of a binomial error rate; 1 where every row, or no row at all, is wrong."""
    from scipy.special import betaincinv  # slow to load, and most commands make no rules

    check_confidence(confidence)
    errors, rows = np.asarray(wrong, np.float64), np.asarray(total, np.float64)
    if (errors < 0).any() or (errors > rows).any():
        raise ValueError(
            f"wrong={wrong!r:.60} of total={total!r:.60} is impossible. Give 0 <= wrong <= total."
        )
    right = rows - errors
    some = right > 0
    limit: Float = np.where(some, betaincinv(errors + 1, np.where(some, right, 1.0), 1 - confidence), 1.0)
    return limit


def pessimistic(confidence: float) -> Estimate:
    check_confidence(confidence)
    return lambda wrong, total: pessimistic_error(wrong, total, confidence)


def held_out(wrong: Any, total: Any) -> Float:
    """(wrong + 1/2) / (total + 1)"""
    share: Float = (np.asarray(wrong, np.float64) + 0.5) / (np.asarray(total, np.float64) + 1)
    return share


def check_confidence(confidence: Any) -> None:
    if not (isinstance(confidence, (int, float)) and 0 < confidence < 1):
        raise ValueError(
            f"confidence={confidence!r} is out of range. Give a number between 0 and 1: smaller ones trust the "
            "rows less and prune more; C4.5 takes 0.25."
        )
