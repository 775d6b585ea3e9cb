"""Residuals of a regression.   In: an Evaluation.   Out: Residuals: what was said beside what is, for each row."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.evaluation.curves.rows import judged_rows
from hedgerow.evaluation.words import figure
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


@dataclass(frozen=True, eq=False, repr=False)
class Residuals:
    truth: Float
    said: Float

    @property
    def residual(self) -> Float:
        return self.truth - self.said

    def to_dict(self) -> dict[str, Any]:
        return {"truth": self.truth.tolist(), "said": self.said.tolist()}

    def __str__(self) -> str:
        q = np.quantile(self.residual, [0, 0.25, 0.5, 0.75, 1])
        told = ", ".join(
            f"{word} {figure(float(v))}"
            for word, v in zip(("least", "1/4", "median", "3/4", "most"), q, strict=True)
        )
        return f"truth minus guess: {told}"

    __repr__ = __str__

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_residuals

        return draw_residuals(self, ax=ax)


def residuals(evaluation: "Evaluation") -> Residuals:
    if evaluation.data.classes is not None:
        raise ValueError("residuals are for regressions, and this is a classification. See .confusion().")
    _, judged = judged_rows(evaluation)
    return Residuals(judged.truth, judged.guess.values)
