"""Calibration: how much a weak predictor counts.   In: the weight its outputs get right and wrong.   Out: one alpha for
outputs above zero (yes), one for those below (no).

With mu+ the weight of the rows it gets right, mu- wrong, and mu0 where it abstains (together one), the exponential loss
of alpha h is mu+ exp(-alpha) + mu- exp(alpha) + mu0. It is least at alpha = 1/2 log(mu+/mu-), and is then
2 sqrt(mu+ mu-) + mu0: a decrease of (sqrt(mu+) - sqrt(mu-))^2.

    "one"     that alpha; of confident outputs the sign alone decides what is right (lecture 001)
    "two"     one alpha for the rows predicted +1, another for those predicted -1
    "search"  the alpha of least exponential loss for outputs of any size, found by Newton's method
    "own"     1: the outputs carry their weight themselves
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hedgerow.types import Float

Alpha = Literal["one", "two", "search", "own"]
ALPHAS: tuple[Alpha, ...] = ("one", "two", "search", "own")
MOST_STEPS = 60  # of Newton; a handful are needed


@dataclass(frozen=True)
class Masses:
    """Weight by the side of the output (yes: above zero, no: below) and whether it was right."""

    yes_right: float
    yes_wrong: float
    no_right: float
    no_wrong: float
    silent: float

    @property
    def right(self) -> float:
        """mu+"""
        return self.yes_right + self.no_right

    @property
    def wrong(self) -> float:
        """mu-"""
        return self.yes_wrong + self.no_wrong


def half_log_ratio(right: float, wrong: float, smoothing: float) -> float:
    """1/2 log(mu+/mu-), both enlarged by `smoothing`; zero where there is neither."""
    if right + smoothing <= 0 and wrong + smoothing <= 0:
        return 0.0
    with np.errstate(divide="ignore"):
        return float(0.5 * (np.log(right + smoothing) - np.log(wrong + smoothing)))


def alphas(kind: Alpha, masses: Masses, smoothing: float, handicap: float = 0.0) -> tuple[float, float]:
    """alpha for yes and for no. `handicap` is added to both: SAMME's 1/2 log(K - 1)."""
    if kind == "own":
        return 1.0, 1.0
    if kind == "two":
        yes = half_log_ratio(masses.yes_right, masses.yes_wrong, smoothing)
        no = half_log_ratio(masses.no_right, masses.no_wrong, smoothing)
        return yes + handicap, no + handicap
    both = half_log_ratio(masses.right, masses.wrong, smoothing) + handicap
    return both, both


def search(agreement: Float, weight: Float, smoothing: float) -> float:
    """The alpha of least sum(weight exp(-alpha agreement)), agreement = y h(x). Convex; if no output is wrong the
    least is at infinity, and the alpha is that of a share `smoothing` of wrong outputs."""
    right, wrong = weight[agreement > 0].sum(), weight[agreement < 0].sum()
    if right == 0 and wrong == 0:
        return 0.0
    size = float(weight @ np.abs(agreement)) / float(right + wrong)
    if right == 0 or wrong == 0:
        return half_log_ratio(float(right), float(wrong), smoothing) / size
    low, high, alpha = -np.inf, np.inf, 0.0
    for _ in range(MOST_STEPS):
        with np.errstate(over="ignore"):
            terms = weight * np.exp(-alpha * agreement)
        slope, bend = -float(terms @ agreement), float(terms @ agreement**2)
        low, high = (alpha, high) if slope < 0 else (low, alpha)
        step = -slope / bend if np.isfinite(slope) and bend > 0 else np.nan
        after = alpha + step
        if not low < after < high:  # a bracket, where Newton's step leads out of it
            after = (low + high) / 2 if np.isfinite(low + high) else 2 * alpha + np.sign(-slope) / size
        if abs(after - alpha) <= 1e-14 * max(1.0, abs(alpha)):
            break
        alpha = after
    return float(alpha)
