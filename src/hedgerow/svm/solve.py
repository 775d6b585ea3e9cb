"""Solving.   In: Problem, Kernel, Rows.   Out: Solution, frozen.

Large problems are solved with kernel values in float32 (gradients in float64), twice as fast. Whether that was
good enough is measured: the gradient of a sample of rows is computed again in float64, and where it differs by
more than a tenth of `tol` the solver goes on in float64 from where it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.svm.kernel import Kernel, diagonal, kernel_sums
from hedgerow.svm.problem import Problem
from hedgerow.svm.rows import Rows
from hedgerow.types import Count, Float

ENDINGS = ("solved", "time_limit", "max_iter", "rounding")
WIDE_BELOW = 2000  # rows; small problems are float64 throughout
SAMPLE = 256  # rows whose gradient is computed again
FLOAT32_MOST = 1e15  # larger kernel values go straight to float64
CACHE_BYTES = 500_000_000
ONE = np.zeros(1, np.int64)  # a single machine starts at its first variable


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
    rounding: float = (
        0.0  # largest difference found between `field` and the same in float64; 0 if all is float64
    )

    @property
    def stopped_early(self) -> bool:
        return self.ending != "solved"


@dataclass(frozen=True)
class Effort:
    """How long to try."""

    tol: float = 1e-3
    time_limit: float | None = None  # seconds
    max_iter: int = -1  # pairs moved; -1: no limit
    cache_bytes: int = CACHE_BYTES  # for stored kernel values
    threads: int = 1


def solve(
    problem: Problem, kernel: Kernel, rows: Rows, effort: Effort | None = None, *, start: Float | None = None
) -> Solution:
    """`start`: alpha to begin with; it must lie between the bounds and keep y'a = delta."""
    effort = effort or Effort()
    b = None if start is None else problem.y * start
    wide = rows.gram is not None or needs_float64(kernel, rows)
    solution = _run(problem, kernel, rows, effort, b, wide)
    if not wide:
        rounding = rounding_of(kernel, rows, solution, effort.threads)
        solution = replace(solution, rounding=rounding)
        coarse = rounding > 0.1 * effort.tol or solution.ending == "rounding"
        if coarse and solution.ending not in ("time_limit", "max_iter"):
            rest = _rest(effort, solution)
            return _joined(solution, _run(problem, kernel, rows, rest, problem.y * solution.alpha, True))
    return solution


def solve_path(
    problem: Problem, kernel: Kernel, rows: Rows, effort: Effort, costs: Sequence[float]
) -> list[Solution]:
    """A solution for each cost, which rise; `problem` is that of the cost 1. Each starts from the one before, with the
    kernel values it has stored; where float32 was too coarse for one, all are solved again in float64."""
    wide = needs_float64(kernel, rows)
    while True:
        found = native.svm_solve_path(
            *kernel.door,
            rows.door,
            wide,
            problem.c,
            problem.low,
            problem.high,
            np.asarray(costs, np.float64),
            *_limits(effort),
            effort.cache_bytes,
            effort.threads,
        )
        scaled = [replace(problem, upper=cost * problem.upper) for cost in costs]
        solutions = [_solution(one, rows.n_rows, raw) for one, raw in zip(scaled, found, strict=True)]
        if wide:
            return solutions
        coarse = [rounding_of(kernel, rows, one, effort.threads) for one in solutions]
        if max(coarse) <= 0.1 * effort.tol and all(one.ending != "rounding" for one in solutions):
            return [replace(one, rounding=off) for one, off in zip(solutions, coarse, strict=True)]
        wide = True


def _limits(effort: Effort) -> tuple[float, float, int]:
    """Tolerance, seconds and steps as the core takes them."""
    seconds = 1e300 if effort.time_limit is None else effort.time_limit
    return effort.tol, seconds, 2**62 if effort.max_iter < 0 else effort.max_iter


