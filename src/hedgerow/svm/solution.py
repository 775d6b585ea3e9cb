"""What solving gives.   In: a problem's alpha and K coef.   Out: Solution.   And SolverOptions: when to stop."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.svm.problem import Problem
from hedgerow.types import Count, Float, Mask

ENDINGS = ("solved", "time_limit", "max_iter", "rounding")
CACHE_BYTES = 500_000_000
ONE = np.zeros(1, np.int64)  # a single model starts at its first variable


@dataclass(frozen=True)
class Solution:
    alpha: Float  # one a variable, 0 to upper
    rho: float  # the score of a row is its field - rho
    gradient: Float  # Qa + p, one a variable
    coef: Float  # y a, summed over the variables of a row: one a row
    field: Float  # K coef, one a row
    violation: float  # largest difference of two gradients that should not be
    iterations: int  # pairs moved
    rounds: int  # working sets
    kernel_rows: float  # kernel values computed, in rows of the kernel matrix
    seconds: float
    history: Float  # (seconds, violation), a line now and then
    ending: str  # "solved", "time_limit", "max_iter", or "rounding": steps became too small for float64
    curvature: float  # below zero: the kernel matrix is not positive semidefinite; relative to its diagonal
    rounding: float = 0.0  # largest error of float32 found in `field`; 0 if all is float64
    exact: Mask | None = None  # rows whose field is float64; None: all

    @property
    def stopped_early(self) -> bool:
        return self.ending != "solved"


@dataclass(frozen=True)
class SolverOptions:
    """How long to try."""

    tol: float = 1e-3
    time_limit: float | None = None  # seconds
    max_iter: int = -1  # pairs moved; -1: no limit
    cache_bytes: int = CACHE_BYTES  # for stored kernel values
    threads: int = 1


def intercepts(problem: Problem, b: Float, slope: Float, starts: Count) -> Float:
    """Of each model the mean slope of the variables between their bounds; without any, the middle of what is allowed.
    The variables of a model follow one another from its start."""
    free = (b < problem.high) & (b > problem.low)
    n_free = np.add.reduceat(free.astype(np.float64), starts)
    total = np.add.reduceat(np.where(free, slope, 0.0), starts)
    most, least = extremes(problem, b, slope, starts)
    most, least = np.where(np.isfinite(most), most, least), np.where(np.isfinite(least), least, most)
    both = np.isfinite(most)
    middle = np.where(both, 0.5 * np.where(both, most, 0.0) + 0.5 * np.where(both, least, 0.0), 0.0)
    return np.where(n_free > 0, total / np.maximum(n_free, 1.0), middle)


def extremes(problem: Problem, b: Float, slope: Float, starts: Count) -> tuple[Float, Float]:
    """Of each model the largest slope that may rise and the smallest that may fall; infinite where there is none."""
    most = np.maximum.reduceat(np.where(b < problem.high, slope, -np.inf), starts)
    least = np.minimum.reduceat(np.where(b > problem.low, slope, np.inf), starts)
    return most, least


def joined(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
