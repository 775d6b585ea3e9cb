"""Linear SVMs.   In: rows and the target of each.   Out: w, b, beta, and a Certificate.

The problem and its dual stand in native/linear/binary_svm.hpp: classes and numbers, hinge and its square, one form; the
intercept carries no penalty. Two ways to solve it: dual coordinate descent (one row at a time; many columns) and
Newton's method (a few steps, each over all rows; few columns). Both know their gap and stop by it.
"""

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.types import Float, SmallInt

NEWTON_COLUMNS = 512  # up to here its Hessian is made and factored
PRODUCT_COLUMNS = 2048  # up to here a dense one is approximated once for all binary SVMs
POLISHED = 5_000  # cells; so few rows are solved to the last digit, which costs a tenth of a millisecond
PATIENCE = 200  # epochs of descent before Newton's method is tried
ENDINGS = ("solved", "max_iter", "time_limit", "rounding", "inseparable")


@dataclass(frozen=True)
class LinearProblem:
    """minimise 1/2 |w|^2 + sum of cost * loss(target - w.x - b); `side` 1 or -1: only that side hurts, 0: both."""

    target: Float
    cost: Float
    side: SmallInt
    epsilon: float = 0.0
    squared: bool = False
    intercept: bool = True

    @cached_property
    def hard(self) -> bool:
        return bool(np.isinf(self.cost).any())

    @cached_property
    def of_classes(self) -> bool:
        return bool(self.side.all())

    def excess(self, score: Float) -> Float:
        """How far each row is beyond what is free of cost."""
        residual = self.target - score
        if self.of_classes:
            return np.maximum(self.side * residual - self.epsilon, 0.0)
        hurt = np.where(self.side == 0, np.abs(residual), self.side * residual)
        return np.maximum(hurt - self.epsilon, 0.0)

    def loss(self, score: Float) -> float:
        excess = self.excess(score)
        used = excess > 0
        return float(self.cost[used] @ (excess[used] ** 2 if self.squared else excess[used]))


def class_problem(
    signs: Float, cost: Float, *, squared: bool = False, intercept: bool = True
) -> LinearProblem:
    """Two classes, -1 and 1."""
    return LinearProblem(signs, cost, signs.astype(np.int8), 0.0, squared, intercept)


def number_problem(
    target: Float, cost: Float, epsilon: float, *, squared: bool = False, intercept: bool = True
) -> LinearProblem:
    return LinearProblem(target, cost, np.zeros(len(target), np.int8), epsilon, squared, intercept)


@dataclass(frozen=True)
class LinearSolverOptions:
    """How long to try."""

    tol: float = 1e-4  # the duality gap, relative to the primal objective
    time_limit: float | None = None
    max_iter: int = 1000  # Newton steps, or epochs of coordinate descent
    method: str = "auto"  # "descent", "newton"
    seed: int = 0
    threads: int = 1

    @property
    def native_args(self) -> dict[str, Any]:
        """The arguments of every native solver."""
        seconds = np.inf if self.time_limit is None else self.time_limit
        return {"tol": self.tol, "seconds": seconds, "iterations": self.max_iter, "seed": self.seed}

    @cached_property
    def by_newton(self) -> "LinearSolverOptions":
        return replace(self, method="newton")

    @cached_property
    def to_the_last_digit(self) -> "LinearSolverOptions":
        return replace(self, method="newton", tol=1e-15, max_iter=200)


@dataclass(frozen=True)
class LinearSolution:
    w: Float
    b: float
    beta: Float  # one a row; w is the sum of beta * row, up to the gap
    iterations: int
    ending: str
    progress: Float  # seconds, primal, dual
    seconds: float


def solve_linear(
    problem: LinearProblem,
    rows: KernelInput,
    options: LinearSolverOptions,
    *,
    start: LinearSolution | None = None,
    products: Float | None = None,
) -> LinearSolution:
    """ "auto": Newton's method where its Hessian is small or there are `products` (column_products); else descent, and
    Newton's method should that be slow."""
    solution = _solve(problem, rows, options, start, products)
    if rows.n_rows * rows.n_columns <= POLISHED and solution.ending == "solved":
        polished = _run(problem, rows, options.to_the_last_digit, solution)
        if _gap(polished) < _gap(solution):
            solution = _joined(solution, polished, ending="solved", iterations=solution.iterations)
    return _scaled_to_margin(problem, rows, solution) if problem.hard else solution