def _rest(effort: Effort, spent: Solution) -> Effort:
    seconds = None if effort.time_limit is None else max(effort.time_limit - spent.seconds, 0.0)
    steps = effort.max_iter if effort.max_iter < 0 else max(effort.max_iter - spent.iterations, 0)
    return replace(effort, time_limit=seconds, max_iter=steps)


def needs_float64(kernel: Kernel, rows: Rows) -> bool:
    """Few rows, or kernel values that float32 cannot hold."""
    return rows.n_rows <= WIDE_BELOW or float(np.abs(diagonal(kernel, rows)).max()) > FLOAT32_MOST


def _run(
    problem: Problem, kernel: Kernel, rows: Rows, effort: Effort, b: Float | None, wide: bool
) -> Solution:
    c, low, high, row_of = problem.c, problem.low, problem.high, problem.row_of
    limits = _limits(effort)
    if rows.gram is not None:
        found = native.svm_solve_given(
            rows.gram, rows.chosen, c, low, high, b, row_of, *limits, effort.cache_bytes, effort.threads
        )
    else:
        found = native.svm_solve(
            *kernel.door,
            rows.door,
            wide,
            c,
            low,
            high,
            b,
            row_of,
            *limits,
            effort.cache_bytes,
            effort.threads,
        )
    return _solution(problem, rows.n_rows, found)


def _solution(problem: Problem, n_rows: int, found: tuple[Any, ...]) -> Solution:
    b, field, ending, steps, rounds, values, gap, seconds, curvature, history = found
    slope = problem.c - (field if problem.row_of is None else field[problem.row_of])
    return Solution(
        alpha=np.abs(b),
        rho=-float(intercepts(problem, b, slope, ONE)[0]),
        gradient=-problem.y * slope,
        coef=b
        if problem.row_of is None
        else np.bincount(problem.row_of, b, minlength=n_rows).astype(np.float64),
        field=field,
        violation=max(gap, 0.0),
        iterations=steps,
        rounds=rounds,
        kernel_rows=values / max(n_rows, 1),
        seconds=seconds,
        history=history,
        ending=ENDINGS[ending],
        curvature=curvature,
    )


def intercepts(problem: Problem, b: Float, slope: Float, starts: Count) -> Float:
    """Of each machine the mean slope of the variables between their bounds; without any, the middle of what is allowed.
    The variables of a machine follow one another from its start."""
    up, down = b < problem.high, b > problem.low
    free = up & down
    n_free = np.add.reduceat(free.astype(np.float64), starts)
    total = np.add.reduceat(np.where(free, slope, 0.0), starts)
    most = np.maximum.reduceat(np.where(up, slope, -np.inf), starts)
    least = np.minimum.reduceat(np.where(down, slope, np.inf), starts)
    most, least = np.where(np.isfinite(most), most, least), np.where(np.isfinite(least), least, most)
    middle = np.where(np.isfinite(most), 0.5 * most + 0.5 * least, 0.0)
    return np.where(n_free > 0, total / np.maximum(n_free, 1.0), middle)


def rounding_of(kernel: Kernel, rows: Rows, solution: Solution, threads: int) -> float:
    """The largest difference of `field` from the same in float64, among a sample of rows."""
    used = np.flatnonzero(solution.coef)
    if len(used) == 0:
        return 0.0
    sample = np.unique(np.linspace(0, rows.n_rows - 1, SAMPLE).astype(np.int64))
    coef = solution.coef[used, None]
    exact = kernel_sums(kernel, rows.take(used), coef, rows.take(sample), threads=threads)[:, 0]
    return float(np.abs(exact - solution.field[sample]).max())


def _joined(first: Solution, second: Solution) -> Solution:
    """The second, with what the first had cost."""
    return replace(
        second,
        iterations=first.iterations + second.iterations,
        rounds=first.rounds + second.rounds,
        kernel_rows=first.kernel_rows + second.kernel_rows,
        seconds=first.seconds + second.seconds,
        history=np.concatenate([first.history, second.history + np.array([first.seconds, 0.0])]),
        curvature=min(first.curvature, second.curvature),
    )
