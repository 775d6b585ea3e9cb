"""Early stopping.   In: rows that no weak learner sees.   Out: the round after which their error was least."""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.combine import classes_of_scores, predict_weak, weigh_outputs
from hedgerow.boost.rounds import Round
from hedgerow.boost.target import Signs, Target
from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class ValidationRows:
    rows: BoostInput
    target: Target
    weight: Float  # of each row, sum one
    patience: int  # rounds without a lower error before boosting ends
    tolerance: float = 0.0  # a lower error is lower by more than this


class EarlyStopping:
    """Follows the error round by round; without validation rows it does nothing."""

    def __init__(self, validation: ValidationRows | None, earlier: list[Round], prior: Float) -> None:
        self.validation, self.prior = validation, prior
        self.best: int | None = None
        self.least = np.inf
        if validation is not None:
            self.score = np.zeros((validation.rows.n_rows, validation.target.width))
            for number, round in enumerate(earlier, 1):
                self._note(number, self._error_after(round))

    def measure(self, round: Round) -> Round:
        return round if self.validation is None else replace(round, checked=self._error_after(round))

    def should_stop(self, number: int) -> str:
        """Why boosting ends, or nothing. Called after each round, with its number."""
        if self.validation is None:
            return ""
        self._note(number, self.last)
        if self.best is None or number - self.best < self.validation.patience:
            return ""
        return (
            f"round {number}: the error on the validation rows has not fallen for {self.validation.patience} rounds; "
            f"the first {self.best} are kept"
        )

    def _note(self, number: int, error: float) -> None:
        assert self.validation is not None
        if error < self.least - self.validation.tolerance or self.best is None:
            self.best, self.least = number, error

    def _error_after(self, round: Round) -> float:
        validation = self.validation
        assert validation is not None
        if not round.reset:
            form = "signs" if isinstance(validation.target, Signs) else "votes"
            outputs = predict_weak(round.weaks, validation.rows, form)
            self.score += weigh_outputs(outputs, round.alpha, round.alpha_no, form, validation.target.width)
        self.last = float(
            validation.weight @ (classes_of_scores(self.score, self.prior) != validation.target.codes)
        )
        return self.last