def _solve(
    problem: LinearProblem,
    rows: KernelInput,
    options: LinearSolverOptions,
    start: LinearSolution | None,
    products: Float | None,
) -> LinearSolution:
    if problem.hard:
        return _run(problem, rows, options.by_newton, start)
    if options.method != "auto":
        return _run(problem, rows, options, start, products)
    if rows.n_columns < NEWTON_COLUMNS or products is not None:
        return _run(problem, rows, options.by_newton, start, products)
    epochs = min(options.max_iter, PATIENCE)
    first = _run(problem, rows, replace(options, method="descent", max_iter=epochs), start)
    if first.ending != "max_iter" or epochs == options.max_iter:
        return first
    left = None if options.time_limit is None else max(options.time_limit - first.seconds, 0.0)
    rest = replace(options, method="newton", max_iter=options.max_iter - epochs, time_limit=left)
    second = _run(problem, rows, rest, first)
    return _joined(first, second, second.ending, first.iterations + second.iterations)


def column_products(rows: KernelInput, options: LinearSolverOptions, *, intercept: bool) -> Float | None:
    """What Newton's method starts from where columns are many and rows dense and more: how columns go together. One for
    all classes."""
    worth = rows.dense is not None and NEWTON_COLUMNS <= rows.n_columns <= PRODUCT_COLUMNS
    if not worth or rows.n_rows < 2 * rows.n_columns or options.method == "descent":
        return None
    return native.linear_products(rows.native_args, intercept=intercept, threads=options.threads)


def _joined(first: LinearSolution, second: LinearSolution, ending: str, iterations: int) -> LinearSolution:
    """The second, with what the first had cost; should it have come to less, the first."""
    later = second.progress + np.array([first.seconds, 0.0, 0.0])
    worse = _gap(second) > _gap(first)
    return replace(
        first if worse else second,
        ending=ending,
        iterations=iterations,
        seconds=first.seconds + second.seconds,
        progress=np.concatenate([first.progress, later]),
    )


def _gap(solution: LinearSolution) -> float:
    return float(solution.progress[-1, 1] - solution.progress[-1, 2])


def _run(
    problem: LinearProblem,
    rows: KernelInput,
    options: LinearSolverOptions,
    start: LinearSolution | None,
    products: Float | None = None,
) -> LinearSolution:
    begin = time.perf_counter()
    w, b, beta, iterations, ending, progress = native.linear_solve(
        rows.native_args,
        problem.target,
        problem.cost,
        problem.side,
        epsilon=problem.epsilon,
        squared=problem.squared and not problem.hard,
        intercept=problem.intercept,
        dual=options.method == "descent",
        start_w=None if start is None else start.w,
        start_b=0.0 if start is None else start.b,
        start_beta=None if start is None else start.beta,
        products=products,
        threads=options.threads,
        **options.native_args,
    )
    return LinearSolution(w, b, beta, iterations, ENDINGS[ending], progress, time.perf_counter() - begin)


def scores(rows: KernelInput, w: Float, b: float) -> Float:
    """w.x + b"""
    matrix = rows.dense if rows.dense is not None else rows.sparse()
    found: Float = np.asarray(matrix @ w) + b
    return found


def _sum_of_rows(rows: KernelInput, beta: Float) -> Float:
    matrix = rows.dense if rows.dense is not None else rows.sparse()
    found: Float = np.asarray(matrix.T @ beta)
    return found


def _scaled_to_margin(problem: LinearProblem, rows: KernelInput, found: LinearSolution) -> LinearSolution:
    """The hard margin: every row keeps the distance of 1, the nearest exactly."""
    score = scores(rows, found.w, found.b)
    signs = problem.target
    if problem.intercept:  # put the boundary in the middle
        shift = 0.5 * (score[signs < 0].max() + score[signs > 0].min())
        score, found = score - shift, replace(found, b=found.b - shift)
    nearest = float((signs * score).min())
    if nearest <= 0:
        return found
    return replace(found, w=found.w / nearest, b=found.b / nearest)


