"""True against predicted values.   In: an Evaluation.   Out: Confusion, a matrix of classes; Residuals of numbers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure
from hedgerow.evaluation.curves.bands import pool_scoring_data, require_classes
from hedgerow.types import Float
from hedgerow.words import show

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

QUANTILES = {"least": 0.0, "1/4": 0.25, "median": 0.5, "3/4": 0.75, "most": 1.0}


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Result):
    """True against predicted classes.

    Attributes
    ----------
    classes :
        The class labels.
    counts :
        True x predicted; weights if there are some; the mean over repeats.

    See Also
    --------
    hedgerow.evaluate : Returns the evaluation that makes it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, evaluate
    >>> heart = datasets.heart()
    >>> found = evaluate(DecisionTreeClassifier(max_depth=2), heart.table, heart.target, cv=3, repeats=1)
    >>> found.confusion().counts
    array([[134.,  30.],
           [ 42.,  97.]])
    """

    classes: NDArray[Any]
    counts: Float

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


@dataclass(frozen=True, eq=False, repr=False)
class Residuals(Result):
    """True against predicted numbers.

    Attributes
    ----------
    y_true :
        True numbers.
    y_pred :
        Predicted numbers.

    See Also
    --------
    hedgerow.evaluate : Returns the evaluation that makes it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import DecisionTreeRegressor, evaluate
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> found = evaluate(DecisionTreeRegressor(max_depth=2), X, X[:, 0], cv=3, repeats=1)
    >>> found.residuals().residual.shape
    (60,)
    """

    y_true: Float
    y_pred: Float

    @property
    def residual(self) -> Float:
        """True minus predicted."""
        return self.y_true - self.y_pred

    def tables(self) -> list[str]:
        values = np.quantile(self.residual, list(QUANTILES.values()))
        parts = [f"{word} {figure(float(v))}" for word, v in zip(QUANTILES, values, strict=True)]
        return [f"true minus predicted: {', '.join(parts)}"]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_residuals

        return draw_residuals(self, ax=ax)


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


def compute_residuals(evaluation: "Evaluation") -> Residuals:
    if evaluation.data.classes is not None:
        raise ValueError("residuals are for regressions, and this is a classification. See .confusion().")
    _, pooled = pool_scoring_data(evaluation)
    return Residuals(pooled.y_true, pooled.y_pred)
