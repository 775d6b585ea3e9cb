"""Early stopping.   In: rows that no weak learner sees.   Out: the round after which their error was least."""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.boost.combine import answers_of, classes_of_scores, weighted
from hedgerow.boost.rounds import Round
from hedgerow.boost.rows import Rows
from hedgerow.boost.target import Signs, Target
from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class Watch:
    rows: Rows
    target: Target
    weight: Float  # of each row, sum one
    patience: int  # rounds without a lower error before boosting ends
    tolerance: float = 0.0  # a lower error is lower by more than this


class Watcher:
    """Follows the error round by round; without a Watch it does nothing."""

    def __init__(self, watch: Watch | None, earlier: list[Round]) -> None:
        self.watch = watch
        self.best: int | None = None
        self.least = np.inf
        if watch is not None:
            self.score = np.zeros((watch.rows.n_rows, watch.target.width))
            for number, round in enumerate(earlier, 1):
                self._note(number, self._error_after(round))

    def checked(self, round: Round) -> Round:
        return round if self.watch is None else replace(round, checked=self._error_after(round))

    def tired(self, number: int) -> str:
        """Why boosting ends, or nothing. Called after each round, with its number."""
        if self.watch is None:
            return ""
        self._note(number, self.last)
        if self.best is None or number - self.best < self.watch.patience:
            return ""
        return (
            f"round {number}: the error on the validation rows has not fallen for {self.watch.patience} rounds; "
            f"the first {self.best} are kept"
        )

    def _note(self, number: int, error: float) -> None:
        assert self.watch is not None
        if error < self.least - self.watch.tolerance or self.best is None:
            self.best, self.least = number, error

    def _error_after(self, round: Round) -> float:
        watch = self.watch
        assert watch is not None
        if not round.reset:
            form = "signs" if isinstance(watch.target, Signs) else "votes"
            answers = answers_of(round.weaks, watch.rows, form)
            self.score += weighted(answers, round.alpha, round.alpha_no, form, watch.target.width)
        self.last = float(watch.weight @ (classes_of_scores(self.score) != watch.target.codes))
        return self.last
