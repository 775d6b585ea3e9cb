"""Isotonic calibration.   In: log-odds of rows, whether each is of the class, weights.   Out: Knots of a rising line.

    rows by log-odds     0 0 1 0 0 1 1 0 1 1 1
    blocks (PAVA)       [0 0|1 0 0|1 1 0|1 1 1]     a block that is above the next one is put together with it
    knots                 .    .     .     .        the middle of each block; straight lines between them

Steps would tie rows that the model has in order; lines between the middles of the blocks keep them apart (centred
isotonic regression: Oron and Flournoy 2017). Beyond the ends the line rises slowly. A block without a row of the class,
or with no other, would be a certainty: what another calibrator says of it counts as one row more, and no block is surer
than all rows together allow.
"""

import numpy as np

from hedgerow.types import Count, Float, Mask

Knots = tuple[tuple[float, float], ...]  # log-odds, calibrated log-odds; both rise
FAR = 1e3  # where the line ends: beyond all log-odds of probabilities and units of decision values
LEAST_SLOPE = 1e-3  # beyond the blocks
DIGITS = 4  # of log-odds: knots stay so far apart that a line between them can be computed


def bend(knots: Knots, log_odds: Float) -> Float:
    x, y = zip(*knots, strict=True)
    return np.asarray(np.interp(log_odds, x, y))


def fit_knots(log_odds: Float, is_class: Mask, weight: Float, usual: Float) -> Knots:
    """`usual`: the probability of each row by another calibrator."""
    log_odds = log_odds.round(DIGITS)
    order = np.argsort(log_odds, kind="stable")
    x, first = np.unique(log_odds[order], return_index=True)
    n = np.add.reduceat(weight[order], first)
    positive, guess = (np.add.reduceat((weight * one)[order], first) for one in (is_class, usual))
    block = pool_blocks(positive / n, n)
    total, hits, guess, middle = (
        np.bincount(block, one).astype(float) for one in (n, positive, guess, n * x)
    )
    doubt = 1 / (total.sum() + 2)
    rate = np.clip(np.maximum.accumulate((hits + guess / total) / (total + 1)), doubt, 1 - doubt)
    value, middle = np.log(rate / (1 - rate)), middle / total
    ends = (
        (-FAR, value[0] - LEAST_SLOPE * (FAR + middle[0])),
        (FAR, value[-1] + LEAST_SLOPE * (FAR - middle[-1])),
    )
    between = zip(middle.tolist(), value.tolist(), strict=True)
    return tuple((float(a), float(b)) for a, b in (ends[0], *between, ends[1]))


def pool_blocks(values: Float, weight: Float) -> Count:
    """The block of each value, so that the weighted means of the blocks rise (pool adjacent violators)."""
    means: list[float] = []
    weights: list[float] = []
    sizes: list[int] = []
    for value, w in zip(values.tolist(), weight.tolist(), strict=True):
        size = 1
        while means and means[-1] >= value:
            mean, before = means.pop(), weights.pop()
            value, w = (mean * before + value * w) / (before + w), before + w
            size += sizes.pop()
        means.append(value)
        weights.append(w)
        sizes.append(size)
    return np.repeat(np.arange(len(sizes)), sizes)
