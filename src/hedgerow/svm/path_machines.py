"""The kernel machines of some parts along all costs.   In: a kernel matrix, or rows.   Out: added to the tallies."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hedgerow.svm.certificate import certificate
from hedgerow.svm.classes import learner, sides
from hedgerow.svm.exact import exactly
from hedgerow.svm.kernel import Kernel, kernel_sums
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.many import Many, solve_many
from hedgerow.svm.path_task import Part, Tally, Task, share_wrong
from hedgerow.svm.problem import classes_problem
from hedgerow.svm.solution import Solution, SolverOptions
from hedgerow.svm.solve import solve_path, too_coarse
from hedgerow.types import Float, FloatAny


@dataclass(frozen=True)
class Job:
    part: Part
    whole: bool  # all rows: the machine that is certified


def at_once(
    matrix: FloatAny,
    task: Task,
    jobs: list[Job],
    costs: Sequence[float],
    strategy: str,
    options: SolverOptions,
    tallies: list[Tally],
) -> Many:
    """Every machine of these parts along all costs, in one call."""
    begin = time.perf_counter()
    pairs = list(sides(task.n_classes, strategy))
    learners = []
    for job in jobs:
        weight = np.where(job.part.learn, task.weight, 0.0)
        held = np.flatnonzero(job.part.judge).astype(np.int32)
        learners += [learner(task.codes, weight, *pair, held) for pair in pairs]
    many = solve_many(matrix, learners, options, costs)
    for tally in tallies:
        tally.seconds += (time.perf_counter() - begin) / len(costs)
    return many


def checked(
    many: Many,
    jobs: list[Job],
    kernel: Kernel,
    rows: KernelInput,
    costs: Sequence[float],
    options: SolverOptions,
) -> Many | None:
    """The machines that are certified, with exact scores; None where float32 was too coarse for one. Where none is to
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


def count(many: Many, task: Task, jobs: list[Job], strategy: str, tallies: list[Tally]) -> None:
    width = len(many.learners) // len(jobs)
    for k, tally in enumerate(tallies):
        tally.iterations += sum(one.iterations for one in many.solutions[k])
        says = many.certificates(k) if any(job.whole for job in jobs) else []
        for j, job in enumerate(jobs):
            own = slice(j * width, (j + 1) * width)
            found = np.stack(many.scores[k][own], axis=1)
            tally.wrong.append(share_wrong(task, job.part.judge, found, strategy))
            if job.whole:
                tally.certificates = says[own]
                tally.n_support = sum(int((one.alpha > 0).sum()) for one in many.solutions[k][own])


def one_by_one(
    rows: KernelInput,
    kernel: Kernel,
    task: Task,
    job: Job,
    costs: Sequence[float],
    strategy: str,
    options: SolverOptions,
    tallies: list[Tally],
) -> None:
    """Every machine of one part, from the smallest C to the largest."""
    held = np.flatnonzero(job.part.judge)
    weight = np.where(job.part.learn, task.weight, 0.0)
    pairs = list(sides(task.n_classes, strategy))
    found = [np.zeros((len(held), len(pairs))) for _ in costs]
    judged = rows.take(held)
    for machine, pair in enumerate(pairs):
        one = learner(task.codes, weight, *pair)
        some = rows.take(one.rows)
        unit = classes_problem(one.signs, one.weight)
        for k, solution in enumerate(solve_path(unit, kernel, some, options, costs)):
            from_here = time.perf_counter()
            found[k][:, machine] = _scores(kernel, some, solution, judged, options.threads)
            tally = tallies[k]
            tally.iterations += solution.iterations
            if job.whole:
                problem = replace(unit, upper=costs[k] * unit.upper)
                tally.certificates.append(certificate(problem, solution))
                tally.n_support += int((solution.alpha > 0).sum())
            tally.seconds += solution.seconds + time.perf_counter() - from_here
    for k in range(len(costs)):
        tallies[k].wrong.append(share_wrong(task, job.part.judge, found[k], strategy))


def _scores(
    kernel: Kernel, rows: KernelInput, solution: Solution, judged: KernelInput, threads: int
) -> Float:
    used = np.flatnonzero(solution.coef)
    if len(used) == 0:
        return np.full(judged.n_rows, -solution.rho)
    coef = solution.coef[used, None]
    return kernel_sums(kernel, rows.take(used), coef, judged, threads=threads)[:, 0] - solution.rho
