"""What boosting learns.   In: classes.   Out: signs to agree with, or classes to vote for.

Two classes are one column of signs. More classes are one column of signs for each class against the rest, on shared
rounds (AdaBoost.MH), or votes (lecture 002, SAMME).
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.types import Float, Index


@dataclass(frozen=True, eq=False)
class Signs:
    values: Float  # rows x columns, -1 or +1
    codes: Index

    @property
    def width(self) -> int:
        """Columns of the score."""
        return int(self.values.shape[1])


@dataclass(frozen=True, eq=False)
class Votes:
    codes: Index
    n_classes: int

    @property
    def width(self) -> int:
        return self.n_classes


Target = Signs | Votes


def signs_of(codes: Index, n_classes: int) -> Signs:
    """One column for two classes (+1 is the second), else one for each class."""
    chosen = np.arange(n_classes) if n_classes > 2 else np.array([1])
    return Signs(np.where(codes[:, None] == chosen, 1.0, -1.0), codes)
