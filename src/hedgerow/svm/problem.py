"""The solver's one form.   In: classes or numbers to learn.   Out: Problem, frozen.

    minimise  1/2 a'Qa + p'a     with  y'a = delta,  0 <= a <= upper,   Q_ij = y_i y_j K(row_i, row_j)

    classes   y = -1 or 1, p = -1, upper = C times the weight of the row
    numbers   two variables a row, y = 1 and -1, p = epsilon - target and epsilon + target

The same with a sign, b = y a, which the core takes:  minimise  1/2 b'Kb - c'b,  c = -y p,  low <= b <= high.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.types import Float, Index


@dataclass(frozen=True)
class Problem:
    y: Float
    p: Float
    upper: Float
    row_of: Index | None = None  # the row each variable looks at; None: its own
    delta: float = 0.0  # other than 0 needs a start that fulfils y'a = delta

    @cached_property
    def c(self) -> Float:
        return -self.y * self.p

    @cached_property
    def low(self) -> Float:
        return np.where(self.y > 0, 0.0, -self.upper)

    @cached_property
    def high(self) -> Float:
        return np.where(self.y > 0, self.upper, 0.0)


def classes_problem(signs: Float, upper: Float | float) -> Problem:
    """Two classes, -1 and 1; `upper` is C, or C times the weight of each row."""
    signs = np.ascontiguousarray(signs, np.float64)
    return Problem(
        signs, np.full(len(signs), -1.0), np.broadcast_to(np.asarray(upper, np.float64), signs.shape)
    )


def numbers_problem(target: Float, epsilon: float, upper: Float | float) -> Problem:
    """Regression with a tube of half width epsilon: first the variables that pull up, then those that pull down."""
    n = len(target)
    bound = np.broadcast_to(np.asarray(upper, np.float64), (n,))
    return Problem(
        y=np.concatenate([np.ones(n), -np.ones(n)]),
        p=np.concatenate([epsilon - target, epsilon + target]),
        upper=np.concatenate([bound, bound]),
        row_of=np.concatenate([np.arange(n), np.arange(n)]).astype(np.int32),
    )
