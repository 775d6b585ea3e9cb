"""Which columns the rounds ask about.   In: Rounds.   Out: a share for each column, sum one."""

from typing import Any

import numpy as np

from hedgerow.boost.rounds import Rounds
from hedgerow.types import Float


def importances(rounds: Rounds, n_columns: int) -> Float:
    """By the size of alpha; a calibrated predictor by how far apart its answers are."""
    total = np.zeros(n_columns)
    for round in rounds.rounds:
        for weak in round.weaks:
            total += max(abs(round.alpha), abs(round.alpha_no)) * _importance(weak, n_columns)
    whole = total.sum()
    return total / whole if whole > 0 else total


def _importance(weak: Any, n_columns: int) -> Float:
    if hasattr(weak, "importance"):
        return np.asarray(weak.importance(n_columns), np.float64)
    given = getattr(getattr(weak, "estimator", None), "feature_importances_", None)
    if given is None:
        raise AttributeError(f"{type(weak).__name__} does not say which columns it asks about.")
    return np.asarray(given, np.float64)
