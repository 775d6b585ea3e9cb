"""Shares of the classes.   In: scores of rows the model has not learned from.   Out: Calibrator, a monotone map.

Two classes: log-odds are a line through 0 at score 0, with a slope for each side, so that the share of a class
passes 1/2 exactly where the decision does. More classes: exp(slope * score), made to sum 1. Either way the class with
the largest share is the one predicted.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hedgerow.types import Count, Float, Index

FEW = 10  # rows, by weight, on one side of the boundary, below which both sides share a slope
LEAST, MOST = 1e-6, 1e6  # of a slope times the size of the scores


@dataclass(frozen=True)
class Calibrator:
    below: float  # slope of the log-odds left of the boundary; of all scores where there are more than two classes
    above: float

    def probabilities(self, scores: Float, predicted: Count) -> Float:
        """Rows x classes; the largest of each row stands at `predicted`."""
        if scores.ndim == 1:
            log_odds = scores * np.where(scores > 0, self.above, self.below)
            log_odds = np.stack([np.zeros_like(log_odds), log_odds], axis=1)
        else:
            log_odds = scores * self.above
        log_odds = log_odds - log_odds.max(axis=1, keepdims=True)
        shares = np.exp(log_odds)
        shares /= shares.sum(axis=1, keepdims=True)
        return _agreeing(shares, predicted)


def _agreeing(shares: Float, predicted: Count) -> Float:
    """Equal votes, and scores too small to tell from 0, are decided as the prediction decides them."""
    rows = np.arange(len(shares))
    first = np.argmax(shares, axis=1)
    off = np.flatnonzero(first != predicted)
    if len(off):
        top, own = shares[off, first[off]], shares[off, predicted[off]]
        shares[off, first[off]], shares[off, predicted[off]] = own, top
    best = shares[rows, predicted]
    others = shares.copy()
    others[rows, predicted] = -1.0
    tied = np.flatnonzero(others.max(axis=1) >= best)
    for i in tied:
        equal = others[i] >= best[i]
        shares[i, equal] = np.nextafter(best[i], 0.0)
    return shares


def fit_calibrator(scores: Float, codes: Index, weight: Float) -> Calibrator:
    """The likeliest slopes, by the logistic loss of scores that were not learned from; each class is smoothed as by one
    more row."""
    if scores.ndim == 1:
        return _two(scores, codes, weight)
    slope = _best_slope(lambda slope: _many(scores, codes, weight, slope), _size(scores, weight))
    return Calibrator(slope, slope)


def _two(scores: Float, codes: Index, weight: Float) -> Calibrator:
    positive = codes == 1
    up, down = weight[positive].sum(), weight[~positive].sum()
    wanted = np.where(positive, (up + 1) / (up + 2), 1 / (down + 2))

    def slope_on(side: Count) -> float:
        s, t, w = scores[side], wanted[side], weight[side]

        def derivative(slope: float) -> float:
            return float(w @ (s * (_logistic(slope * s) - t)))

        return _best_slope(derivative, _size(s, w))

    both = slope_on(np.arange(len(scores)))
    above, below = np.flatnonzero(scores > 0), np.flatnonzero(scores < 0)
    return Calibrator(
        below=slope_on(below) if weight[below].sum() >= FEW else both,
        above=slope_on(above) if weight[above].sum() >= FEW else both,
    )


def _many(scores: Float, codes: Index, weight: Float, slope: float) -> float:
    """The derivative of the loss in the slope."""
    n_classes = scores.shape[1]
    log_odds = scores * slope
    log_odds = log_odds - log_odds.max(axis=1, keepdims=True)
    shares = np.exp(log_odds)
    shares /= shares.sum(axis=1, keepdims=True)
    total = weight.sum()
    wanted = np.full(scores.shape, 1 / (total + n_classes))
    wanted[np.arange(len(codes)), codes] = (total + 1) / (total + n_classes)
    return float(weight @ ((shares - wanted) * scores).sum(axis=1))


def _logistic(x: Float) -> Float:
    found: Float = 0.5 * (1 + np.tanh(0.5 * x))
    return found


def _size(scores: Float, weight: Float) -> float:
    each = np.abs(scores).reshape(len(scores), -1).mean(axis=1)
    return float(weight @ each / weight.sum()) if len(each) else 1.0


def _best_slope(derivative: Callable[[float], float], size: float) -> float:
    """Where the derivative, which rises, crosses 0; never 0 or below, for the map must rise."""
    size = size if size > 0 else 1.0
    low, high = np.log(LEAST / size), np.log(MOST / size)
    for _ in range(60):
        middle = 0.5 * (low + high)
        if derivative(float(np.exp(middle))) < 0:
            low = middle
        else:
            high = middle
    return float(np.exp(0.5 * (low + high)))
