"""The loss by round.   In: mean losses after each round.   Out: an object that prints and draws itself."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hedgerow.display.result import Result
from hedgerow.display.tables import DisplayTable
from hedgerow.types import Float


@dataclass(frozen=True, eq=False, repr=False)
class RoundLosses(Result):
    """The mean loss before the first round and after each.

    Attributes
    ----------
    loss :
        Its name.
    train :
        Mean loss after 0, 1, 2, ... rounds.
    test :
        The same of other rows; empty if there are none.

    See Also
    --------
    hedgerow.HistGradientBoostingClassifier.diagnose : Returns it.

    Examples
    --------
    >>> from hedgerow import HistGradientBoostingClassifier, datasets
    >>> heart = datasets.heart()
    >>> model = HistGradientBoostingClassifier(max_iter=5).fit(heart.table, heart.target)
    >>> model.diagnose(heart.table, heart.target).best_round
    5
    """

    loss: str
    train: Float
    test: Float = field(default_factory=lambda: np.empty(0))

    @property
    def best_round(self) -> int:
        """After which the loss is least: of the other rows if there are some."""
        return int(np.argmin(self.test if len(self.test) else self.train))

    def tables(self) -> list[DisplayTable | str]:
        last = len(self.train) - 1
        shown = sorted(
            {0, 1, last, self.best_round, *(10**k * m for k in range(6) for m in (1, 2, 5))}
            & set(range(last + 1))
        )
        rows = [
            [f"{k:,}", f"{self.train[k]:.5g}", *([f"{self.test[k]:.5g}"] if len(self.test) else [])]
            for k in shown
        ]
        header = ["round", "training loss", *(["test loss"] if len(self.test) else [])]
        marks = ["*" if k == self.best_round else "" for k in shown]
        return [
            DisplayTable(header, rows, words=(), title=(f"Mean loss ({self.loss}) by round",), marks=marks)
        ]

    def draw(self, ax: Any = None) -> Any:
        """Both curves over the rounds. Returns the Axes."""
        from hedgerow.draw.gradient import draw_round_losses

        return draw_round_losses(self, ax=ax)
