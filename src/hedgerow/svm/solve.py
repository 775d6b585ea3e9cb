"""Solving.   In: Problem, Kernel, Rows.   Out: Solution, frozen.

Large problems are solved with kernel values in float32 (gradients in float64), twice as fast. Whether that was
good enough is measured: the gradient of a sample of rows is computed again in float64, and where it differs by
more than a tenth of `tol` the solver goes on in float64 from where it is.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.svm.kernel import Kernel, diagonal, kernel_sums
from hedgerow.svm.problem import Problem
from hedgerow.svm.rows import Rows
from hedgerow.types import Float

ENDINGS = ("solved", "time_limit", "max_iter", "rounding")
WIDE_BELOW = 2000  # rows; small problems are float64 throughout
SAMPLE = 256  # rows whose gradient is computed again
FLOAT32_MOST = 1e15  # larger kernel values go straight to float64
CACHE_BYTES = 200_000_000


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
    rounding: float  # largest difference found between `field` and the same in float64; 0 if all is float64

    @property
    def stopped_early(self) -> bool:
        return self.ending != "solved"


def solve(
    problem: Problem,
    kernel: Kernel,
    rows: Rows,
    *,
    tol: float = 1e-3,
    time_limit: float | None = None,
    max_iter: int = -1,
    cache_bytes: int = CACHE_BYTES,
    threads: int = 1,
    start: Float | None = None,
) -> Solution:
    """`start`: alpha to begin with; it must lie between the bounds and keep y'a = delta."""
    seconds = 1e300 if time_limit is None else float(time_limit)
    steps = 2**62 if max_iter < 0 else max_iter
    b = None if start is None else problem.y * start
    if rows.gram is not None:
        return _solution(problem, rows, _given(problem, rows.gram, b, tol, seconds, steps, threads), 0.0)

    def run(wide: bool, b: Float | None, seconds: float, steps: int) -> tuple:  # type: ignore[type-arg]
        return native.svm_solve(
            *kernel.door,
            rows.door,
            wide=wide,
            **_variables(problem, b),
            tolerance=tol,
            seconds=seconds,
            steps=steps,
            bytes=cache_bytes,
            threads=threads,
        )

    if rows.n_rows <= WIDE_BELOW or np.abs(diagonal(kernel, rows)).max() > FLOAT32_MOST:
        return _solution(problem, rows, run(True, b, seconds, steps), 0.0)
    found = run(False, b, seconds, steps)
    solution = _solution(problem, rows, found, _rounding(problem, kernel, rows, found, threads))
    if solution.rounding <= 0.1 * tol or solution.ending in ("time_limit", "max_iter"):
        return solution
    again = run(True, found[0], seconds - solution.seconds, steps - solution.iterations)
    return _joined(solution, _solution(problem, rows, again, 0.0))


def _variables(problem: Problem, b: Float | None) -> dict[str, object]:
    return {"c": problem.c, "low": problem.low, "high": problem.high, "start": b, "row_of": problem.row_of}


def _given(
    problem: Problem, gram: Float, b: Float | None, tol: float, seconds: float, steps: int, threads: int
) -> tuple:  # type: ignore[type-arg]
    return native.svm_solve_given(
        gram, **_variables(problem, b), tolerance=tol, seconds=seconds, steps=steps, threads=threads
    )


def _solution(problem: Problem, rows: Rows, found: tuple, rounding: float) -> Solution:  # type: ignore[type-arg]
    b, field, ending, steps, rounds, values, gap, seconds, curvature, history = found
    n = rows.n_rows
    slope = problem.c - (field if problem.row_of is None else field[problem.row_of])
    return Solution(
        alpha=np.abs(b),
        rho=-_intercept(problem, b, slope),
        gradient=-problem.y * slope,
        coef=b if problem.row_of is None else np.bincount(problem.row_of, b, minlength=n),
        field=field,
        violation=max(gap, 0.0),
        iterations=steps,
        rounds=rounds,
        kernel_rows=values / max(n, 1),
        seconds=seconds,
        history=history,
        ending=ENDINGS[ending],
        curvature=curvature,
        rounding=rounding,
    )


def _intercept(problem: Problem, b: Float, slope: Float) -> float:
    """The mean slope of the variables between their bounds; without any, the middle of what is allowed."""
    free = (b > problem.low) & (b < problem.high)
    if free.any():
        return float(slope[free].mean())
    rising, falling = slope[b < problem.high], slope[b > problem.low]
    ends = [x for x in (rising.max(initial=-np.inf), falling.min(initial=np.inf)) if np.isfinite(x)]
    return float(np.mean(ends)) if ends else 0.0


def _rounding(problem: Problem, kernel: Kernel, rows: Rows, found: tuple, threads: int) -> float:  # type: ignore[type-arg]
    b, field = found[0], found[1]
    coef = b if problem.row_of is None else np.bincount(problem.row_of, b, minlength=rows.n_rows)
    used = np.flatnonzero(coef)
    if len(used) == 0:
        return 0.0
    sample = np.unique(np.linspace(0, rows.n_rows - 1, SAMPLE).astype(np.int64))
    exact = kernel_sums(kernel, rows.take(used), coef[used, None], rows.take(sample), threads=threads)[:, 0]
    return float(np.abs(exact - field[sample]).max())


def _joined(first: Solution, second: Solution) -> Solution:
    """The second, with what the first had cost."""
    later = second.history + np.array([first.seconds, 0.0])
    return Solution(
        **{
            **second.__dict__,
            "iterations": first.iterations + second.iterations,
            "rounds": first.rounds + second.rounds,
            "kernel_rows": first.kernel_rows + second.kernel_rows,
            "seconds": first.seconds + second.seconds,
            "history": np.concatenate([first.history, later]),
            "curvature": min(first.curvature, second.curvature),
        }
    )
