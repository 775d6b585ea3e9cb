"""The path over C (and gamma).   In: rows, classes, a grid, folds.   Out: SvmPath, frozen; prints and draws itself.

What one fit learns serves the next. Products of rows are computed once; the kernel matrix of a gamma is made of them
once for every C and every fold; each machine copies out its own part, and each C starts from the machine of the C
before, its weights made larger in proportion. Where the matrices do not fit into cache_size, each machine still goes
along its costs with the kernel values it has stored.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from html import escape
from importlib import import_module
from typing import Any

import numpy as np

from hedgerow.svm.certificate import Certificate, certificate
from hedgerow.svm.classes import learner, sides, stored_fits, votes
from hedgerow.svm.kernel import Kernel, bent, kernel_sums, products
from hedgerow.svm.linear import LinearEffort, LinearSolution, scores
from hedgerow.svm.linear_classes import learn_linear_classes
from hedgerow.svm.many import Many, solve_many
from hedgerow.svm.problem import classes_problem
from hedgerow.svm.rows import Rows
from hedgerow.svm.solve import Effort, Solution, needs_float64, rounding_of, solve_path
from hedgerow.types import Count, Float, FloatAny, Index, Mask


@dataclass(frozen=True)
class PathPoint:
    C: float
    gamma: float | None
    error: float  # share of held-out rows (by weight) decided wrongly, mean over folds
    std: float  # standard error of that mean
    train_error: float
    n_support: int
    primal: float  # of the machine on all rows; summed over machines
    gap: float
    iterations: int  # of all fits of this point
    seconds: float


@dataclass(frozen=True)
class SvmPath:
    """`best`: the smallest cross-validated error. `chosen`: the smallest C, then gamma, within a
    standard error of it."""

    points: tuple[PathPoint, ...]
    n_folds: int
    seconds: float
    stored: bool  # whether kernel matrices were stored
    coefs: tuple[Float, ...] = field(
        repr=False, default=()
    )  # linear: machines x (columns, intercept) of each point

    @property
    def best(self) -> int:
        return min(range(len(self.points)), key=lambda k: (self.points[k].error, self._size(k)))

    @property
    def chosen(self) -> int:
        bound = self.points[self.best].error + self.points[self.best].std
        return min((k for k, p in enumerate(self.points) if p.error <= bound), key=self._size)

    def _size(self, k: int) -> tuple[float, float]:
        return self.points[k].C, self.points[k].gamma or 0.0

    def params(self, k: int | None = None) -> dict[str, float]:
        """For `set_params`: those of point k, or of the chosen one."""
        point = self.points[self.chosen if k is None else k]
        return {"C": point.C} if point.gamma is None else {"C": point.C, "gamma": point.gamma}

    def as_dict(self) -> dict[str, Any]:
        return {
            "points": [asdict(point) for point in self.points],
            "best": self.best,
            "chosen": self.chosen,
            "n_folds": self.n_folds,
            "seconds": self.seconds,
        }

    def _lines(self) -> list[tuple[str, ...]]:
        heads = (
            "C",
            "gamma",
            "cv error",
            "± se",
            "training",
            "support",
            "primal",
            "gap",
            "steps",
            "seconds",
            "",
        )
        lines: list[tuple[str, ...]] = [heads]
        for k, p in enumerate(self.points):
            mark = "chosen (1 SE)" if k == self.chosen else "best" if k == self.best else ""
            if k == self.chosen == self.best:
                mark = "best, chosen"
            lines.append(
                (
                    f"{p.C:.4g}",
                    "-" if p.gamma is None else f"{p.gamma:.4g}",
                    f"{p.error:.4f}",
                    f"{p.std:.4f}",
                    f"{p.train_error:.4f}",
                    str(p.n_support),
                    f"{p.primal:.6g}",
                    f"{p.gap:.2g}",
                    str(p.iterations),
                    f"{p.seconds:.3f}",
                    mark,
                )
            )
        if all(p.gamma is None for p in self.points):
            lines = [(*line[:1], *line[2:]) for line in lines]
        return lines

    def __str__(self) -> str:
        lines = self._lines()
        widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
        body = [
            "  ".join(cell.rjust(w) for cell, w in zip(line[:-1], widths[:-1], strict=True)) + "  " + line[-1]
            for line in lines
        ]
        how = "kernel matrices stored" if self.stored else "warm starts"
        return "\n".join(
            [*(line.rstrip() for line in body), f"{self.n_folds} folds, {self.seconds:.3g} s in all, {how}"]
        )

    def _repr_html_(self) -> str:
        head, *rest = self._lines()
        top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        rows = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in line) + "</tr>" for line in rest)
        return f"<table><tr>{top}</tr>{rows}</table>"

    def draw(self, ax: Any = None) -> Any:
        """Cross-validated error against C, a line for each gamma."""
        drawing = import_module("hedgerow.draw.svm")  # a later stage, asked for only here
        return drawing.draw_path(self, ax=ax)


@dataclass(frozen=True)
class Task:
    """What is to be learned: class numbers, how many classes, the weight of each row, the fold of each row."""

    codes: Index
    n_classes: int
    weight: Float
    fold: Count
    n_folds: int


@dataclass(frozen=True)
class Part:
    """One row set to learn from, and the rows it is judged on."""

    learn: Mask
    judge: Mask


@dataclass(frozen=True)
class View:
    """All rows as a part sees them: brought to the scale of those it learns from; and a kernel for each gamma."""

    rows: Rows
    kernels: tuple[Kernel, ...]


def parts_of(task: Task) -> list[Part]:
    """All rows first, judged on themselves; then the folds."""
    used = task.weight > 0
    return [Part(used, used)] + [
        Part(used & (task.fold != k), used & (task.fold == k)) for k in range(task.n_folds)
    ]


@dataclass
class _Tally:
    """What is known of one grid point while its parts are fitted."""

    wrong: list[float] = field(default_factory=list)  # all rows first, then the folds
    certificates: list[Certificate] = field(default_factory=list)
    iterations: int = 0
    seconds: float = 0.0
    n_support: int = 0
    coef: Float = field(default_factory=lambda: np.zeros((0, 0)))

    def point(self, C: float, gamma: float | None) -> PathPoint:
        folds = np.array(self.wrong[1:])
        many = max(len(folds), 1)
        return PathPoint(
            C=C,
            gamma=gamma,
            error=float(folds.mean()) if len(folds) else self.wrong[0],
            std=float(folds.std(ddof=1) / np.sqrt(many)) if many > 1 else 0.0,
            train_error=self.wrong[0],
            n_support=self.n_support,
            primal=sum(c.primal for c in self.certificates),
            gap=sum(c.gap for c in self.certificates),
            iterations=self.iterations,
            seconds=self.seconds,
        )


def _wrong(task: Task, judge: Mask, found: Float, strategy: str) -> float:
    decided = decide(found, task.n_classes, strategy)
    weight = task.weight[judge]
    return float(weight @ (decided != task.codes[judge]) / weight.sum())


def decide(found: Float, n_classes: int, strategy: str) -> Count:
    """Scores (rows x machines) -> class numbers, as SVC and LinearSVC decide."""
    if n_classes == 2:
        return (found[:, 0] > 0).astype(np.int64)
    if strategy == "ovo":
        found = np.round(votes(found, n_classes))
    return np.asarray(np.argmax(found, axis=1), np.int64)


def linear_path(
    see: Callable[[Part], Rows],
    task: Task,
    costs: Sequence[float],
    effort: LinearEffort,
    *,
    squared: bool,
    intercept: bool,
) -> SvmPath:
    """`see`: all rows as a part sees them."""
    begin = time.perf_counter()
    tallies = [_Tally() for _ in costs]
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
                effort,
                squared=squared,
                intercept=intercept,
                starts=starts,
            )
            found = np.stack([scores(judged, m.solution.w, m.solution.b) for m in machines], axis=1)
            tally = tallies[k]
            tally.wrong.append(_wrong(task, part.judge, found, "ovr"))
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


def kernel_path(
    see: Callable[[Part], View], task: Task, costs: Sequence[float], strategy: str, effort: Effort
) -> SvmPath:
    """`see`: the view of a part; those that see the same rows share what is computed of them. Costs rise."""
    begin = time.perf_counter()
    parts = parts_of(task)
    views = [see(part) for part in parts]
    n_gammas = len(views[0].kernels)
    tallies = [[_Tally() for _ in costs] for _ in range(n_gammas)]
    effort, stored = _room(views[0], effort)
    for members in _alike(range(len(parts)), lambda k: id(views[k].rows)):
        matrix = _matrices(views[members[0]], effort) if stored else None
        for g in range(n_gammas):
            for some in _alike(members, lambda k, g=g: views[k].kernels[g]):  # type: ignore[misc]
                rows, kernel = views[some[0]].rows, views[some[0]].kernels[g]
                jobs = [_Job(parts[k], k == 0) for k in some]
                if matrix is not None:
                    many = _at_once(matrix(kernel), task, jobs, costs, strategy, effort, tallies[g])
                    if _fine(many, kernel, rows, effort):
                        _count(many, task, jobs, strategy, tallies[g])
                        continue
                for job in jobs:
                    _one_by_one(rows, kernel, task, job, costs, strategy, effort, tallies[g])
    points: list[PathPoint] = []
    for g, kernel in enumerate(views[0].kernels):
        gamma = None if kernel.name in ("linear", "precomputed") else kernel.gamma
        points += [t.point(C, gamma) for t, C in zip(tallies[g], costs, strict=True)]
    return SvmPath(tuple(points), task.n_folds, time.perf_counter() - begin, stored)


@dataclass(frozen=True)
class _Job:
    part: Part
    whole: bool  # all rows: the machine that is certified


def _alike(numbers: Iterable[int], key: Callable[[int], Any]) -> list[list[int]]:
    groups: dict[Any, list[int]] = {}
    for k in numbers:
        groups.setdefault(key(k), []).append(k)
    return list(groups.values())


def _width(view: View) -> int:
    """Bytes of a kernel value."""
    wide = view.rows.gram is not None or any(needs_float64(kernel, view.rows) for kernel in view.kernels)
    return 8 if wide else 4


def _room(view: View, effort: Effort) -> tuple[Effort, bool]:
    """Whether kernel matrices fit into cache_size, if need be with fewer threads."""
    matrices = 1 if view.kernels[0].name == "linear" else 2  # products, and what is made of them
    for threads in range(effort.threads, 0, -1):
        fewer = replace(effort, threads=threads)
        if stored_fits(view.rows, 1.0, fewer, matrices=matrices, width=_width(view)):
            return fewer, True
    given = view.rows.gram is not None
    return (replace(effort, threads=1) if given else effort), given


def _matrices(view: View, effort: Effort) -> Callable[[Kernel], FloatAny]:
    """kernel -> its matrix. Products of the rows are computed once; a single kernel needs no room for them."""
    gram = view.rows.gram
    if gram is not None:
        return lambda _: gram
    made = products(view.kernels[0], view.rows, wide=_width(view) == 8, threads=effort.threads)
    return lambda kernel: made if kernel.name == "linear" else bent(kernel, made, effort.threads)


def _at_once(
    matrix: FloatAny,
    task: Task,
    jobs: list[_Job],
    costs: Sequence[float],
    strategy: str,
    effort: Effort,
    tallies: list[_Tally],
) -> Many:
    """Every machine of these parts along all costs, in one call."""
    begin = time.perf_counter()
    pairs = list(sides(task.n_classes, strategy))
    learners = []
    for job in jobs:
        weight = np.where(job.part.learn, task.weight, 0.0)
        held = np.flatnonzero(job.part.judge).astype(np.int32)
        learners += [learner(task.codes, weight, *pair, held) for pair in pairs]
    many = solve_many(matrix, learners, effort, costs)
    for tally in tallies:
        tally.seconds += (time.perf_counter() - begin) / len(costs)
    return many


def _fine(many: Many, kernel: Kernel, rows: Rows, effort: Effort) -> bool:
    """Whether float32 was good enough for the first machine at the largest cost, where errors weigh most."""
    if not many.narrow:
        return True
    last = many.solutions[-1][0]
    off = rounding_of(kernel, rows.take(many.learners[0].rows), last, effort.threads)
    return off <= 0.1 * effort.tol and last.ending != "rounding"


def _count(many: Many, task: Task, jobs: list[_Job], strategy: str, tallies: list[_Tally]) -> None:
    width = len(many.learners) // len(jobs)
    for k, tally in enumerate(tallies):
        tally.iterations += sum(one.iterations for one in many.solutions[k])
        says = many.certificates(k) if any(job.whole for job in jobs) else []
        for j, job in enumerate(jobs):
            own = slice(j * width, (j + 1) * width)
            found = np.stack(many.scores[k][own], axis=1)
            tally.wrong.append(_wrong(task, job.part.judge, found, strategy))
            if job.whole:
                tally.certificates = says[own]
                tally.n_support = sum(int((one.alpha > 0).sum()) for one in many.solutions[k][own])


def _one_by_one(
    rows: Rows,
    kernel: Kernel,
    task: Task,
    job: _Job,
    costs: Sequence[float],
    strategy: str,
    effort: Effort,
    tallies: list[_Tally],
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
        for k, solution in enumerate(solve_path(unit, kernel, some, effort, costs)):
            from_here = time.perf_counter()
            found[k][:, machine] = _scores(kernel, some, solution, judged, effort.threads)
            tally = tallies[k]
            tally.iterations += solution.iterations
            if job.whole:
                problem = replace(unit, upper=costs[k] * unit.upper)
                tally.certificates.append(certificate(problem, solution))
                tally.n_support += int((solution.alpha > 0).sum())
            tally.seconds += solution.seconds + time.perf_counter() - from_here
    for k in range(len(costs)):
        tallies[k].wrong.append(_wrong(task, job.part.judge, found[k], strategy))


def _scores(kernel: Kernel, rows: Rows, solution: Solution, judged: Rows, threads: int) -> Float:
    used = np.flatnonzero(solution.coef)
    if len(used) == 0:
        return np.full(judged.n_rows, -solution.rho)
    coef = solution.coef[used, None]
    return kernel_sums(kernel, rows.take(used), coef, judged, threads=threads)[:, 0] - solution.rho
