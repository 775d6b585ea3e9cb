"""Every row of a binary SVM: its alpha, its slack, where it lies.   In: scores, targets, alphas.   Out: SlackTable.

classes   slack = max(0, 1 - side score)               side is 1 or -1
numbers   slack = max(0, |target - score| - epsilon)

outside    alpha = 0: the row could be left out        on the margin   0 < alpha < C
inside     alpha at its bound, the right side          wrong side      slack above 1
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.types import Count, Float

SHOWN = 20  # rows of the printed table; `to_dict` has all
ROLES = ("outside", "on the margin", "inside", "wrong side")


@dataclass(frozen=True, eq=False, repr=False)
class SlackTable(Result):
    """Alpha and slack of each training row, in their order.

    Attributes
    ----------
    name :
        Name of the binary SVM, where there are several.
    row :
        Positions of the rows in X.
    target :
        Classes as -1 or 1; numbers as they were.
    score :
        Their scores.
    slack :
        How far each is inside the margin, or beyond the tube.
    alpha :
        Dual coefficients; NaN where the solver's number was not kept.
    role :
        Where each row lies.

    See Also
    --------
    hedgerow.SVC.slacks : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import SVC
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> y = X[:, 0] > 0
    >>> SVC(kernel="linear").fit(X, y).slacks(X, y).slack.shape
    (60,)
    """

    name: str
    row: Count
    target: Float
    score: Float
    slack: Float
    alpha: Float
    role: tuple[str, ...]

    def tables(self) -> list[DisplayTable]:
        order = np.argsort(-np.nan_to_num(self.alpha), kind="stable")[:SHOWN]
        lines = [
            (
                str(self.row[k]),
                f"{self.target[k]:.4g}",
                f"{self.score[k]:.4g}",
                f"{round(self.slack[k], 9):.4g}",
                "" if np.isnan(self.alpha[k]) else f"{self.alpha[k]:.4g}",
                self.role[k],
            )
            for k in order
        ]
        rest = len(self.row) - len(lines)
        counts = ", ".join(f"{self.role.count(role):,} {role}" for role in ROLES if role in self.role)
        title = f"{len(self.row):,} rows{self.name}: {counts}"
        return [
            DisplayTable(
                ("row", "target", "score", "slack", "alpha", "where"),
                lines,
                words=(-1,),
                title=(title,),
                ending=f"and {rest:,} more, of smaller alpha" if rest else "",
            )
        ]

    def draw(self, ax: Any = None) -> Any:
        """Alpha over the margin of each row, with matplotlib. Returns the Axes."""
        from hedgerow.draw.svm import draw_slacks

        return draw_slacks(self, ax=ax)


def slack_table(
    name: str,
    row: Count,
    target: Float,
    score: Float,
    alpha: Float,
    upper: Float,
    epsilon: float | None = None,
) -> SlackTable:
    """`epsilon`: half the width of the tube, of numbers; None for classes. `upper`: the bound of each alpha."""
    if epsilon is None:
        slack, wrong = np.maximum(1 - target * score, 0.0), target * score <= 0
    else:
        slack, wrong = np.maximum(np.abs(target - score) - epsilon, 0.0), np.zeros(len(row), np.bool_)
    size = np.where(np.isnan(alpha), np.where(slack > 0, upper, 0.0), np.abs(alpha))
    which = np.where(size == 0, 0, np.where(size < upper * (1 - 1e-12), 1, 2))
    which = np.where(wrong & (size > 0), 3, which)
    return SlackTable(name, row, target, score, slack, alpha, tuple(ROLES[k] for k in which))
