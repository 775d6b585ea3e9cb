"""Diagnosis of a booster of numbers.   In: NumberRounds and the rows they were boosted on, perhaps test rows.   Out:
what happened in each round, and the rows that carry the weight; prints, draws and turns into a dict itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.diagnose_words import numbers_tables
from hedgerow.boost.regress import NumberRounds, staged_numbers
from hedgerow.display import DisplayTable, Result
from hedgerow.types import Count, Float

ROUNDS = ("mean_loss", "alpha", "error", "test_error")
HEAVIEST = ("row", "weight", "value", "predicted")


@dataclass(frozen=True, eq=False, repr=False)
class NumberDiagnosis(Result):
    """What happened when regressions were boosted: each round's loss and errors, and the rows that carry the weight.

    Attributes
    ----------
    mean_loss :
        Weighted, of each round's predictor, before it was added.
    alpha :
        How much each round counts.
    error :
        Mean absolute error of the training rows, after each round.
    row :
        The heaviest rows, the heaviest first.
    weight :
        Share of all weight.
    value :
        The target.
    predicted :
        The prediction.
    tenth :
        Share of the weight that the heaviest tenth of the rows carry.

    See Also
    --------
    hedgerow.AdaBoostRegressor.diagnose : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import AdaBoostRegressor
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> model = AdaBoostRegressor(n_estimators=4, random_state=0).fit(X, X[:, 0])
    >>> len(model.diagnose(X, X[:, 0]).alpha)
    2
    """

    mean_loss: Float
    alpha: Float
    error: Float
    test_error: Float | None
    row: Count
    weight: Float
    value: Float
    predicted: Float
    n_rows: int
    tenth: float
    stopped: str

    def to_dict(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name) for name in (*ROUNDS, *HEAVIEST)}
        plain = {name: None if array is None else array.tolist() for name, array in arrays.items()}
        return plain | {"n_rows": self.n_rows, "tenth": self.tenth, "stopped": self.stopped}

    def tables(self) -> list[DisplayTable]:
        return numbers_tables(self)

    def draw(self, ax: Any = None) -> Any:
        """Mean errors over the rounds, with matplotlib. Returns the Axes."""
        from hedgerow.draw.boosting import draw_number_errors

        return draw_number_errors(self, ax=ax)


def diagnose_numbers(
    rounds: NumberRounds,
    rows: BoostInput,
    values: Float,
    *,
    test: tuple[BoostInput, Float] | None = None,
    most_rows: int = 10,
) -> NumberDiagnosis:
    """`rows` and `values` are those of training."""
    if rows.n_rows != len(rounds.base):
        raise ValueError(
            f"These are not the rows the model was fitted on: there are {rows.n_rows:,} of them, and "
            f"{len(rounds.base):,} were boosted on. Give the X, y and sample_weight of fit; other rows go into "
            "test=(X, y)."
        )
    staged = list(staged_numbers(rounds, rows))
    order = np.argsort(-rounds.weight, kind="stable")
    first = order[:most_rows]
    return NumberDiagnosis(
        np.array([round.mean_loss for round in rounds.rounds]),
        np.array([round.alpha for round in rounds.rounds]),
        np.array([rounds.base @ np.abs(values - predicted) for predicted in staged]),
        None if test is None else _errors(rounds, *test),
        first.astype(np.int64),
        rounds.weight[first],
        values[first],
        staged[-1][first],
        rows.n_rows,
        float(rounds.weight[order[: max(1, round(rows.n_rows / 10))]].sum()),
        rounds.stopped,
    )


def _errors(rounds: NumberRounds, rows: BoostInput, values: Float) -> Float:
    return np.array([np.mean(np.abs(values - predicted)) for predicted in staged_numbers(rounds, rows)])
