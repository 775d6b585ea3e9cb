"""When are there enough trees?   In: the out-of-bag loss after each tree.   Out: whether the curve is flat, in words.

The loss of T trees is about (its limit) + c / T, so that c / T is still to be gained. The mean of the curve over the
third quarter of the trees is then about half of c / T above its mean over the last quarter: twice the difference
estimates what is to be gained. Growing ends when that is less than a quarter of the loss's own standard error: nobody
could tell the rest from noise.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.types import Float

STEP = 10  # trees between two looks
FEWEST = 50
SHARE = 0.25  # of the standard error


@dataclass(frozen=True)
class Stopped:
    """Why growing ended."""

    n_trees: int
    most: int
    flat: bool
    to_gain: float  # what more trees would still change, estimated from the curve
    standard_error: float

    def __str__(self) -> str:
        rest = (
            f"more trees would change the out-of-bag loss by about {self.to_gain:.2g}; its standard error is "
            f"{self.standard_error:.2g}"
        )
        if self.flat:
            return f"Stopped at {self.n_trees} of at most {self.most} trees: the curve is flat; {rest}."
        return f"Grew all {self.most} trees: the curve is not flat yet; {rest}."

    __repr__ = __str__


def look(curve: Float, row_losses: Float, most: int) -> Stopped:
    """In: the loss after each tree, the loss of each row after the last."""
    n = len(curve)
    third, last = curve[n // 2 : 3 * n // 4], curve[3 * n // 4 :]
    known = len(third) > 0 and not np.isnan(third).any()
    to_gain = 2 * abs(float(third.mean() - last.mean())) if known else np.inf
    error = float(row_losses.std() / np.sqrt(max(1, len(row_losses))))
    return Stopped(n, most, n >= FEWEST and to_gain <= SHARE * error, to_gain, error)
