"""The hard margin, and the hard tube.   In: a problem without upper bounds.   Out: its solution, or an error.

The bounds are raised from the scale of the data until no variable meets its own: then they do not matter, and the
solution is that without bounds. If they always matter, the classes are tested for a common point (NotSeparable, with
rows that prove it); of numbers, rows stay outside the tube however much it costs.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hedgerow.svm.certificate import certificate
from hedgerow.svm.kernel import Kernel, diagonal
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.problem import Problem
from hedgerow.svm.separable import common_point, opposite_twins
from hedgerow.svm.solution import Solution, SolverOptions
from hedgerow.svm.solve import solve
from hedgerow.types import Index

RAISES = 8  # by a factor of 100 each


class NotSeparable(ValueError):
    """No boundary of this kernel separates the classes. `rows` prove it, `weights` show how: within each class they
    sum to 1, and the weighted rows of the two classes are the same point in the kernel's space."""

    def __init__(self, rows: Sequence[int], weights: Sequence[float], words: str) -> None:
        super().__init__(words)
        self.rows = list(rows)
        self.weights = list(weights)


def solve_hard(
    problem: Problem, kernel: Kernel, rows: KernelInput, options: SolverOptions, numbers: Index
) -> Solution:
    """`numbers`: what the caller calls the rows."""
    twins = opposite_twins(problem.y, rows)
    if twins is not None:
        i, j = (int(numbers[k]) for k in twins)
        raise NotSeparable(
            [i, j],
            [1.0, 1.0],
            f"C=inf wants a boundary without error, but there is none: rows {i} and {j} are the same and have "
            "different classes. Use a finite C, or drop one of the two.",
        )
    size = float(np.abs(diagonal(kernel, rows)).max()) or 1.0
    bound, start = 100.0 / size, None
    solution = None
    for _ in range(RAISES):
        boxed = replace(problem, upper=np.where(np.isinf(problem.upper), bound, problem.upper))
        solution = solve(boxed, kernel, rows, options, start=start)
        if solution.ending in ("time_limit", "max_iter"):
            return solution
        if (solution.alpha < bound).all():
            return solution
        _refuse(problem, kernel, rows, solution, numbers)
        start, bound = solution.alpha, bound * 100.0
    assert solution is not None
    raise NotSeparable(
        [],
        [],
        "C=inf wants a boundary without error, and none was found: the margin, if there is one, is tiny beside the "
        "length of the rows. Use a finite C, such as C=1e6.",
    )


def solve_tube(
    problem: Problem, kernel: Kernel, rows: KernelInput, options: SolverOptions
) -> tuple[Problem, Solution]:
    """Numbers without upper bounds: no row may be further from the prediction than epsilon. Also the problem with the
    bounds that do not matter, by which the solution is certified."""
    size = float(np.abs(diagonal(kernel, rows)).max()) or 1.0
    spread = float(np.ptp(problem.c)) or 1.0
    bound, start, outside = 100.0 * spread / size, None, np.inf
    for _ in range(RAISES):
        boxed = replace(problem, upper=np.full(len(problem.y), bound))
        solution = solve(boxed, kernel, rows, options, start=start)
        if solution.ending in ("time_limit", "max_iter") or (solution.alpha < bound).all():
            return boxed, solution
        proof = certificate(boxed, solution)
        before, outside = outside, (proof.primal - 0.5 * proof.norm**2) / bound
        if outside > 0.9 * before:
            break
        start, bound = solution.alpha, bound * 100.0
    raise ValueError(
        "C=inf wants every row within epsilon of the prediction, and no function of this kernel was found that does: "
        f"rows stay outside by {outside:.3g} in total. Use a finite C, a larger epsilon, or a kernel that bends more."
    )


def _refuse(problem: Problem, kernel: Kernel, rows: KernelInput, solution: Solution, numbers: Index) -> None:
    """Raise NotSeparable if the rows that the boundary leans on have a point in common."""
    found = common_point(problem.y, kernel, rows, solution)
    if found is None:
        return
    which, weights = found
    names = [int(numbers[k]) for k in which]
    shown = ", ".join(map(str, names[:12])) + (", ..." if len(names) > 12 else "")
    raise NotSeparable(
        names,
        weights.tolist(),
        f"C=inf wants a boundary without error, but there is none: {len(names)} rows prove it ({shown}). Some mixture "
        "of those of one class is the same point as some mixture of those of the other, so that no boundary of this "
        "kernel can part them. Use a finite C, or a kernel that bends more.",
    )
