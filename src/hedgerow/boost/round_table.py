"""The rounds as a table.   In: Rounds.   Out: a RoundTable, a line for each round, which prints and draws itself.

    epsilon    weight of the rows the round's predictor has wrong, before it was added: mu-; silence is no mistake
    alpha      how much it counts
    coverage   share of the rows on which it does not abstain
    loss       mean loss of the training rows, after the round
    bound      what the training error cannot exceed: the product of 2 sqrt(epsilon (1 - epsilon)) over the rounds for
               predictors that never abstain, of 2 sqrt(mu+ mu-) + mu0 for those that may abstain
    error      share of the training rows misclassified, after the round

The bound is the loss itself: exp(-z) >= 1 and log(1 + exp(-z)) >= log 2 wherever the margin z is not above 0. With a
score for each class, a mistake costs at least two such units: one for its own class, one for the class it is taken for.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.boost.diagnose_words import rounds_table
from hedgerow.boost.loss import loss_at_zero
from hedgerow.boost.phrases import describe_round
from hedgerow.boost.rounds import Rounds
from hedgerow.display import DisplayTable, Result
from hedgerow.encode import Schema
from hedgerow.types import Float, Mask

COLUMNS = (
    "epsilon",
    "alpha",
    "alpha_no",
    "right",
    "wrong",
    "silent",
    "coverage",
    "normaliser",
    "loss",
    "bound",
    "error",
)


@dataclass(frozen=True, eq=False, repr=False)
class RoundTable(Result):
    """The rounds of boosting as a table.

    Attributes
    ----------
    epsilon :
        Weighted error of each round.
    alpha :
        How much each round counts.
    alpha_no :
        For outputs below zero; the same as alpha unless there are two.
    right :
        Mu+, the weight that is right.
    wrong :
        Mu-, the weight that is wrong.
    silent :
        Mu0, the weight on which the predictor abstains.
    coverage :
        Share of the rows on which it says something.
    normaliser :
        By this factor the round changed the exponential loss.
    loss :
        Mean loss after each round.
    bound :
        Bound of the training error after each round.
    error :
        Training error after each round.
    reset :
        The weights went back to where they started, and the predictor does not count.
    rules :
        What each round's predictor says.
    loss_name :
        Name of the loss.
    stopped :
        Why there are no more rounds.
    checked :
        Error on the rows held out for early stopping.

    See Also
    --------
    hedgerow.AdaBoostClassifier.diagnose : Returns it.

    Examples
    --------
    >>> from hedgerow import AdaBoostClassifier, datasets
    >>> points = datasets.ten_points()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
    >>> model.diagnostics_.epsilon.round(3)
    array([0.3  , 0.214, 0.136])
    """

    epsilon: Float
    alpha: Float
    alpha_no: Float
    right: Float
    wrong: Float
    silent: Float
    coverage: Float
    normaliser: Float
    loss: Float
    bound: Float
    error: Float
    reset: Mask
    rules: tuple[str, ...]
    loss_name: str
    stopped: str
    test_error: Float | None = None
    checked: Float | None = None

    def __len__(self) -> int:
        return len(self.alpha)

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {name: getattr(self, name).tolist() for name in COLUMNS}
        for name in ("test_error", "checked"):
            if getattr(self, name) is not None:
                out[name] = getattr(self, name).tolist()
        return out | {
            "reset": self.reset.tolist(),
            "rules": list(self.rules),
            "loss_name": self.loss_name,
            "stopped": self.stopped,
        }

    def tables(self) -> list[DisplayTable]:
        return [rounds_table(self)]

    def draw(self, ax: Any = None) -> Any:
        """Draw errors and the bound over the rounds."""
        from hedgerow.draw.boosting import draw_errors

        return draw_errors(self, ax=ax)


def round_table(
    rounds: Rounds, schema: Schema | None, classes: tuple[str, ...], test_error: Float | None = None
) -> RoundTable:
    def column(name: str) -> Float:
        return np.array([getattr(round, name) for round in rounds.rounds], np.float64)

    checked = column("checked")
    return RoundTable(
        **{name: column(name) for name in COLUMNS if name != "bound"},
        bound=bounds(rounds),
        reset=np.array([round.reset for round in rounds.rounds], bool),
        rules=tuple(describe_round(round, rounds.form, schema, classes) for round in rounds.rounds),
        loss_name=rounds.loss,
        stopped=rounds.stopped,
        test_error=test_error,
        checked=None if np.isnan(checked).all() else checked,
    )


def bounds(rounds: Rounds) -> Float:
    """What the training error cannot exceed, after each round."""
    unit = loss_at_zero(rounds.loss)
    columns = rounds.margins.shape[1]
    a_mistake = 2 * unit / columns if columns > 1 else unit  # costs at least this much of a row's mean loss
    return np.array([round.loss for round in rounds.rounds]) / a_mistake
