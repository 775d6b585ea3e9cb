"""The confusion matrix.   In: an Evaluation of classes.   Out: Confusion: rows by what they are and what was said."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix

from hedgerow.evaluation.curves.rows import judged_rows, need_classes
from hedgerow.evaluation.words import html_table, text_table
from hedgerow.table.words import show
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


@dataclass(frozen=True, eq=False, repr=False)
class Confusion:
    classes: NDArray[Any]
    counts: Float  # true x said; weights if there are some; the mean over repeats

    @property
    def recall(self) -> Float:
        """Of each true class, the shares of what was said."""
        total = self.counts.sum(axis=1, keepdims=True)
        return self.counts / np.where(total > 0, total, 1)

    def to_dict(self) -> dict[str, Any]:
        return {"classes": self.classes.tolist(), "counts": self.counts.tolist()}

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        names = [show(str(label), 16) for label in self.classes.tolist()]
        header = ("true \\ said", *names, "found")
        lines = [
            (name, *(f"{count:,.6g}" for count in line), f"{share:.1%}")
            for name, line, share in zip(names, self.counts, np.diag(self.recall), strict=True)
        ]
        return header, lines

    def __str__(self) -> str:
        return "\n".join(text_table(*self._table()))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self._table())

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_confusion

        return draw_confusion(self, ax=ax)


def confusion(evaluation: "Evaluation") -> Confusion:
    need_classes(evaluation, "a confusion matrix")
    classes = evaluation.data.classes
    assert classes is not None
    _, judged = judged_rows(evaluation)
    counts = confusion_matrix(
        judged.truth,
        judged.guess.values,
        labels=range(len(classes)),
        sample_weight=None if evaluation.data.weight is None else judged.weight,
    )
    return Confusion(classes, counts / evaluation.splits.repeats)
