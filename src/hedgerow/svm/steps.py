"""Every step of the solver of a kernel machine.   In: a problem and its kernel matrix.   Out: SolverSteps.

Each step takes two variables, one whose coefficient b = y alpha rises and one whose b falls by the same amount, so that
sum y alpha = 0 stays; it goes as far as the dual objective rises, or to a bound. The primal objective is that of the
best intercept known then: between the two stands the optimum.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.display import DisplayTable, Result
from hedgerow.svm.problem import Problem
from hedgerow.types import Count, Float

SHOWN = 12  # first and last steps of the printed table; `to_dict` has all
MOST_VARIABLES = 4000  # their kernel matrix is stored, and looked through at every step
MOST_STEPS = 100_000
FEW_ROWS, LAST_DIGIT = 100, 1e-7  # native/svm/stored.cpp: few rows are solved to the last digit


@dataclass(frozen=True, eq=False, repr=False)
class SolverSteps(Result):
    """The steps of the solver, one by one.

    Attributes
    ----------
    name :
        Name of the binary SVM, where there are several.
    rises :
        Of each step, the row whose coefficient (its sign times alpha) rises.
    falls :
        The row whose coefficient falls.
    change :
        By how much both change.
    violation :
        Largest violation of the optimality conditions after the step.
    dual :
        Dual objective after the step; it never falls.
    primal :
        Primal objective after the step, with the intercept in the middle of what the conditions allow.

    See Also
    --------
    hedgerow.SVC.trace_steps : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import SVC
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> y = X[:, 0] > 0
    >>> steps = SVC(kernel="linear").fit(X, y).trace_steps(X, y)
    >>> bool(steps.dual[-1] <= steps.primal[-1])
    True
    """

    name: str
    rises: Count
    falls: Count
    change: Float
    violation: Float
    dual: Float
    primal: Float

    def __len__(self) -> int:
        return len(self.change)

    def tables(self) -> list[DisplayTable]:
        few = len(self) <= 2 * SHOWN
        shown = range(len(self)) if few else [*range(SHOWN), *range(len(self) - SHOWN, len(self))]
        lines: list[tuple[str, ...]] = [
            (
                str(k + 1),
                str(self.rises[k]),
                str(self.falls[k]),
                f"{self.change[k]:.4g}",
                f"{self.dual[k]:.6g}",
                f"{self.primal[k]:.6g}",
                f"{self.violation[k]:.2g}",
            )
            for k in shown
        ]
        if not few:
            lines.insert(SHOWN, ("...", *[""] * 6))
        return [
            DisplayTable(
                ("step", "rises", "falls", "by", "dual", "primal", "violation"),
                lines,
                words=(),
                title=(f"{len(self):,} steps of the solver{self.name}",),
                ending="" if few else f"{len(self) - 2 * SHOWN:,} steps are left out; to_dict() has all",
            )
        ]

    def draw(self, ax: Any = None) -> Any:
        """Both objectives over the steps, with matplotlib. Returns the Axes."""
        from hedgerow.draw.svm import draw_steps

        return draw_steps(self, ax=ax)


def trace_steps(name: str, problem: Problem, matrix: Float, row: Count, tol: float) -> SolverSteps:
    """`matrix`: kernel values of the rows of the problem; `row`: what the caller calls them."""
    if not np.isfinite(problem.upper).all():
        raise ValueError(
            "A hard margin (C=inf) is found by raising C until no alpha meets it. Trace the steps of a large C."
        )
    if len(problem.c) > MOST_VARIABLES:
        raise ValueError(
            f"Steps are traced of at most {MOST_VARIABLES:,} variables, but there are {len(problem.c):,}. Fit fewer "
            "rows, or see progress_."
        )
    of = np.arange(len(row)) if problem.row_of is None else problem.row_of
    aim = tol * (LAST_DIGIT if len(row) <= FEW_ROWS else 1.0)
    whole = np.ascontiguousarray(matrix if problem.row_of is None else matrix[np.ix_(of, of)])
    pairs, numbers = native.svm_trace_steps(whole, problem.c, problem.low, problem.high, aim, MOST_STEPS)
    named = row[of][pairs]
    by, violation, dual, primal = numbers.T.copy()
    return SolverSteps(name, named[:, 0].copy(), named[:, 1].copy(), by, violation, dual, primal)
