"""Margins: how confidently each row is classified.   In: scores and classes.   Out: -1 (wrong) to 1 (right).

The margin of a row is the score of its own side, as a share of the largest score it could have:

    two classes     y f(x) / sum of the rounds' largest |alpha h|
    more classes    (score of its class - largest score of another) / the same; twice the same where every class has
                    its own score between -sum and +sum (AdaBoost.MH)

Boosting goes on raising the smallest margins after the last training error is gone: that is why the test error goes on
falling.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.types import Count, Float, Index


def raw_margins(score: Float, codes: Index) -> Float:
    """Above zero: right. One a row."""
    if score.shape[1] == 1:
        return np.where(codes == 1, score[:, 0], -score[:, 0])
    rows = np.arange(len(score))
    own = score[rows, codes]
    others = score.copy()
    others[rows, codes] = -np.inf
    return np.asarray(own - others.max(axis=1))


def normalise_margins(score: Float, codes: Index, most: float) -> Float:
    """`most` is the largest margin there could be; 0 where every round abstained."""
    return raw_margins(score, codes) / most if most > 0 else np.zeros(len(score))


@dataclass(frozen=True, eq=False)
class Margins:
    """Margins of the training rows after some of the rounds."""

    after: Count  # numbers of rounds, rising
    values: Float  # one line for each of them, one column a row
    weight: Float  # of each row, sum one

    def curve(self, line: int) -> tuple[Float, Float]:
        """The cumulative distribution: margins rising, and the share of the weight at or below each."""
        order = np.argsort(self.values[line], kind="stable")
        return self.values[line][order], np.cumsum(self.weight[order])

    def at_or_below(self, margin: float) -> Float:
        """The share of the weight with at most this margin, after each of the rounds; at 0 no less than the error."""
        return np.asarray((self.values <= margin) @ self.weight)

    def quantile(self, share: float) -> Float:
        """The margin that this share of the weight does not exceed."""
        found = []
        for line in range(len(self.after)):
            margin, below = self.curve(line)
            found.append(margin[min(int(np.searchsorted(below, share - 1e-12)), len(margin) - 1)])
        return np.array(found)

    def to_dict(self) -> dict[str, Any]:
        return {"after": self.after.tolist(), "values": self.values.tolist(), "weight": self.weight.tolist()}

    def draw(self, ax: Any = None) -> Any:
        """The curves with matplotlib. Returns the Axes."""
        from hedgerow.draw.boosting import draw_margin_curves

        return draw_margin_curves(self, ax=ax)


def rounds_to_show(n_rounds: int, wanted: Sequence[int] | None = None) -> Count:
    """1, 5, 10, 50, 100, 500, ... and the last; or those wanted."""
    if wanted is None:
        wanted = [step for k in range(9) for step in (10**k, 5 * 10**k)]
    kept = {int(n) for n in wanted if 1 <= n <= n_rounds} | {n_rounds}
    return np.array(sorted(kept), np.int64)
