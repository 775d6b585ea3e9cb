"""Many binary SVMs in one native call.   In: rows or their kernel matrix, the training rows of each.   Out: Solutions.

One against the rest, folds and costs look at the same kernel values: these are computed once, each model copies out its
own, and a cost starts from the solution of the cost before (solve_many). Pairs of classes share few: each computes
what it asks for (solve_each).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.svm.certificate import Certificate, certify
from hedgerow.svm.exact import exactly_each
from hedgerow.svm.kernel import Kernel
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.problem import Problem, classes_problem
from hedgerow.svm.solution import ENDINGS, Solution, SolverOptions, intercepts
from hedgerow.svm.solve import FLOAT32_MOST, native_limits, solved_further, too_coarse
from hedgerow.types import Count, Float, FloatAny, Index

WIDE_BELOW = 1000  # rows of a model; half of solve.py's, as kernel values are most of the work of many


@dataclass(frozen=True)
class Learner:
    """A binary SVM to be fitted: its rows of the matrix, their signs and weights, and rows to score."""

    rows: Index
    signs: Float
    weight: Float
    test: Index | None = None


@dataclass(frozen=True)
class Many:
    """For each cost: the problem of all models, one after another from `starts`; what was found."""

    learners: tuple[Learner, ...]
    starts: Count
    narrow: bool  # kernel values are float32
    problems: tuple[Problem, ...]
    solutions: tuple[tuple[Solution, ...], ...]  # cost by cost, model by model
    scores: tuple[tuple[Float, ...], ...]  # of the test rows, the intercept included

    def certificates(self, cost: int = 0, radii: Sequence[float | None] | None = None) -> list[Certificate]:
        return certify(self.problems[cost], self.solutions[cost], self.starts, radii)


def solve_each(
    kernel: Kernel, rows: KernelInput, learners: Sequence[Learner], lengths: Float, options: SolverOptions
) -> list[Solution]:
    """Each from its own rows: kernel values are computed where they are needed, so that models with few support
    vectors need few. `lengths`: the kernel of each row with itself. Rows are read once, and models share threads."""
    large = float(np.abs(lengths).max(initial=0.0)) > FLOAT32_MOST
    wide = np.array([large or len(one.rows) <= WIDE_BELOW for one in learners])
    found: dict[int, Solution] = {}
    for kind in (True, False):
        which = np.flatnonzero(wide == kind).tolist()
        if not which:
            continue
        some = [learners[k] for k in which]
        solutions = _solve_some(kernel, rows, some, kind, options)
        found.update(zip(which, solutions, strict=True))
    return [found[k] for k in range(len(learners))]


def _solve_some(
    kernel: Kernel, rows: KernelInput, learners: Sequence[Learner], wide: bool, options: SolverOptions
) -> Sequence[Solution]:
    own_rows = np.concatenate([one.rows for one in learners])
    signs, weight = (
        np.concatenate([one.signs for one in learners]),
        np.concatenate([one.weight for one in learners]),
    )
    ends = np.cumsum([0, *(len(one.rows) for one in learners)])
    b, field, numbers, histories = native.svm_solve_each(
        *kernel.native_args,
        rows.native_args,
        wide,
        own_rows,
        ends,
        signs,
        weight,
        *native_limits(options),
        options.cache_bytes,
        options.threads,
    )
    problem = classes_problem(signs, weight)
    solutions = _solutions(problem, b, field, numbers, histories, ends)
    if wide:
        return solutions
    exact = exactly_each(problem, kernel, rows, own_rows, ends[:-1], solutions, options.threads)
    for k, one in enumerate(learners):
        if too_coarse(exact[k], options.tol):
            alone = classes_problem(one.signs, one.weight)
            exact[k] = solved_further(alone, kernel, rows.take(one.rows), options, exact[k])
    return exact


def solve_many(
    matrix: FloatAny, learners: Sequence[Learner], options: SolverOptions, costs: Sequence[float] = (1.0,)
) -> Many:
    """The bound of a row is its weight times the cost; costs rise."""
    none = np.zeros(0, np.int32)
    test = [none if one.test is None else one.test for one in learners]
    sizes, test_sizes = [len(one.rows) for one in learners], [len(one) for one in test]
    ends = np.cumsum([0, *sizes])
    signs = np.concatenate([one.signs for one in learners])
    weight = np.concatenate([one.weight for one in learners])
    (b, field, numbers, histories), scores = native.svm_solve_many(
        matrix,
        np.concatenate([one.rows for one in learners]),
        ends,
        signs,
        weight,
        np.concatenate(test),
        np.cumsum([0, *test_sizes]),
        np.asarray(costs, np.float64),
        *native_limits(options),
        options.threads,
    )
    starts = ends[:-1]
    by_cost = _by_cost(sizes, len(costs))
    problems, solutions, shown = [], [], []
    for k, cost in enumerate(costs):
        problem = classes_problem(signs, cost * weight)
        here = slice(None) if len(costs) == 1 else by_cost[k]
        some_b, some_field = b[here], field[here]
        found = _solutions(
            problem, some_b, some_field, numbers[k :: len(costs)], histories[k :: len(costs)], ends
        )
        problems.append(problem)
        solutions.append(found)
    cuts = np.cumsum(np.repeat(test_sizes, len(costs)))[:-1]
    each = np.split(scores, cuts)
    for k in range(len(costs)):
        own = each[k :: len(costs)]
        shown.append(tuple(score - s.rho for score, s in zip(own, solutions[k], strict=True)))
    return Many(
        tuple(learners), starts, matrix.dtype == np.float32, tuple(problems), tuple(solutions), tuple(shown)
    )


def _by_cost(sizes: Sequence[int], n_costs: int) -> list[Count]:
    """Where the variables of each cost stand: the core gives model by model, and of each cost by cost."""
    where: list[list[Count]] = [[] for _ in range(n_costs)]
    at = 0
    for size in sizes:
        for k in range(n_costs):
            where[k].append(np.arange(at, at + size))
            at += size
    return [np.concatenate(one) for one in where]


def _solutions(
    problem: Problem, b: Float, field: Float, numbers: Float, histories: list[Float], ends: Count
) -> tuple[Solution, ...]:
    slope = problem.c - field
    rho = -intercepts(problem, b, slope, ends[:-1])
    alpha, gradient = np.abs(b), -problem.y * slope
    found = []
    for k, (ending, steps, rounds, values, gap, seconds, curvature) in enumerate(numbers.tolist()):
        own = slice(int(ends[k]), int(ends[k + 1]))
        found.append(
            Solution(
                alpha=alpha[own],
                rho=float(rho[k]),
                gradient=gradient[own],
                coef=b[own],
                field=field[own],
                violation=max(gap, 0.0),
                iterations=int(steps),
                rounds=int(rounds),
                kernel_rows=values / max(own.stop - own.start, 1),
                seconds=seconds,
                history=histories[k],
                ending=ENDINGS[int(ending)],
                curvature=curvature,
            )
        )
    return tuple(found)
