"""Huge and tiny numbers.   In: a target and a criterion.   Out: the same in a unit in which sums of squares neither
overflow nor vanish, and the way back.

Units are powers of two, so that nothing is rounded; ordinary targets and weights are left as they are.
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.core.criteria import CRITERIA
from hedgerow.grow.limits import Limits
from hedgerow.grow.target import Classes, Target
from hedgerow.grow.trace import Trace
from hedgerow.tree.tree import Tree
from hedgerow.types import Float

ORDINARY = 64  # exponents of two on either side of one


@dataclass(frozen=True, eq=False)
class Scale:
    target: Target  # in the new units
    weight: int  # exponents: new = old * 2 ** exponent
    value: int
    impurity: int

    def rescale_limits(self, limits: Limits) -> Limits:
        if not self.changes_units:
            return limits
        return replace(
            limits,
            min_weight_leaf=_times_power(limits.min_weight_leaf, self.weight),
            min_decrease=_times_power(limits.min_decrease, self.impurity),
            min_loss=_times_power(limits.min_loss, self.impurity),
        )

    @property
    def changes_units(self) -> bool:
        return bool(self.weight or self.value)

    def unscale(self, tree: Tree) -> Tree:
        """A tree of the new units in the old ones."""
        return self._shift(tree, -1) if self.changes_units else tree

    def rescale(self, tree: Tree) -> Tree:
        """A tree of the old units in the new ones."""
        return self._shift(tree, 1) if self.changes_units else tree

    def _shift(self, tree: Tree, sign: int) -> Tree:
        return replace(
            tree,
            weight=_finite(tree.weight, sign * self.weight),
            value=_finite(tree.value, sign * self.value),
            impurity=_finite(tree.impurity, sign * self.impurity),
        )

    def unscale_trace(self, trace: Trace) -> Trace:
        return replace(trace, gain=_finite(trace.gain, -self.impurity - self.weight))


def scale_of(target: Target, criterion: str) -> Scale:
    weight = _exponent(target.weight)
    scaled = None if target.weight is None else np.ldexp(target.weight, weight)
    if isinstance(target, Classes):
        return Scale(target if not weight else replace(target, weight=scaled), weight, 0, 0)
    value = _exponent(target.values)
    new = (
        target
        if not (weight or value)
        else replace(target, values=np.ldexp(target.values, value), weight=scaled)
    )
    return Scale(new, weight, value, 2 * value if CRITERIA[criterion].squared_units else value)


def _exponent(numbers: Float | None) -> int:
    """What brings the largest to about one; zero if it is ordinary."""
    if numbers is None:
        return 0
    largest = int(np.frexp(np.abs(numbers).max())[1])
    return 0 if abs(largest) <= ORDINARY else -largest


def _times_power(number: float, exponent: int) -> float:
    return float(np.ldexp(number, exponent)) if exponent else number


def scale_number(number: float, exponent: int) -> float:
    """number * 2 ** exponent; beyond the largest float, that float."""
    return float(_finite(np.array(number), exponent))


def _finite(numbers: Float, exponent: int) -> Float:
    """Numbers beyond the largest float become that float."""
    with np.errstate(over="ignore"):
        return np.clip(np.ldexp(numbers, exponent), -np.finfo(np.float64).max, np.finfo(np.float64).max)
