"""The penalties of a round.   In: the squared gradients that are left, and whether larger scores would have less loss.
Out: the BoostParams of the round.

Penalties on leaf values ease where rows follow a rule: a row that is fitted has no hessian left in a log loss, so
that a fixed penalty would outweigh all rows of a leaf (docs/decisions/0020-penalties-that-ease.md).
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.params import BoostParams
from hedgerow.types import Count, Float


@dataclass(frozen=True)
class Easing:
    below: float  # of the squared gradients that there were before the first round
    least_hessian: float  # of a leaf, times l2
    guarded_step: float  # by which the learning rate is multiplied where rows are exceptions


# Of several outputs that of a row's class rises while the others fall: a fitted row goes twice as far in a round.
ONE_OUTPUT = Easing(below=0.01, least_hessian=0.0, guarded_step=1.0)
SEVERAL_OUTPUTS = Easing(below=0.03, least_hessian=0.02, guarded_step=0.5)
LEFT_OUT_BELOW = 0.3  # of the squared gradients: scores without the row's own part are kept from there on
GUARDED_HESSIAN = 0.5  # of a leaf, times l2, where rows are exceptions
FEWEST_ROWS = 5  # of a leaf whose hessian guards it; as native/gradient/choose.hpp


def fewest_rows(min_rows: int, hessians_vanish: bool) -> int:
    """Of a leaf in any round; a min_rows other than the default always holds."""
    return FEWEST_ROWS if hessians_vanish and min_rows == BoostParams.min_rows else min_rows


class Penalties:
    """The penalties of a round. Let s be the squared gradients of all outputs by those before the first round. Where s
    is below `Easing.below` and scores without the row's own part (left_out.py) would have less loss if they were
    larger, rows follow a rule: penalties are multiplied by (s / below)^2. If they would have more, rows are exceptions,
    and what guards a leaf is its hessian. A weight of two counts as two rows.

    With several outputs a leaf may have fewer rows than min_rows, if it has half the hessian, summed over the outputs,
    that min_rows rows had on average before the first round (half, since two classes have it twice). A min_rows other
    than the default always holds."""

    def __init__(
        self,
        params: BoostParams,
        weight: Float | None,
        n_outputs: int,
        n_rows: int,
        times_left_out: float = 0.0,
    ) -> None:
        """`weight`: of some rows; `n_rows`: how many there are in all."""
        self.params = params
        self.n_outputs, self.n_rows = n_outputs, n_rows
        self.default_rows = params.min_rows == BoostParams.min_rows  # of a leaf; what else is given holds
        self.easing = ONE_OUTPUT if n_outputs == 1 else SEVERAL_OUTPUTS
        self.times_left_out = times_left_out
        self.by_root = None
        if weight is not None:  # gradients are multiplied by the weight, their squares should be once
            self.by_root = np.divide(1.0, np.sqrt(weight), out=np.zeros_like(weight), where=weight > 0)
        self.at_start: float | None = None

    def ease(self, left: float, slope: float | None) -> BoostParams:
        """`left`: squared gradients; the first call says what there is at the start. `slope`: of the loss by a factor
        of the scores without the row's own part; None: there are none yet."""
        if self.at_start is None:
            self.at_start = left
            if self.n_outputs > 1 and self.default_rows:  # hessians of a log loss sum up to squared gradients
                enough = self.params.min_rows * left / (2 * self.n_rows)
                self.params = replace(self.params, enough_hessian=enough)
        if left < LEFT_OUT_BELOW * self.at_start:  # from now on
            self.params = replace(self.params, times_left_out=self.times_left_out)
        limit = self.easing.below * self.at_start
        if not left < limit:
            return self.params
        if slope is not None and slope >= 0.0:
            return self._guard()
        share = (left / limit) ** 2
        return replace(
            self.params,
            min_hessian=max(self.params.min_hessian, self.easing.least_hessian * self.params.l2),
            l2=self.params.l2 * share,
            category_l2=self.params.category_l2 * share,
            category_smoothing=self.params.category_smoothing * share,
        )

    def _guard(self) -> BoostParams:
        return replace(
            self.params,
            min_hessian=max(self.params.min_hessian, GUARDED_HESSIAN * self.params.l2),
            min_rows=FEWEST_ROWS if self.default_rows else self.params.min_rows,
            learning_rate=self.params.learning_rate * self.easing.guarded_step,
        )

    def sum_of_squares(self, gradient: Float) -> Count:
        """Of some rows, as limbs (sums.py)."""
        own = gradient if self.by_root is None else gradient * self.by_root
        return native.sum_of_squares(own.reshape(-1), self.params.threads)
