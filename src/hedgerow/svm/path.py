"""A path over C (and gamma): what is to be learned, and what was found.   In: class numbers, weights, folds; a Tally
for each point of the grid.   Out: SvmPath; prints and draws itself."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.classes import votes
from hedgerow.svm.kernel import Kernel
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.types import Count, Float, Index, Mask


@dataclass(frozen=True)
class PathPoint:
    C: float
    gamma: float | None
    error: float  # share of held-out rows (by weight) decided wrongly, mean over folds
    std: float  # standard error of that mean
    train_error: float
    n_support: int
    primal: float  # of the model on all rows; summed over models
    gap: float
    iterations: int  # of all fits of this point
    seconds: float


HEADER = ("C", "gamma", "cv error", "± se", "training", "support", "primal", "gap", "steps", "seconds", "")


@dataclass(frozen=True, repr=False)
class SvmPath(Result):
    """Every C (and gamma) of a grid, with its cross-validated error.

    `best` has the smallest cross-validated error, `chosen` the smallest C, then gamma, within a standard error of
    it.

    Attributes
    ----------
    points :
        C, gamma and errors of each point.
    stored :
        Whether kernel matrices were stored.
    coefs :
        Linear: models x (columns, intercept) of each point.

    See Also
    --------
    hedgerow.svm_path : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import SVC, svm_path
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> found = svm_path(SVC(), X, X[:, 0] > 0, C=[0.1, 1, 10], cv=3)
    >>> sorted(found.params())
    ['C', 'gamma']
    """

    points: tuple[PathPoint, ...]
    n_folds: int
    seconds: float
    stored: bool
    coefs: tuple[Float, ...] = field(repr=False, default=())

    @property
    def best(self) -> int:
        """Position of the point with the smallest cross-validated error."""
        return min(range(len(self.points)), key=lambda k: (self.points[k].error, self._size(k)))

    @property
    def chosen(self) -> int:
        """Position of the smallest C, then gamma, within a standard error of the best."""
        bound = self.points[self.best].error + self.points[self.best].std
        return min((k for k, p in enumerate(self.points) if p.error <= bound), key=self._size)

    def _size(self, k: int) -> tuple[float, float]:
        return self.points[k].C, self.points[k].gamma or 0.0

    def params(self, k: int | None = None) -> dict[str, float]:
        """Get the parameters of a point, for `set_params`.

        Parameters
        ----------
        k : int or None
            Position of the point; None for the chosen one.

        Returns
        -------
        dict
            C, and gamma where there is one.
        """
        point = self.points[self.chosen if k is None else k]
        return {"C": point.C} if point.gamma is None else {"C": point.C, "gamma": point.gamma}

    def to_dict(self) -> dict[str, Any]:
        return {
            "points": [asdict(point) for point in self.points],
            "best": self.best,
            "chosen": self.chosen,
            "n_folds": self.n_folds,
            "seconds": self.seconds,
        }

    def tables(self) -> list[DisplayTable]:
        how = "kernel matrices stored" if self.stored else "warm starts"
        ending = f"{self.n_folds} folds, {self.seconds:.3g} s in all, {how}"
        rows = [self._cells(k, point) for k, point in enumerate(self.points)]
        table = DisplayTable(HEADER, rows, words=(-1,), ending=ending)
        if all(point.gamma is None for point in self.points):
            table = table.select(k for k, title in enumerate(HEADER) if title != "gamma")
        return [table]

    def _cells(self, k: int, point: PathPoint) -> list[str]:
        mark = "chosen (1 SE)" if k == self.chosen else "best" if k == self.best else ""
        return [
            f"{point.C:.4g}",
            "-" if point.gamma is None else f"{point.gamma:.4g}",
            f"{point.error:.4f}",
            f"{point.std:.4f}",
            f"{point.train_error:.4f}",
            str(point.n_support),
            f"{point.primal:.6g}",
            f"{point.gap:.2g}",
            str(point.iterations),
            f"{point.seconds:.3f}",
            "best, chosen" if k == self.chosen == self.best else mark,
        ]

    def draw(self, ax: Any = None) -> Any:
        """Cross-validated error against C, a line for each gamma."""
        from hedgerow.draw.svm import draw_path

        return draw_path(self, ax=ax)


@dataclass(frozen=True)
class PathTask:
    """What is to be learned: class numbers, how many classes, the weight of each row, the fold of each row."""

    codes: Index
    n_classes: int
    weight: Float
    fold: Count
    n_folds: int


@dataclass(frozen=True)
class Part:
    """The rows of one fit: to train on, and to test on."""

    train: Mask
    test: Mask


@dataclass(frozen=True)
class View:
    """All rows as a part sees them: brought to the scale of those it learns from; and a kernel for each gamma."""

    rows: KernelInput
    kernels: tuple[Kernel, ...]


def split_task(task: PathTask) -> list[Part]:
    """All rows first, tested on themselves; then the folds."""
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


def share_wrong(task: PathTask, test: Mask, found: Float, strategy: str) -> float:
    decided = decide(found, task.n_classes, strategy)
    weight = task.weight[test]
    return float(weight @ (decided != task.codes[test]) / weight.sum())


def decide(found: Float, n_classes: int, strategy: str) -> Count:
    """Scores (rows x models) -> class numbers, as SVC and LinearSVC decide."""
    if n_classes == 2:
        return (found[:, 0] > 0).astype(np.int64)
    if strategy == "ovo":
        found = np.round(votes(found, n_classes))
    return np.asarray(np.argmax(found, axis=1), np.int64)
