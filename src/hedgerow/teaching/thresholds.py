"""Every threshold of a column with its score.   In: a column of numbers, a target.   Out: ThresholdScores, a line for
each place between two neighbouring values; it prints and draws itself.

A tree takes the threshold of the largest gain; this is the list it chose from, by the formulas alone. A test compares
the best line with the split that trees choose.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.docstrings import document
from hedgerow.errors import check_choice
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.formulas import conditional_entropy, gini, misclassification
from hedgerow.types import Count, Float

MOST = 40  # lines that are printed of themselves; the best is always among them
SCORES = {"gini": gini, "entropy": conditional_entropy, "misclassification": misclassification}
CRITERIA = (*SCORES, "squared_error")


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdScores(Result):
    """Every threshold of a column with its score.

    Attributes
    ----------
    column :
        Name of the column.
    criterion :
        The criterion.
    threshold :
        The thresholds.
    left :
        Counts of the classes below each.
    right :
        Counts of the classes above each.
    remainder :
        Impurity that remains.
    gain :
        What each threshold gains.
    best :
        Position of the best.

    See Also
    --------
    hedgerow.teaching.score_thresholds : Returns it.

    Examples
    --------
    >>> from hedgerow import teaching
    >>> found = teaching.score_thresholds([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1])
    >>> found.threshold
    array([1.5, 2.5, 3.5])
    """

    column: str
    criterion: str
    threshold: Float
    left: Count
    right: Count
    remainder: Float
    gain: Float
    best: int

    def __len__(self) -> int:
        return len(self.threshold)

    def tables(self) -> list[DisplayTable]:
        shown = np.arange(len(self))
        if len(self) > MOST:
            shown = np.sort(np.argsort(-self.gain, kind="stable")[:MOST])
        lines = [
            (f"{self.column} <= {self.threshold[k]:.6g}", f"{self.left[k]:,}", f"{self.right[k]:,}",
             f"{self.remainder[k]:.4f}", f"{self.gain[k]:.4f}")
            for k in shown
        ]  # fmt: skip
        more = len(self) - len(shown)
        return [
            DisplayTable(
                ("", "left", "right", self.criterion, "gain"),
                lines,
                ending=f"and {more:,} of less gain" if more else "",
                marks=["->" if k == self.best else "" for k in shown],
            )
        ]

    def draw(self, ax: Any = None) -> Any:
        """The gain over the threshold, with matplotlib. Returns the Axes."""
        from hedgerow.teaching.pictures import draw_thresholds

        return draw_thresholds(self, ax=ax)


@document()
def score_thresholds(x: Any, y: Any, *, criterion: str = "gini", name: str = "x") -> ThresholdScores:
    """Every threshold of a column of numbers, with what it leaves of the impurity and what it gains.

    Parameters
    ----------
    x : array-like of shape (n_samples,)
        The column; rows whose cell is missing are left out.
    y : array-like of shape (n_samples,)
        The target: classes, or numbers with criterion="squared_error".
    criterion : {"gini", "entropy", "misclassification", "squared_error"}
        What a split lowers; entropy is in bits.
    name : str
        Name of the column, for the table.

    Returns
    -------
    ThresholdScores
        A line for each threshold. Prints and draws itself.

    See Also
    --------
    hedgerow.formulas.information_gain : The gain of one split, from counts.

    Examples
    --------
    >>> from hedgerow import teaching
    >>> found = teaching.score_thresholds([1.0, 2.0, 3.0, 4.0], ["no", "no", "yes", "yes"])
    >>> float(found.threshold[found.best])
    2.5
    """
    check_choice("criterion", criterion, CRITERIA)
    cells = np.asarray(x, np.float64).reshape(-1)
    known = ~np.isnan(cells)
    if criterion == "squared_error":
        target = check_numbers("score_thresholds", y, len(cells), None, criterion).values[known]
    else:
        codes, classes = check_classes("score_thresholds", y, len(cells), None, None)
        target = np.eye(len(classes))[codes.codes[known]]
    order = np.argsort(cells[known], kind="stable")
    values, target = cells[known][order], target[order]
    ends = np.flatnonzero(values[1:] > values[:-1])
    if not len(ends):
        raise ValueError(f"{name} has one value only, so that there is no threshold to ask about.")
    measure = _squares if criterion == "squared_error" else SCORES[criterion]
    remainder = np.array([_after(measure, target, int(end) + 1) for end in ends])
    gain = _before(measure, target) - remainder
    return ThresholdScores(
        name,
        criterion,
        (values[ends] + values[ends + 1]) / 2,
        ends + 1,
        len(values) - ends - 1,
        remainder,
        gain,
        int(np.argmax(np.round(gain, 12))),
    )


def _before(measure: Any, target: Float) -> float:
    return float(measure(target) if target.ndim == 1 else measure([target.sum(axis=0)]))


def _after(measure: Any, target: Float, left: int) -> float:
    """Both sides, each by its share."""
    if target.ndim == 1:
        parts = target[:left], target[left:]
        return sum(len(part) * _squares(part) for part in parts) / len(target)
    return float(measure([target[:left].sum(axis=0), target[left:].sum(axis=0)]))


def _squares(values: Float) -> float:
    return float(np.var(values))
