"""Solving.   In: Problem, Kernel, KernelInput.   Out: Solution, frozen.

Large problems are solved with kernel values in float32 (gradients in float64), twice as fast. Whether that was
good enough is found out afterwards: scores that matter are computed again in float64 (exact.py), and where the
violation is then above `tol` by more than a fifth, the solver goes on in float64 from where it is.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.svm.exact import exactly
from hedgerow.svm.kernel import Kernel, diagonal
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.problem import Problem
from hedgerow.svm.solution import ENDINGS, ONE, Solution, SolverOptions, intercepts
from hedgerow.types import Float

WIDE_BELOW = 2000  # rows; small problems are float64 throughout
FLOAT32_MOST = 1e15  # larger kernel values go straight to float64
ABOVE = 1.2  # times tol: a larger violation does not meet tol


def solve(
    problem: Problem,
    kernel: Kernel,
    rows: KernelInput,
    options: SolverOptions | None = None,
    *,
    start: Float | None = None,
) -> Solution:
    """`start`: alpha to begin with; it must lie between the bounds and keep y'a = delta."""
    options = options or SolverOptions()
    b = None if start is None else problem.y * start
    wide = rows.gram is not None or needs_float64(kernel, rows)
    solution = _run(problem, kernel, rows, options, b, wide)
    return solution if wide else refined(problem, kernel, rows, options, solution)


def refined(
    problem: Problem, kernel: Kernel, rows: KernelInput, options: SolverOptions, solution: Solution
) -> Solution:
    """What float32 found, its scores by float64; solved further in float64 where it was too coarse."""
    if solution.ending != "rounding":
        solution = exactly(problem, kernel, rows, solution, options.threads)
    return solved_further(problem, kernel, rows, options, solution)


def solved_further(
    problem: Problem, kernel: Kernel, rows: KernelInput, options: SolverOptions, solution: Solution
) -> Solution:
    """In float64, where float32 was too coarse by the scores of float64 that the solution has."""
    if not too_coarse(solution, options.tol):
        return solution
    if solution.ending != "rounding":
        solution = _go_on(problem, kernel, rows, options, solution, solution.field)
        if solution.rounding == 0:
            return solution
        solution = exactly(problem, kernel, rows, solution, options.threads)
        if not too_coarse(solution, options.tol):
            return solution
    return _go_on(problem, kernel, rows, options, solution, None)


def _go_on(
    problem: Problem,
    kernel: Kernel,
    rows: KernelInput,
    options: SolverOptions,
    first: Solution,
    field: Float | None,
) -> Solution:
    """In float64 from where the first stands; `field` is computed again where it is not given."""
    rest = _rest(options, first)
    second = _joined(first, _run(problem, kernel, rows, rest, problem.y * first.alpha, True, field))
    return second if field is None else replace(second, rounding=first.rounding)


def too_coarse(solution: Solution, tol: float) -> bool:
    """Whether float32 ended before the tolerance was met."""
    return solution.ending == "rounding" or (solution.ending == "solved" and solution.violation > ABOVE * tol)


def solve_path(
    problem: Problem, kernel: Kernel, rows: KernelInput, options: SolverOptions, costs: Sequence[float]
) -> list[Solution]:
    """A solution for each cost, which rise; `problem` is that of the cost 1. Each starts from the one before, with the
    kernel values it has stored; where float32 was too coarse for one, all are solved again in float64."""
    wide = needs_float64(kernel, rows)
    while True:
        found = native.svm_solve_path(
            *kernel.native_args,
            rows.native_args,
            wide,
            problem.c,
            problem.low,
            problem.high,
            np.asarray(costs, np.float64),
            *native_limits(options),
            options.cache_bytes,
            options.threads,
        )
        scaled = [replace(problem, upper=cost * problem.upper) for cost in costs]
        solutions = [solution_of(one, rows.n_rows, raw) for one, raw in zip(scaled, found, strict=True)]
        if wide:
            return solutions
        solutions = [
            exactly(one, kernel, rows, found, options.threads)
            for one, found in zip(scaled, solutions, strict=True)
        ]
        if not any(too_coarse(one, options.tol) for one in solutions):
            return solutions
        wide = True


def native_limits(options: SolverOptions) -> tuple[float, float, int]:
    """Tolerance, seconds and steps as the core takes them."""
    seconds = 1e300 if options.time_limit is None else options.time_limit
    return options.tol, seconds, 2**62 if options.max_iter < 0 else options.max_iter


def _rest(options: SolverOptions, spent: Solution) -> SolverOptions:
    seconds = None if options.time_limit is None else max(options.time_limit - spent.seconds, 0.0)
    steps = options.max_iter if options.max_iter < 0 else max(options.max_iter - spent.iterations, 0)
    return replace(options, time_limit=seconds, max_iter=steps)


def needs_float64(kernel: Kernel, rows: KernelInput) -> bool:
    """Few rows, or kernel values that float32 cannot hold."""
    return rows.n_rows <= WIDE_BELOW or float(np.abs(diagonal(kernel, rows)).max()) > FLOAT32_MOST


def _run(
    problem: Problem,
    kernel: Kernel,
    rows: KernelInput,
    options: SolverOptions,
    b: Float | None,
    wide: bool,
    field: Float | None = None,
) -> Solution:
    c, low, high, row_of = problem.c, problem.low, problem.high, problem.row_of
    limits = native_limits(options)
    if rows.gram is not None:
        found = native.svm_solve_given(
            rows.gram, rows.chosen, c, low, high, b, row_of, *limits, options.cache_bytes, options.threads
        )
    else:
        found = native.svm_solve(
            *kernel.native_args,
            rows.native_args,
            wide,
            c,
            low,
            high,
            b,
            field,
            row_of,
            *limits,
            options.cache_bytes,
            options.threads,
        )
    return solution_of(problem, rows.n_rows, found)


def solution_of(problem: Problem, n_rows: int, found: tuple[Any, ...]) -> Solution:
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
