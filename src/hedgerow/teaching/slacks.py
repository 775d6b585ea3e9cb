"""Every row of a support vector machine.   In: a fitted machine of two classes, its rows.   Out: RowSlacks: alpha,
score, margin and slack of each row, and where it stands; it prints itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.display import DisplayTable, Result
from hedgerow.docstrings import document
from hedgerow.types import Float

MOST = 30  # lines that are printed of themselves, those of the largest slack first
NEARLY = 1e-3  # of a score: this close to 1 a row stands on the margin
PLACES = ("outside", "on the margin", "inside the margin", "misclassified")


@dataclass(frozen=True, eq=False, repr=False)
class RowSlacks(Result):
    """Every row of a support vector machine with its alpha, margin and slack.

    Attributes
    ----------
    label :
        Label of each row.
    alpha :
        Its dual coefficient.
    score :
        Its score w.x + b.
    margin :
        Its margin y (w.x + b).
    slack :
        How far it is inside the margin.
    place :
        Where it lies.
    """

    label: tuple[str, ...]
    alpha: Float | None
    score: Float
    margin: Float
    slack: Float
    place: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.slack)

    def tables(self) -> list[DisplayTable]:
        order = np.arange(len(self))
        if len(self) > MOST:
            order = np.argsort(-self.slack, kind="stable")[:MOST]
        header = ("row", "label", *(("alpha",) if self.alpha is not None else ()), "y f(x)", "slack", "")
        lines = [
            (
                str(i),
                self.label[i],
                *((f"{self.alpha[i]:.4g}",) if self.alpha is not None else ()),
                f"{self.margin[i]:.4f}",
                f"{self.slack[i]:.4f}",
                self.place[i],
            )
            for i in order
        ]
        more = len(self) - len(order)
        counts = ", ".join(f"{self.place.count(place):,} {place}" for place in PLACES)
        ending = f"and {more:,} rows of less slack; to_dict() has all" if more else ""
        return [DisplayTable(header, lines, words=(1, -1), ending=ending, notes=(f"{counts}.",))]


@document()
def measure_slacks(machine: Any, X: Any, y: Any) -> RowSlacks:
    """Measure alpha, y f(x) and slack of every row of a fitted machine of two classes.

    Parameters
    ----------
    machine : SVC or LinearSVC
        A fitted machine. Alphas are known of kernel machines: zero for rows that are no support vectors.
    X : array-like or frame
        The rows of fit.
    y : array-like of shape (n_samples,)
        Their classes.

    Returns
    -------
    RowSlacks
        A line for each row. Prints itself.

    See Also
    --------
    hedgerow.formulas.slack : The formula.

    Examples
    --------
    >>> from hedgerow import SVC, teaching
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> found = teaching.measure_slacks(SVC(kernel="linear", C=10.0).fit(X, y), X, y)
    >>> found.alpha.round(3).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    check_is_fitted(machine)
    if len(getattr(machine, "classes_", ())) != 2:
        raise ValueError("Slacks are shown for machines of two classes. Fit one pair of classes.")
    score = np.asarray(machine.decision_function(X), np.float64)
    labels = np.asarray(y).reshape(-1)
    if len(labels) != len(score):
        raise ValueError(f"y has {len(labels)} entries, but X has {len(score)} rows. Give one target a row.")
    signs = np.where(labels == machine.classes_[1], 1.0, -1.0)
    margin = signs * score
    alpha = None
    if hasattr(machine, "dual_coef_"):
        alpha = np.zeros(len(score))
        coef = machine.dual_coef_
        alpha[machine.support_] = np.abs(np.asarray(coef.toarray() if hasattr(coef, "toarray") else coef))[0]
    return RowSlacks(
        tuple(str(one) for one in labels.tolist()),
        alpha,
        score,
        margin,
        np.maximum(0.0, 1.0 - margin),
        tuple(_place(value) for value in margin.tolist()),
    )


def _place(margin: float) -> str:
    if margin <= 0:
        return PLACES[3]
    if margin < 1 - NEARLY:
        return PLACES[2]
    return PLACES[1] if margin <= 1 + NEARLY else PLACES[0]
