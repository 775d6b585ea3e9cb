"""How good a solution is.   In: a problem and its solution.   Out: Certificate, frozen; it prints itself.

primal  1/2 |w|^2 + sum of upper times slack      dual  c'b - 1/2 b'Kb      no b reaches more than any w costs,
so that primal - dual bounds how far both are from the best.   Without an upper bound (hard margin) w is first
scaled until every row keeps the margin.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.svm.problem import Problem
from hedgerow.svm.solution import ONE, Solution, joined
from hedgerow.types import Count, Float, Mask


@dataclass(frozen=True, repr=False)
class Certificate(Result):
    """How good the solution of a support vector machine is.

    Attributes
    ----------
    primal :
        Primal objective.
    dual :
        Dual objective.
    gap :
        Difference of the two: the solution is that close to the best.
    violation :
        Largest violation of the Karush-Kuhn-Tucker conditions.
    norm :
        Length of w in feature space.
    n_support :
        Support vectors.
    n_free :
        Support vectors between the bounds.
    n_bounded :
        Support vectors at the upper bound.
    n_misclassified :
        None in regression.
    iterations :
        Steps of the solver.
    kernel_rows :
        Rows of kernel values that were computed.
    ending :
        Why the solver ended.
    rounding :
        What float32 kernel values may be off.
    curvature :
        Smallest eigenvalue that is known of the kernel matrix, where it is below zero.
    radius :
        Largest length of a row in feature space.
    gap_error :
        How far the gap may be off where scores it depends on are float32: if stopped early.

    See Also
    --------
    hedgerow.SVC : Has it as ``certificate_``.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import SVC
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> found = SVC(kernel="linear").fit(X, X[:, 0] > 0).certificate_
    >>> bool(found.gap < 0.01 * found.primal)
    True
    """

    primal: float
    dual: float
    gap: float
    violation: float
    norm: float
    n_rows: int
    n_support: int
    n_free: int
    n_bounded: int
    n_misclassified: int | None
    iterations: int
    kernel_rows: float
    seconds: float
    ending: str
    rounding: float = 0.0
    curvature: float = 0.0
    radius: float | None = None
    gap_error: float = 0.0

    @property
    def relative_gap(self) -> float:
        """The gap relative to the objective."""
        return self.gap / max(abs(self.primal), abs(self.dual), 1e-300)

    @property
    def margin(self) -> float:
        """Distance of the margin from the boundary, 1/norm(w)."""
        return 1.0 / self.norm if self.norm > 0 else np.inf

    @property
    def margin_width(self) -> float:
        """Distance between the two margins, 2/norm(w)."""
        return 2.0 * self.margin

    def margin_bound(self, delta: float = 0.05) -> float:
        """Bound the error on new rows of a hard-margin machine. It holds with probability 1 - delta.

        Parameters
        ----------
        delta : float
            Probability with which the bound may fail.

        Returns
        -------
        float
            At most this share of new rows is wrong.
        """
        if not 0 < delta < 1:
            raise ValueError(
                f"delta={delta!r} is the probability that the bound fails: a number between 0 and 1."
            )
        if self.radius is None:
            raise ValueError("the radius of the rows is not known; fit the certificate with it: radius=...")
        return margin_bound(self.radius, self.margin, self.n_rows, delta)

    def with_curvature(self, curvature: float) -> "Certificate":
        """Add what is known of the kernel matrix besides: the lesser of the two.

        Parameters
        ----------
        curvature : float
            An eigenvalue.

        Returns
        -------
        Certificate
            A new one.
        """
        return replace(self, curvature=curvature) if curvature < self.curvature else self

    def to_dict(self) -> dict[str, Any]:
        derived = {
            "relative_gap": self.relative_gap,
            "margin": self.margin,
            "margin_width": self.margin_width,
        }
        return asdict(self) | derived

    def tables(self) -> list[DisplayTable]:
        off = f" ± {self.gap_error:.1g}" if self.gap_error > 0 else ""
        bounds = "; bounds nothing: see the kernel matrix" if self.curvature < 0 else ""
        digits = 10 if self.rounding == 0 else 6  # of float32 no more are sure
        lines = [
            ("primal objective", f"{self.primal:.{digits}g}"),
            ("dual objective", f"{self.dual:.{digits}g}"),
            ("gap", f"{self.gap:.3g}{off}  ({self.relative_gap:.2g} of the objective){bounds}"),
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
                    f"scores were off by at most {self.rounding:.1g}; the gap is by float64"
                    if self.gap_error == 0
                    else f"scores are off by at most {self.rounding:.1g} in a sample",
                )
            )
        if self.curvature < 0:
            lines.append(("kernel matrix", f"not positive semidefinite (curvature {self.curvature:.2g})"))
        return [DisplayTable((), lines, words=(0, 1))]


ENDINGS = {
    "solved": "solved to the tolerance",
    "time_limit": "stopped by time_limit; the best solution so far",
    "max_iter": "stopped by max_iter; the best solution so far",
    "rounding": "stopped where steps became too small for the arithmetic",
}


def margin_bound(radius: float, margin: float, n_rows: int, delta: float) -> float:
    """sqrt(4 radius^2 / margin^2 / n) + sqrt(2 log(2 / delta) / n); at most 1, which says nothing"""
    wide = np.sqrt(4 * radius**2 / margin**2 / n_rows) + np.sqrt(2 * np.log(2 / delta) / n_rows)
    return min(1.0, float(wide))


def certificate(
    problem: Problem, solution: Solution, *, curvature: float = 0.0, radius: float | None = None
) -> Certificate:
    """From the solution's own field K coef; `curvature` and `radius` where the caller knows them."""
    found = certify(problem, (solution,), ONE, (radius,))[0]
    return found.with_curvature(curvature)


