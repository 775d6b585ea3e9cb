"""The path of kernel machines over C and gamma.   In: views of the rows, a Task, costs.   Out: SvmPath.

What one fit learns serves the next. Products of rows are computed once; the kernel matrix of a gamma is made of them
once for every C and every fold; each machine copies out its own part, and each C starts from the machine of the C
before, its weights made larger in proportion. Where the matrices do not fit into cache_size, each machine still goes
along its costs with the kernel values it has stored.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from hedgerow.svm.classes import stored_fits
from hedgerow.svm.kernel import Kernel, bent, products
from hedgerow.svm.path import PathPoint, SvmPath
from hedgerow.svm.path_machines import Job, at_once, checked, count, one_by_one
from hedgerow.svm.path_task import Part, Tally, Task, View, parts_of
from hedgerow.svm.solution import SolverOptions
from hedgerow.svm.solve import needs_float64
from hedgerow.types import FloatAny


def kernel_path(
    see: Callable[[Part], View], task: Task, costs: Sequence[float], strategy: str, options: SolverOptions
) -> SvmPath:
    """`see`: the view of a part; those that see the same rows share what is computed of them. Costs rise."""
    begin = time.perf_counter()
    parts = parts_of(task)
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
                    many = at_once(matrix(kernel), task, jobs, costs, strategy, options, tallies[g])
                    good = checked(many, jobs, kernel, rows, costs, options)
                    if good is not None:
                        count(good, task, jobs, strategy, tallies[g])
                        continue
                for job in jobs:
                    one_by_one(rows, kernel, task, job, costs, strategy, options, tallies[g])
    points: list[PathPoint] = []
    for g, kernel in enumerate(views[0].kernels):
        gamma = None if kernel.name in ("linear", "precomputed") else kernel.gamma
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
    matrices = 1 if view.kernels[0].name == "linear" else 2  # products, and what is made of them
    for threads in range(options.threads, 0, -1):
        fewer = replace(options, threads=threads)
        if stored_fits(view.rows, 1.0, fewer, matrices=matrices, width=_width(view)):
            return fewer, True
    given = view.rows.gram is not None
    return (replace(options, threads=1) if given else options), given


def _matrices(view: View, options: SolverOptions) -> Callable[[Kernel], FloatAny]:
    """kernel -> its matrix. Products of the rows are computed once; a single kernel needs no room for them."""
    gram = view.rows.gram
    if gram is not None:
        return lambda _: gram
    made = products(view.kernels[0], view.rows, wide=_width(view) == 8, threads=options.threads)
    return lambda kernel: made if kernel.name == "linear" else bent(kernel, made, options.threads)
