"""The confusion matrix.   In: an Evaluation of classes.   Out: Confusion: rows by true and by predicted class."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix

from hedgerow.display import DisplayTable, Result
from hedgerow.evaluation.curves.bands import pool_scoring_data, require_classes
from hedgerow.table.words import show
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Result):
    classes: NDArray[Any]
    counts: Float  # true x predicted; weights if there are some; the mean over repeats

    @property
    def recall(self) -> Float:
        """Of each true class, the shares of the predicted classes."""
        total = self.counts.sum(axis=1, keepdims=True)
        return self.counts / np.where(total > 0, total, 1)

    def tables(self) -> list[DisplayTable]:
        names = [show(str(label), 16) for label in self.classes.tolist()]
        rows = [
            (name, *(f"{count:,.6g}" for count in line), f"{share:.1%}")
            for name, line, share in zip(names, self.counts, np.diag(self.recall), strict=True)
        ]
        return [DisplayTable(("true \\ predicted", *names, "recall"), rows, words=(0, -1), gap=3)]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_confusion

        return draw_confusion(self, ax=ax)


def compute_confusion(evaluation: "Evaluation") -> Confusion:
    require_classes(evaluation, "a confusion matrix")
    classes = evaluation.data.classes
    assert classes is not None
    _, pooled = pool_scoring_data(evaluation)
    counts = confusion_matrix(
        pooled.y_true,
        pooled.y_pred,
        labels=range(len(classes)),
        sample_weight=None if evaluation.data.weight is None else pooled.weight,
    )
    return Confusion(classes, counts / evaluation.splits.repeats)
