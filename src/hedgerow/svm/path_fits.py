"""The fits of a path over C (and gamma).   In: rows as each part sees them, a PathTask, costs.   Out: SvmPath.

What one fit learns serves the next. Products of rows are computed once; the kernel matrix of a gamma is made of them
once for every C and every fold; each model copies out its own part, and each C starts from the model of the C
before, its weights made larger in proportion. Where the matrices do not fit into cache_size, each model still goes
along its costs with the kernel values it has stored. Linear SVMs start each C from the C before.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.svm.certificate import certificate
from hedgerow.svm.classes import learner, sides, stored_fits
from hedgerow.svm.exact import exactly
from hedgerow.svm.kernel import Kernel, apply_kernel, gram, kernel_dot
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.linear import LinearSolution, LinearSolverOptions, scores
from hedgerow.svm.linear_classes import learn_linear_classes
from hedgerow.svm.many import Many, solve_many
from hedgerow.svm.path import Part, PathPoint, PathTask, SvmPath, Tally, View, share_wrong, split_task
from hedgerow.svm.problem import classes_problem
from hedgerow.svm.solution import Solution, SolverOptions
from hedgerow.svm.solve import needs_float64, solve_path, too_coarse
from hedgerow.types import Float, FloatAny


def linear_path(
    see: Callable[[Part], KernelInput],
    task: PathTask,
    costs: Sequence[float],
    options: LinearSolverOptions,
    *,
    squared: bool,
    intercept: bool,
) -> SvmPath:
    """`see`: all rows as a part sees them."""
    begin = time.perf_counter()
    tallies = [Tally() for _ in costs]
    for number, part in enumerate(split_task(task)):
        rows = see(part)
        which, held = np.flatnonzero(part.train), np.flatnonzero(part.test)
        some, test = rows.take(which), rows.take(held)
        starts: list[LinearSolution] | None = None
        for k, C in enumerate(costs):
            from_here = time.perf_counter()
            cost = C * task.weight[which]
            models = learn_linear_classes(
                some,
                task.codes[which],
                task.n_classes,
                cost,
                options,
                squared=squared,
                intercept=intercept,
                starts=starts,
            )
            found = np.stack([scores(test, m.solution.w, m.solution.b) for m in models], axis=1)
            tally = tallies[k]
            tally.wrong.append(share_wrong(task, part.test, found, "ovr"))
            tally.iterations += sum(m.solution.iterations for m in models)
            tally.seconds += time.perf_counter() - from_here
            if number == 0:
                tally.certificates = [m.certificate for m in models]
                tally.n_support = int(np.any([m.solution.beta != 0 for m in models], axis=0).sum())
                tally.coef = np.stack([np.append(m.solution.w, m.solution.b) for m in models])
            starts = [m.solution for m in models]
    points = tuple(t.point(C, None) for t, C in zip(tallies, costs, strict=True))
    coefs = tuple(t.coef for t in tallies)
    return SvmPath(points, task.n_folds, time.perf_counter() - begin, False, coefs)


def kernel_path(
    see: Callable[[Part], View], task: PathTask, costs: Sequence[float], strategy: str, options: SolverOptions
) -> SvmPath:
    """`see`: the view of a part; those that see the same rows share what is computed of them. Costs rise."""
    begin = time.perf_counter()
    parts = split_task(task)
    views = [see(part) for part in parts]
    n_gammas = len(views[0].kernels)
    tallies = [[Tally() for _ in costs] for _ in range(n_gammas)]
    options, stored = _room(views[0], options)
    for members in _alike(range(len(parts)), lambda k: id(views[k].rows)):
        matrix = _matrices(views[members[0]], options) if stored else None
        for g in range(n_gammas):
            for some in _alike(members, lambda k, g=g: views[k].kernels[g]):  # type: ignore[misc]
                rows, kernel = views[some[0]].rows, views[some[0]].kernels[g]
                jobs = [Job(parts[k], k == 0) for k in some]
                if matrix is not None:
                    many = solve_together(matrix(kernel), task, jobs, costs, strategy, options, tallies[g])
                    good = refine(many, jobs, kernel, rows, costs, options)
                    if good is not None:
                        add_scores(good, task, jobs, strategy, tallies[g])
                        continue
                for job in jobs:
                    solve_part(rows, kernel, task, job, costs, strategy, options, tallies[g])
    points: list[PathPoint] = []
    for g, kernel in enumerate(views[0].kernels):
        gamma = kernel.gamma if kernel.has_gamma else None
        points += [t.point(C, gamma) for t, C in zip(tallies[g], costs, strict=True)]
    return SvmPath(tuple(points), task.n_folds, time.perf_counter() - begin, stored)


def _alike(numbers: Iterable[int], key: Callable[[int], Any]) -> list[list[int]]:
    groups: dict[Any, list[int]] = {}
    for k in numbers:
        groups.setdefault(key(k), []).append(k)
    return list(groups.values())


def _width(view: View) -> int:
    """Bytes of a kernel value."""
    wide = view.rows.gram is not None or any(needs_float64(kernel, view.rows) for kernel in view.kernels)
    return 8 if wide else 4


def _room(view: View, options: SolverOptions) -> tuple[SolverOptions, bool]:
    """Whether kernel matrices fit into cache_size, if need be with fewer threads."""
    matrices = 1 if view.kernels[0].is_linear else 2  # products, and what is made of them
    for threads in range(options.threads, 0, -1):
        fewer = replace(options, threads=threads)
        if stored_fits(view.rows, 1.0, fewer, matrices=matrices, width=_width(view)):
            return fewer, True
    given = view.rows.gram is not None
    return (replace(options, threads=1) if given else options), given


def _matrices(view: View, options: SolverOptions) -> Callable[[Kernel], FloatAny]:
    """kernel -> its matrix. Products of the rows are computed once; a single kernel needs no room for them."""
    given = view.rows.gram
    if given is not None:
        return lambda _: given
    made = gram(view.kernels[0], view.rows, wide=_width(view) == 8, threads=options.threads)
    return lambda kernel: made if kernel.is_linear else apply_kernel(kernel, made, options.threads)


@dataclass(frozen=True)
class Job:
    part: Part
    whole: bool  # all rows: the model that is certified


def solve_together(
    matrix: FloatAny,
    task: PathTask,
    jobs: list[Job],
    costs: Sequence[float],
    strategy: str,
    options: SolverOptions,
    tallies: list[Tally],
) -> Many:
    """Every model of these parts along all costs, in one call."""
    begin = time.perf_counter()
    pairs = list(sides(task.n_classes, strategy))
    learners = []
    for job in jobs:
        weight = np.where(job.part.train, task.weight, 0.0)
        held = np.flatnonzero(job.part.test).astype(np.int32)
        learners += [learner(task.codes, weight, *pair, held) for pair in pairs]
    many = solve_many(matrix, learners, options, costs)
    for tally in tallies:
        tally.seconds += (time.perf_counter() - begin) / len(costs)
    return many


def refine(
    many: Many,
    jobs: list[Job],
    kernel: Kernel,
    rows: KernelInput,
    costs: Sequence[float],
    options: SolverOptions,
) -> Many | None:
    """The models that are certified, with exact scores; None where float32 was too coarse for one. Where none is to
    be certified, the first is looked at, at the largest cost, where errors weigh most."""
    if not many.narrow:
        return many
    width = len(many.learners) // len(jobs)
    whole = any(job.whole for job in jobs)  # then it comes first
    solutions = [list(each) for each in many.solutions]
    for k in range(len(costs)) if whole else [len(costs) - 1]:
        for m in range(width if whole else 1):
            one = many.learners[m]
            problem = classes_problem(one.signs, costs[k] * one.weight)
            solutions[k][m] = exactly(problem, kernel, rows.take(one.rows), solutions[k][m], options.threads)
            if too_coarse(solutions[k][m], options.tol):
                return None
    return replace(many, solutions=tuple(tuple(each) for each in solutions))


def add_scores(many: Many, task: PathTask, jobs: list[Job], strategy: str, tallies: list[Tally]) -> None:
    width = len(many.learners) // len(jobs)
    for k, tally in enumerate(tallies):
        tally.iterations += sum(one.iterations for one in many.solutions[k])
        says = many.certificates(k) if any(job.whole for job in jobs) else []
        for j, job in enumerate(jobs):
            own = slice(j * width, (j + 1) * width)
            found = np.stack(many.scores[k][own], axis=1)
            tally.wrong.append(share_wrong(task, job.part.test, found, strategy))
            if job.whole:
                tally.certificates = says[own]
                tally.n_support = sum(int((one.alpha > 0).sum()) for one in many.solutions[k][own])


def solve_part(
    rows: KernelInput,
    kernel: Kernel,
    task: PathTask,
    job: Job,
    costs: Sequence[float],
    strategy: str,
    options: SolverOptions,
    tallies: list[Tally],
) -> None:
    """Every model of one part, from the smallest C to the largest."""
    held = np.flatnonzero(job.part.test)
    weight = np.where(job.part.train, task.weight, 0.0)
    pairs = list(sides(task.n_classes, strategy))
    found = [np.zeros((len(held), len(pairs))) for _ in costs]
    test = rows.take(held)
    for model, pair in enumerate(pairs):
        one = learner(task.codes, weight, *pair)
        some = rows.take(one.rows)
        unit = classes_problem(one.signs, one.weight)
        for k, solution in enumerate(solve_path(unit, kernel, some, options, costs)):
            from_here = time.perf_counter()
            found[k][:, model] = _scores(kernel, some, solution, test, options.threads)
            tally = tallies[k]
            tally.iterations += solution.iterations
            if job.whole:
                problem = replace(unit, upper=costs[k] * unit.upper)
                tally.certificates.append(certificate(problem, solution))
                tally.n_support += int((solution.alpha > 0).sum())
            tally.seconds += solution.seconds + time.perf_counter() - from_here
    for k in range(len(costs)):
        tallies[k].wrong.append(share_wrong(task, job.part.test, found[k], strategy))


def _scores(kernel: Kernel, rows: KernelInput, solution: Solution, test: KernelInput, threads: int) -> Float:
    used = np.flatnonzero(solution.coef)
    if len(used) == 0:
        return np.full(test.n_rows, -solution.rho)
    coef = solution.coef[used, None]
    return kernel_dot(kernel, rows.take(used), coef, test, threads=threads)[:, 0] - solution.rho
