"""Residuals of a regression.   In: an Evaluation.   Out: Residuals: true and predicted values of each row."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.display import Result
from hedgerow.display.numbers import figure
from hedgerow.evaluation.curves.bands import pool_scoring_data
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

QUANTILES = {"least": 0.0, "1/4": 0.25, "median": 0.5, "3/4": 0.75, "most": 1.0}


@dataclass(frozen=True, eq=False, repr=False)
class Residuals(Result):
    y_true: Float
    y_pred: Float

    @property
    def residual(self) -> Float:
        return self.y_true - self.y_pred

    def tables(self) -> list[str]:
        values = np.quantile(self.residual, list(QUANTILES.values()))
        parts = [f"{word} {figure(float(v))}" for word, v in zip(QUANTILES, values, strict=True)]
        return [f"true minus predicted: {', '.join(parts)}"]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_residuals

        return draw_residuals(self, ax=ax)


def compute_residuals(evaluation: "Evaluation") -> Residuals:
    if evaluation.data.classes is not None:
        raise ValueError("residuals are for regressions, and this is a classification. See .confusion().")
    _, pooled = pool_scoring_data(evaluation)
    return Residuals(pooled.y_true, pooled.y_pred)
