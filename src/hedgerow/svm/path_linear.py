"""The path of linear machines over C.   In: rows, a Task, costs.   Out: SvmPath. Each C starts from the C before."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.linear import LinearSolution, LinearSolverOptions, scores
from hedgerow.svm.linear_classes import learn_linear_classes
from hedgerow.svm.path import SvmPath
from hedgerow.svm.path_task import Part, Tally, Task, parts_of, share_wrong


def linear_path(
    see: Callable[[Part], KernelInput],
    task: Task,
    costs: Sequence[float],
    options: LinearSolverOptions,
    *,
    squared: bool,
    intercept: bool,
) -> SvmPath:
    """`see`: all rows as a part sees them."""
    begin = time.perf_counter()
    tallies = [Tally() for _ in costs]
    for number, part in enumerate(parts_of(task)):
        rows = see(part)
        which, held = np.flatnonzero(part.learn), np.flatnonzero(part.judge)
        some, judged = rows.take(which), rows.take(held)
        starts: list[LinearSolution] | None = None
        for k, C in enumerate(costs):
            from_here = time.perf_counter()
            cost = C * task.weight[which]
            machines = learn_linear_classes(
                some,
                task.codes[which],
                task.n_classes,
                cost,
                options,
                squared=squared,
                intercept=intercept,
                starts=starts,
            )
            found = np.stack([scores(judged, m.solution.w, m.solution.b) for m in machines], axis=1)
            tally = tallies[k]
            tally.wrong.append(share_wrong(task, part.judge, found, "ovr"))
            tally.iterations += sum(m.solution.iterations for m in machines)
            tally.seconds += time.perf_counter() - from_here
            if number == 0:
                tally.certificates = [m.certificate for m in machines]
                tally.n_support = int(np.any([m.solution.beta != 0 for m in machines], axis=0).sum())
                tally.coef = np.stack([np.append(m.solution.w, m.solution.b) for m in machines])
            starts = [m.solution for m in machines]
    points = tuple(t.point(C, None) for t, C in zip(tallies, costs, strict=True))
    coefs = tuple(t.coef for t in tallies)
    return SvmPath(points, task.n_folds, time.perf_counter() - begin, False, coefs)
