"""What a metric is.   In: Judged rows.   Out: the metric of them (scikit-learn's number), and the pull of each row.

The pull of a row is how the metric moves when the row gains a share of the weight: the metric of slightly other rows
is value + sum of (change of share x pull). Pulls have the mean zero; their spread gives the standard error
(the delta method; for the area under the ROC curve it is DeLong's). tests/evaluation/test_metrics.py checks every pull
against the derivative of scikit-learn's metric by its sample_weight.
"""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hedgerow.evaluation.guess import Guess
from hedgerow.types import Count, Float, Mask


@dataclass(frozen=True, eq=False)
class Judged:
    """Rows with what they are and what a model says of them."""

    truth: NDArray[Any]  # class numbers, or numbers
    guess: Guess
    weight: Float
    n_classes: int  # 0: a regression

    def take(self, rows: Count) -> "Judged":
        return Judged(self.truth[rows], self.guess.take(rows), self.weight[rows], self.n_classes)

    @property
    def share(self) -> Float:
        """Of all weight, each row's."""
        return np.asarray(self.weight / self.weight.sum())

    @property
    def asked_classes(self) -> list[int]:
        """Whose precision, recall and order count: the positive class, or of more than two all that occur."""
        if self.n_classes == 2:
            return [1]
        return np.union1d(self.truth, self.guess.values[self.guess.values >= 0]).tolist()  # type: ignore[no-any-return]

    @property
    def true_classes(self) -> list[int]:
        return np.unique(self.truth).tolist()  # type: ignore[no-any-return]


@runtime_checkable
class Metric(Protocol):
    """A file of this folder; its name is the metric's."""

    title: str  # as it is printed
    task: str  # "classification" or "regression"
    needs: str  # of the Guess: "values", "chances" or "order"
    scale: str  # "proportion", "share", "positive", "root" or "below_one": see interval.py
    higher_is_better: bool
    by_fold: (
        bool  # rows are compared with each other, so only within a fold; else all rows of a repeat together
    )

    def value(self, rows: Judged) -> float:
        """NaN where it means nothing."""
        ...

    def pulls(self, rows: Judged) -> Float: ...

    def mass(self, rows: Judged) -> float:
        """How much these rows have to say: of a fold, among the folds; else the number of rows it rests on."""
        ...


@runtime_checkable
class ByFold(Protocol):
    """A metric that is taken fold by fold."""

    def mass_pulls(self, rows: Judged) -> Float:
        """How its mass moves with each row's weight."""
        ...


@runtime_checkable
class Losses(Protocol):
    """A metric that is a mean of losses."""

    def losses(self, rows: Judged) -> Float: ...


@runtime_checkable
class Shares(Protocol):
    """A metric whose scale is "proportion": a mean of shares of rows."""

    def parts(self, rows: Judged) -> list[tuple[float, float]]:
        """Each share, and of how many rows."""
        ...


def by_class(rows: Judged, classes: list[int], pull: Any) -> Float:
    """The mean of the classes' pulls."""
    return np.mean([pull(c) for c in classes], axis=0)  # type: ignore[no-any-return]


def part(right: Mask, weight: Float) -> tuple[float, float]:
    """The share that is right, and of how many rows; where weights differ, of how many that would say as much."""
    total = float(weight.sum())
    if total == 0:
        return 0.0, 0.0
    return float(right @ weight) / total, total**2 / float(weight @ weight)


def rarest(rows: Judged) -> float:
    """Rows of the rarest class: all that a metric of one class against others can rest on."""
    count = np.bincount(rows.truth)
    return float(count[count > 0].min())
