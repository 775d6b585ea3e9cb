"""Rounds: what boosting leaves behind. A Round is a weak predictor, how much it counts, what it did to the weights."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class Round:
    weaks: tuple[Any, ...]  # one Weak (MH: one for each class), or one ClassWeak
    alpha: float  # for outputs above zero
    alpha_no: float  # for outputs below zero; the same unless alpha="two"
    right: float  # mu+: weight of the rows it gets right, before the round; the three sum to one
    wrong: float  # mu-
    silent: float  # mu0
    normaliser: float  # sum of weight * exp(-alpha y h): by this factor the exponential loss changed
    loss: float  # mean loss of the training rows after the round
    error: float  # share of the training rows misclassified after the round
    coverage: float  # share of the training rows on which it does not abstain
    reset: bool = False  # the weights went back to where they started; the predictor does not count
    checked: float = float("nan")  # error on the validation rows after the round

    @property
    def epsilon(self) -> float:
        """Weighted error: the weight of the rows it has wrong, mu-. Silence is no mistake."""
        return self.wrong


@dataclass(frozen=True, eq=False)
class Rounds:
    """All rounds, and where the training rows stand after them."""

    rounds: tuple[Round, ...]
    form: str  # "signs" or "votes"
    width: int  # columns of the score: 1 for two classes, else their number
    loss: str
    stopped: str  # why there are no more rounds
    prior: Float  # the share of each class among the training rows, by weight: the answer where the score says nothing
    base: Float  # weight of each training row before boosting, sum one
    margins: Float  # rows x columns: y f(x) of the training rows; votes: sum of alpha where right minus where wrong
    weight: Float  # rows x columns: importance after the last round, sum one

    def __len__(self) -> int:
        return len(self.rounds)


def compute_importances(rounds: Rounds, n_columns: int) -> Float:
    """By the size of alpha; a calibrated predictor by how far apart its outputs are."""
    total = np.zeros(n_columns)
    for round in rounds.rounds:
        for weak in round.weaks:
            total += max(abs(round.alpha), abs(round.alpha_no)) * _importance(weak, n_columns)
    size = total.sum()
    return total / size if size > 0 else total


def _importance(weak: Any, n_columns: int) -> Float:
    if hasattr(weak, "importance"):
        return np.asarray(weak.importance(n_columns), np.float64)
    given = getattr(getattr(weak, "estimator", None), "feature_importances_", None)
    if given is None:
        raise AttributeError(f"{type(weak).__name__} does not say which columns it uses.")
    return np.asarray(given, np.float64)