def balanced(beta: Float) -> Float:
    """beta brought to the sum 0 that an intercept without penalty requires: the heavier sign is made lighter, so that
    no bound is broken."""
    up, down = float(beta[beta > 0].sum()), float(-beta[beta < 0].sum())
    if up == down:
        return beta
    if min(up, down) == 0:
        return np.zeros_like(beta)
    heavier = np.where(beta > 0, up > down, down > up)
    return np.where(heavier, beta * (min(up, down) / max(up, down)), beta)


def dual_value(problem: LinearProblem, beta: Float, w: Float) -> float:
    """What `beta` proves: no model costs less. `w` is the sum of beta * row."""
    value = float(problem.target @ beta) - problem.epsilon * float(np.abs(beta).sum()) - 0.5 * float(w @ w)
    if problem.squared and not problem.hard:
        used = beta != 0
        value -= 0.25 * float((beta[used] ** 2 / problem.cost[used]).sum())
    return value


def linear_certificate(
    problem: LinearProblem, rows: KernelInput, solution: LinearSolution, *, radius: float | None = None
) -> Certificate:
    """The gap is between the cost of (w, b) as they are reported and what a feasible beta proves."""
    beta = balanced(solution.beta) if problem.intercept else solution.beta
    score = scores(rows, solution.w, solution.b)
    square = float(solution.w @ solution.w)
    dual = max(0.0, dual_value(problem, beta, _sum_of_rows(rows, beta)))  # beta = 0 proves 0
    if problem.hard:
        primal = 0.5 * square if float((problem.target * score).min()) > 0.5 else np.inf
    else:
        primal = 0.5 * square + problem.loss(score)
    at_bound = np.abs(beta) >= problem.cost if not problem.squared else np.zeros(len(beta), bool)
    support = beta != 0
    return Certificate(
        primal=primal,
        dual=dual,
        gap=primal - dual,
        violation=_violation(problem, beta, score),
        norm=float(np.sqrt(square)),
        n_rows=int((problem.cost > 0).sum()),
        n_support=int(support.sum()),
        n_free=int((support & ~at_bound).sum()),
        n_bounded=int((support & at_bound).sum()),
        n_misclassified=int(((problem.target * score <= 0) & (problem.cost > 0)).sum())
        if problem.of_classes
        else None,
        iterations=solution.iterations,
        kernel_rows=0.0,
        seconds=solution.seconds,
        ending=solution.ending,
        radius=radius,
    )


def _violation(problem: LinearProblem, beta: Float, score: Float) -> float:
    """The largest amount by which a row's residual disagrees with its beta."""
    slope = score - problem.target
    cap = problem.cost
    if problem.squared and problem.of_classes and cap.min() > 0 and not problem.hard:  # no upper bound
        slope += beta / (2 * cap)
        return float(np.where(beta != 0, np.abs(slope), -problem.side * slope).max(initial=0.0))
    if problem.squared and not problem.hard:
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = slope + np.where(beta != 0, beta / (2 * problem.cost), 0.0)
        cap = np.where(problem.cost > 0, np.inf, 0.0)
    low = np.where(problem.side > 0, 0.0, -cap)
    high = np.where(problem.side < 0, 0.0, cap)
    up, down = slope + problem.epsilon, slope - problem.epsilon
    wrong = np.where(beta > 0, np.abs(up), np.where(beta < 0, np.abs(down), np.maximum(-up, down)))
    wrong = np.where(beta >= high, np.where(low < high, np.maximum(up, 0.0), 0.0), wrong)
    wrong = np.where(beta <= low, np.where(low < high, np.maximum(-down, 0.0), 0.0), wrong)
    return float(np.maximum(wrong, 0.0).max(initial=0.0))


def longest_row(rows: KernelInput) -> float:
    """Its length."""
    if rows.dense is not None:
        squares: Any = np.einsum("ij,ij->i", rows.dense, rows.dense)
    else:
        assert rows.values is not None
        assert rows.starts is not None
        squares = np.add.reduceat(np.append(rows.values**2, 0.0), rows.starts[:-1]) * (
            np.diff(rows.starts) > 0
        )
    return float(np.sqrt(squares.max(initial=0.0)))
