"""How good the answer is.   In: a problem and its solution.   Out: Certificate, frozen; it prints itself.

primal  1/2 |w|^2 + sum of upper times slack      dual  c'b - 1/2 b'Kb      no b reaches more than any w costs,
so that primal - dual bounds how far both are from the best.   Without an upper bound (hard margin) w is first
scaled until every row keeps the margin.
"""

from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import numpy as np

from hedgerow.svm.problem import Problem
from hedgerow.svm.solve import Solution
from hedgerow.types import Float


@dataclass(frozen=True)
class Certificate:
    """The counts are of rows: support vectors, those between the bounds, at the upper bound, on the wrong side."""

    primal: float
    dual: float
    gap: float
    violation: float  # largest violation of the Karush-Kuhn-Tucker conditions
    norm: float  # |w| in feature space
    n_rows: int
    n_support: int
    n_free: int
    n_bounded: int
    n_misclassified: int | None  # None in regression
    iterations: int
    kernel_rows: float
    seconds: float
    ending: str
    rounding: float = 0.0
    curvature: float = 0.0
    radius: float | None = None  # largest |row| in feature space

    @property
    def relative_gap(self) -> float:
        return self.gap / max(abs(self.primal), abs(self.dual), 1e-300)

    @property
    def margin(self) -> float:
        """Distance of the margin from the boundary, 1/|w|."""
        return 1.0 / self.norm if self.norm > 0 else np.inf

    @property
    def margin_width(self) -> float:
        """Distance between the two margins, 2/|w|."""
        return 2.0 * self.margin

    def margin_bound(self, delta: float = 0.05) -> float:
        """With probability 1 - delta a hard-margin machine errs no more often than this on new rows."""
        if not 0 < delta < 1:
            raise ValueError(f"delta={delta!r} is the chance that the bound fails: a number between 0 and 1.")
        if self.radius is None:
            raise ValueError("the radius of the rows is not known; fit the certificate with it: radius=...")
        return margin_bound(self.radius, self.margin, self.n_rows, delta)

    def as_dict(self) -> dict[str, Any]:
        derived = {
            "relative_gap": self.relative_gap,
            "margin": self.margin,
            "margin_width": self.margin_width,
        }
        return asdict(self) | derived

    def _lines(self) -> list[tuple[str, str]]:
        lines = [
            ("primal objective", f"{self.primal:.10g}"),
            ("dual objective", f"{self.dual:.10g}"),
            ("gap", f"{self.gap:.3g}  ({self.relative_gap:.2g} of the objective)"),
            ("largest KKT violation", f"{self.violation:.3g}"),
            ("margin 1/|w|", f"{self.margin:.6g}  (width {self.margin_width:.6g})"),
            (
                "support vectors",
                f"{self.n_support:,} of {self.n_rows:,} rows: {self.n_free:,} on the margin, "
                f"{self.n_bounded:,} at the bound",
            ),
        ]
        if self.n_misclassified is not None:
            lines.append(("on the wrong side", f"{self.n_misclassified:,}"))
        work = f"{self.iterations:,} steps, {self.kernel_rows:,.0f} kernel rows, {self.seconds:.3g} s"
        lines.append(("work", work))
        lines.append(("ended", ENDINGS[self.ending]))
        if self.rounding > 0:
            lines.append(
                (
                    "kernel in float32",
                    f"scores differ from float64 by at most {self.rounding:.1g} in a sample",
                )
            )
        if self.curvature < 0:
            lines.append(("kernel matrix", f"not positive semidefinite (curvature {self.curvature:.2g})"))
        return lines

    def __str__(self) -> str:
        lines = self._lines()
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in self._lines()
        )
        return f"<table>{rows}</table>"


ENDINGS = {
    "solved": "solved to the tolerance",
    "time_limit": "stopped by time_limit; the best answer so far",
    "max_iter": "stopped by max_iter; the best answer so far",
    "rounding": "stopped where steps became too small for the arithmetic",
}


def margin_bound(radius: float, margin: float, n_rows: int, delta: float) -> float:
    """sqrt(4 radius^2 / margin^2 / n) + sqrt(2 log(2 / delta) / n)"""
    return float(np.sqrt(4 * radius**2 / margin**2 / n_rows) + np.sqrt(2 * np.log(2 / delta) / n_rows))


def certificate(
    problem: Problem, solution: Solution, *, curvature: float = 0.0, radius: float | None = None
) -> Certificate:
    """From the solution's own field K coef; `curvature` and `radius` where the caller knows them."""
    b = problem.y * solution.alpha
    field = solution.field if problem.row_of is None else solution.field[problem.row_of]
    excess = problem.c - field + solution.rho  # c - score: what a variable still asks for
    square = float(solution.coef @ solution.field)  # |w|^2; below 0 only if the kernel is not semidefinite
    dual = float(problem.c @ b) - 0.5 * square
    primal = _primal(problem, excess, square)
    low, high = problem.low, problem.high
    used = solution.alpha > 0
    classes = problem.row_of is None
    support = solution.coef != 0
    return Certificate(
        primal=primal,
        dual=dual,
        gap=primal - dual - problem.delta * solution.rho,
        violation=float(
            max(
                np.max(excess, initial=0.0, where=b < high),
                np.max(-excess, initial=0.0, where=b > low),
            )
        ),
        norm=float(np.sqrt(max(square, 0.0))),
        n_rows=len(solution.coef),
        n_support=int(support.sum()),
        n_free=int((used & (solution.alpha < problem.upper)).sum()),
        n_bounded=int((used & (solution.alpha >= problem.upper)).sum()),
        n_misclassified=int((problem.y * (field - solution.rho) <= 0).sum()) if classes else None,
        iterations=solution.iterations,
        kernel_rows=solution.kernel_rows,
        seconds=solution.seconds,
        ending=solution.ending,
        rounding=solution.rounding,
        curvature=min(curvature, solution.curvature, _length(solution, square, float(problem.c @ b))),
        radius=radius,
    )


def _length(solution: Solution, square: float, reward: float) -> float:
    """|w|^2 below zero, relative to its terms, is curvature below zero too; 0 otherwise, and where it is nothing beside
    the rest of the objective: the length of a w that is 0 but for rounding."""
    if square >= -1e-9 * abs(reward):
        return 0.0
    size = float(np.abs(solution.coef) @ np.abs(solution.field))
    return min(square / size, 0.0) if size > 0 else 0.0


def _primal(problem: Problem, excess: Float, square: float) -> float:
    """The cost of w and of the slack: excess above 0 at `high`, below 0 at `-low`."""
    if np.isinf(problem.upper).any():
        # y score >= smallest, so that w / smallest keeps the margin of 1 everywhere
        smallest = float((problem.y * (problem.c - excess)).min())
        return 0.5 * square / smallest**2 if smallest > 0 else np.inf
    slack = np.maximum(problem.y * excess, 0.0)
    return 0.5 * square + float(problem.upper @ slack)
