"""Which columns the rounds ask about.   In: Rounds.   Out: a share for each column, sum one."""

from typing import Any

import numpy as np

from hedgerow.boost.rounds import Rounds
from hedgerow.tree.importance import importance
from hedgerow.types import Float


def importances(rounds: Rounds, n_columns: int) -> Float:
    """By the size of alpha; a calibrated predictor by how far apart its answers are."""
    total = np.zeros(n_columns)
    for round in rounds.rounds:
        for weak in round.weaks:
            total += max(abs(round.alpha), abs(round.alpha_no)) * _of(weak, n_columns)
    whole = total.sum()
    return total / whole if whole > 0 else total


def _of(weak: Any, n_columns: int) -> Float:
    if hasattr(weak, "tree"):
        return importance(weak.tree)
    given = getattr(getattr(weak, "estimator", None), "feature_importances_", None)
    if given is not None:
        return np.asarray(given, np.float64)
    out = np.zeros(n_columns)
    if hasattr(weak, "column"):
        out[weak.column] = abs(weak.first - weak.second) / 2
    elif hasattr(weak, "word"):
        out[weak.word] = abs(weak.present - weak.absent) / 2
    else:
        raise AttributeError(f"{type(weak).__name__} does not say which columns it asks about.")
    return out