def certify(
    problem: Problem,
    solutions: Sequence[Solution],
    starts: Count,
    radii: Sequence[float | None] | None = None,
) -> list[Certificate]:
    """Of many models, whose variables follow one another in `problem`, each from its start. All sums at once: model
    by model they took longer than solving small ones."""
    alpha, coef = joined([s.alpha for s in solutions]), joined([s.coef for s in solutions])
    by_row = joined([s.field for s in solutions])
    sizes = np.diff(np.append(starts, len(alpha)))
    rho = np.array([s.rho for s in solutions])
    field = by_row if problem.row_of is None else by_row[problem.row_of]
    b = problem.y * alpha
    excess = problem.c - field + np.repeat(rho, sizes)  # c - score: what a variable still asks for

    def add(values: Float | Mask) -> Float:
        return np.add.reduceat(np.asarray(values, np.float64), starts)

    square = add(coef * by_row)  # |w|^2; below 0 only if the kernel is not semidefinite
    reward = add(problem.c * b)
    dual = reward - 0.5 * square
    slack = np.maximum(problem.y * excess, 0.0)
    if np.isinf(problem.upper).any():
        # y score >= smallest, so that w / smallest keeps the margin of 1 everywhere
        smallest = np.minimum.reduceat(problem.y * (problem.c - excess), starts)
        with np.errstate(divide="ignore"):
            primal = np.where(smallest > 0, 0.5 * square / np.maximum(smallest, 1e-300) ** 2, np.inf)
    else:
        primal = 0.5 * square + add(problem.upper * slack)
    ask = np.maximum(np.where(b < problem.high, excess, 0.0), np.where(b > problem.low, -excess, 0.0))
    violation = np.maximum(np.maximum.reduceat(ask, starts), 0.0)
    used, at_bound = alpha > 0, alpha >= problem.upper
    n_free, n_bounded = add(used & ~at_bound), add(used & at_bound)
    rounding = np.array([s.rounding for s in solutions])
    gap_error = rounding
    if rounding.any():
        exact = joined([np.ones(len(s.coef), np.bool_) if s.exact is None else s.exact for s in solutions])
        known = exact if problem.row_of is None else exact[problem.row_of]
        gap_error = rounding * add(np.where(known, 0.0, _unsettled(problem, alpha, excess, rounding.max())))
    rows_at = starts if problem.row_of is None else ONE
    n_support = np.add.reduceat((coef != 0).astype(np.float64), rows_at)
    size = np.add.reduceat(np.abs(coef) * np.abs(by_row), rows_at)
    wrong = add(problem.y * (field - np.repeat(rho, sizes)) <= 0)
    classes = problem.row_of is None
    return [
        Certificate(
            primal=float(primal[k]),
            dual=float(dual[k]),
            gap=float(primal[k] - dual[k]) - problem.delta * one.rho,
            gap_error=float(gap_error[k]),
            violation=float(violation[k]),
            norm=float(np.sqrt(max(square[k], 0.0))),
            n_rows=len(one.coef),
            n_support=int(n_support[k]),
            n_free=int(n_free[k]),
            n_bounded=int(n_bounded[k]),
            n_misclassified=int(wrong[k]) if classes else None,
            iterations=one.iterations,
            kernel_rows=one.kernel_rows,
            seconds=one.seconds,
            ending=one.ending,
            rounding=one.rounding,
            curvature=min(one.curvature, _length(square[k], size[k], reward[k])),
            radius=None if radii is None else radii[k],
        )
        for k, one in enumerate(solutions)
    ]


def _unsettled(problem: Problem, alpha: Float, excess: Float, off: float) -> Float:
    """How much the gap changes with the score of a variable: it is the sum of (upper or 0 - alpha) times excess, upper
    where there is slack. At a bound with slack, or at 0 without, nothing; `off` is what scores may be off by."""
    ask, upper = problem.y * excess, np.where(np.isinf(problem.upper), alpha, problem.upper)
    doubtful = np.maximum(upper - alpha, alpha)
    return np.where(ask > off, upper - alpha, np.where(ask < -off, alpha, doubtful))


def _length(square: float, size: float, reward: float) -> float:
    """|w|^2 below zero, relative to its terms, is curvature below zero too; 0 otherwise, and where it is nothing beside
    the rest of the objective: the length of a w that is 0 but for rounding."""
    if square >= -1e-9 * abs(reward) or size <= 0:
        return 0.0
    return float(min(square / size, 0.0))
