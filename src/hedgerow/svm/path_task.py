"""What a path has to learn, and what is known of it so far.   In: class numbers, weights, folds.   Out: Task, its
parts (all rows, then the folds), and a Tally for each point of the grid."""

from dataclasses import dataclass, field

import numpy as np

from hedgerow.svm.certificate import Certificate
from hedgerow.svm.classes import votes
from hedgerow.svm.kernel import Kernel
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.path import PathPoint
from hedgerow.types import Count, Float, Index, Mask


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

    rows: KernelInput
    kernels: tuple[Kernel, ...]


def parts_of(task: Task) -> list[Part]:
    """All rows first, judged on themselves; then the folds."""
    used = task.weight > 0
    return [Part(used, used)] + [
        Part(used & (task.fold != k), used & (task.fold == k)) for k in range(task.n_folds)
    ]


@dataclass
class Tally:
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


def share_wrong(task: Task, judge: Mask, found: Float, strategy: str) -> float:
    decide_classes = decide(found, task.n_classes, strategy)
    weight = task.weight[judge]
    return float(weight @ (decide_classes != task.codes[judge]) / weight.sum())


def decide(found: Float, n_classes: int, strategy: str) -> Count:
    """Scores (rows x machines) -> class numbers, as SVC and LinearSVC decide."""
    if n_classes == 2:
        return (found[:, 0] > 0).astype(np.int64)
    if strategy == "ovo":
        found = np.round(votes(found, n_classes))
    return np.asarray(np.argmax(found, axis=1), np.int64)
