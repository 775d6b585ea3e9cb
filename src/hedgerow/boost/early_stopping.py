"""Early stopping.   In: rows that no weak learner sees.   Out: the round after which their log loss was least.

The error rate would stop too soon where a class is rare: it does not fall before a row is given the rare class. Scores
of boosting are sure of themselves long before they are worse, so the log loss is that of calibrated scores: a slope,
and of two classes an intercept, follow the rounds by one step of Newton's method each.
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.combine import classes_of_scores, predict_weak, weigh_outputs
from hedgerow.boost.rounds import Round
from hedgerow.boost.target import Signs, Target
from hedgerow.types import Float, Index

LEAST_SLOPE = 1e-3


@dataclass(frozen=True, eq=False)
class ValidationRows:
    rows: BoostInput
    target: Target
    weight: Float  # of each row, sum one
    patience: int  # rounds without a lower loss before boosting ends
    tolerance: float = 0.0  # a lower loss is lower by more than this


class CalibratedLoss:
    """The log loss of scores, rows x columns (one column for two classes), after the best slope and intercept."""

    def __init__(self, codes: Index, weight: Float) -> None:
        self.codes, self.weight = codes, weight  # of sum one
        self.slope, self.intercept = 1.0, 0.0
        self.prior = 1.0 / len(codes)  # one row's worth towards slope 1, intercept 0

    def measure(self, score: Float) -> float:
        step = self._two_classes if score.shape[1] == 1 else self._many_classes
        return step(score[:, 0] if score.shape[1] == 1 else score)

    def _two_classes(self, score: Float) -> float:
        sign, w = np.where(self.codes == 1, 1.0, -1.0), self.weight

        def loss_at(slope: float, intercept: float) -> float:
            return float(w @ np.logaddexp(0.0, -sign * (slope * score + intercept)))

        p = 0.5 * (1 + np.tanh(0.5 * (self.slope * score + self.intercept)))
        wrong, bend = w * (p - (sign > 0)), w * p * (1 - p)
        g0, g1 = wrong @ score + self.prior * (self.slope - 1), wrong.sum() + self.prior * self.intercept
        h00, h01, h11 = bend @ score**2 + self.prior, bend @ score, bend.sum() + self.prior
        det = h00 * h11 - h01 * h01
        slope = max(LEAST_SLOPE, self.slope - float(h11 * g0 - h01 * g1) / float(det))
        intercept = self.intercept - float(h00 * g1 - h01 * g0) / float(det)
        before, after = loss_at(self.slope, self.intercept), loss_at(slope, intercept)
        if after < before:
            self.slope, self.intercept = slope, intercept
        return min(before, after)

    def _many_classes(self, score: Float) -> float:
        rows, w = np.arange(len(self.codes)), self.weight

        def shares_at(slope: float) -> Float:
            shares = np.exp(slope * (score - score.max(axis=1, keepdims=True)))
            return np.asarray(shares / shares.sum(axis=1, keepdims=True))

        def loss_of(shares: Float) -> float:
            return float(-w @ np.log(np.maximum(shares[rows, self.codes], 1e-300)))

        shares = shares_at(self.slope)
        mean = (shares * score).sum(axis=1)
        gradient = w @ (mean - score[rows, self.codes]) + self.prior * (self.slope - 1)
        bend = w @ ((shares * score**2).sum(axis=1) - mean**2) + self.prior
        slope = max(LEAST_SLOPE, self.slope - float(gradient / bend))
        before, after = loss_of(shares), loss_of(shares_at(slope))
        if after < before:
            self.slope = slope
        return min(before, after)


class EarlyStopping:
    """Follows the loss round by round; without validation rows it does nothing."""

    def __init__(self, validation: ValidationRows | None, earlier: list[Round], prior: Float) -> None:
        self.validation, self.prior = validation, prior
        self.best: int | None = None
        self.least = np.inf
        if validation is not None:
            self.score = np.zeros((validation.rows.n_rows, validation.target.width))
            self.calibrated = CalibratedLoss(validation.target.codes, validation.weight)
            for number, round in enumerate(earlier, 1):
                self._error_after(round)
                self._note(number)

    def measure(self, round: Round) -> Round:
        return round if self.validation is None else replace(round, checked=self._error_after(round))

    def should_stop(self, number: int) -> str:
        """Why boosting ends, or nothing. Called after each round, with its number."""
        if self.validation is None:
            return ""
        self._note(number)
        if self.best is None or number - self.best < self.validation.patience:
            return ""
        return (
            f"round {number}: the log loss of the validation rows has not fallen for {self.validation.patience} "
            f"rounds; the first {self.best} are kept"
        )

    def _note(self, number: int) -> None:
        assert self.validation is not None
        loss = self.calibrated.measure(self.score)
        if loss < self.least - self.validation.tolerance or self.best is None:
            self.best, self.least = number, loss

    def _error_after(self, round: Round) -> float:
        validation = self.validation
        assert validation is not None
        if not round.reset:
            form = "signs" if isinstance(validation.target, Signs) else "votes"
            outputs = predict_weak(round.weaks, validation.rows, form)
            self.score += weigh_outputs(outputs, round.alpha, round.alpha_no, form, validation.target.width)
        return float(
            validation.weight @ (classes_of_scores(self.score, self.prior) != validation.target.codes)
        )
