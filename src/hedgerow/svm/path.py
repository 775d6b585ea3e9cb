"""The path over C (and gamma).   In: rows, classes, a grid, folds.   Out: SvmPath, frozen; prints and draws itself.

What one fit learns serves the next: the kernel matrix of a gamma is computed once for every C and every fold, if it
fits into the cache, and each C starts from the machine of the C before, its weights made larger in proportion.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from importlib import import_module
from typing import Any

import numpy as np

from hedgerow.svm.certificate import Certificate, certificate
from hedgerow.svm.classes import sides, votes
from hedgerow.svm.kernel import Kernel, kernel_matrix, kernel_sums
from hedgerow.svm.linear import LinearEffort, LinearSolution, scores
from hedgerow.svm.linear_classes import learn_linear_classes
from hedgerow.svm.problem import classes_problem
from hedgerow.svm.rows import Rows, gram_rows
from hedgerow.svm.solve import Effort, Solution, solve
from hedgerow.types import Count, Float, Index, Mask


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
class _Part:
    """One row set to learn from, and the rows it is judged on."""

    learn: Mask
    judge: Mask


def _parts(task: Task) -> list[_Part]:
    """All rows first, judged on themselves; then the folds."""
    used = task.weight > 0
    return [_Part(used, used)] + [
        _Part(used & (task.fold != k), used & (task.fold == k)) for k in range(task.n_folds)
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
    rows: Rows, task: Task, costs: Sequence[float], effort: LinearEffort, *, squared: bool, intercept: bool
) -> SvmPath:
    begin = time.perf_counter()
    tallies = [_Tally() for _ in costs]
    for number, part in enumerate(_parts(task)):
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
    rows: Rows, task: Task, kernels: Sequence[Kernel], costs: Sequence[float], strategy: str, effort: Effort
) -> SvmPath:
    """One kernel for each gamma, costs rising."""
    begin = time.perf_counter()
    stored = rows.gram is not None or rows.n_rows**2 * 8 <= max(effort.cache_bytes, STORED_BYTES)
    points: list[PathPoint] = []
    for kernel in kernels:
        source, used = rows, kernel
        first = time.perf_counter()
        if stored and rows.gram is None:
            source, used = gram_rows(kernel_matrix(kernel, rows, rows, effort.threads)), Kernel("precomputed")
        spent = (time.perf_counter() - first) / len(costs)
        tallies = [_Tally(seconds=spent) for _ in costs]
        for number, part in enumerate(_parts(task)):
            _along_costs(source, used, task, part, costs, strategy, effort, tallies, whole=number == 0)
        gamma = None if kernel.name in ("linear", "precomputed") else kernel.gamma
        points += [t.point(C, gamma) for t, C in zip(tallies, costs, strict=True)]
    return SvmPath(tuple(points), task.n_folds, time.perf_counter() - begin, stored)


STORED_BYTES = 400_000_000  # a kernel matrix of 7,000 rows is stored whatever cache_size says


def _along_costs(
    rows: Rows,
    kernel: Kernel,
    task: Task,
    part: _Part,
    costs: Sequence[float],
    strategy: str,
    effort: Effort,
    tallies: list[_Tally],
    *,
    whole: bool,
) -> None:
    """Every machine of one part, from the smallest C to the largest."""
    held = np.flatnonzero(part.judge)
    found = [np.zeros((len(held), len(list(sides(task.n_classes, strategy))))) for _ in costs]
    for machine, (positive, negative) in enumerate(sides(task.n_classes, strategy)):
        mask = part.learn if negative < 0 else part.learn & np.isin(task.codes, (positive, negative))
        which = np.flatnonzero(mask)
        some = rows.take(which)
        signs = np.where(task.codes[which] == positive, 1.0, -1.0)
        judged = _judge(rows, kernel, which, held, effort.threads)
        start: Float | None = None
        for k, C in enumerate(costs):
            from_here = time.perf_counter()
            problem = classes_problem(signs, C * task.weight[which])
            solution = solve(problem, kernel, some, effort, start=start)
            tally = tallies[k]
            found[k][:, machine] = judged(solution)
            tally.iterations += solution.iterations
            if whole:
                tally.certificates.append(certificate(problem, solution))
                tally.n_support += int((solution.alpha > 0).sum())
            if k + 1 < len(costs):
                start = np.minimum(solution.alpha * (costs[k + 1] / C), costs[k + 1] * task.weight[which])
            tally.seconds += time.perf_counter() - from_here
    for k in range(len(costs)):
        tallies[k].wrong.append(_wrong(task, part.judge, found[k], strategy))


def _judge(
    rows: Rows, kernel: Kernel, which: Count, held: Count, threads: int
) -> Callable[[Solution], Float]:
    """Solution -> scores of the held rows."""
    if rows.gram is not None:
        block = rows.gram[np.ix_(held, which)]
        return lambda solution: block @ solution.coef - solution.rho
    learned, judged = rows.take(which), rows.take(held)

    def found(solution: Solution) -> Float:
        used = np.flatnonzero(solution.coef)
        if len(used) == 0:
            return np.full(len(held), -solution.rho)
        coef = solution.coef[used, None]
        return kernel_sums(kernel, learned.take(used), coef, judged, threads=threads)[:, 0] - solution.rho

    return found
