"""The coverage-risk curve, for predictors that may abstain.   In: an Evaluation of classes.   Out: CoverageRisk: the
error rate when only the surest share of the rows is answered.

How sure: the chance of the class that was said, or how far its score lies above the next one. A row for which the
model said no class at all is never answered.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.evaluation.curves.rows import judged_rows, need_classes, widening
from hedgerow.evaluation.interval import quantile, wilson
from hedgerow.evaluation.metrics import Judged
from hedgerow.evaluation.plain import plain
from hedgerow.evaluation.words import figure, span, text_table
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

SHOWN = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class CoverageRisk:
    coverage: Float
    risk: Float
    low: Float
    high: Float
    sureness: Float  # the least among the rows answered
    area: float  # mean risk over all coverages
    full_risk: float  # when every row is answered that the model has an answer for

    def at_risk(self, most: float) -> float:
        """The largest coverage whose risk is at most this; 0 if there is none."""
        fits = np.flatnonzero(self.risk <= most)
        return float(self.coverage[fits[-1]]) if len(fits) else 0.0

    def to_dict(self) -> dict[str, Any]:
        names = ("coverage", "risk", "low", "high", "sureness")
        return plain({name: getattr(self, name) for name in (*names, "area", "full_risk")})  # type: ignore[no-any-return]

    def __str__(self) -> str:
        at = np.unique([min(np.searchsorted(self.coverage, c), len(self.coverage) - 1) for c in SHOWN])
        lines = [
            (
                f"{self.coverage[k]:.0%}",
                figure(self.risk[k]),
                span(self.low[k], self.high[k]),
                figure(self.sureness[k]),
            )
            for k in at
        ]
        return "\n".join(
            text_table(("rows answered", "error rate", "interval", "when at least so sure"), lines)
        )

    __repr__ = __str__

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_coverage_risk

        return draw_coverage_risk(self, ax=ax)


def coverage_risk(evaluation: "Evaluation") -> CoverageRisk:
    need_classes(evaluation, "a coverage-risk curve")
    _, judged = judged_rows(evaluation)
    sure = sureness(judged)
    order = np.argsort(-sure, kind="stable")
    answered = np.count_nonzero(judged.guess.values >= 0)
    order = order[:answered]
    weight = judged.weight[order]
    wrong = (judged.guess.values[order] != judged.truth[order]) * weight
    ends = np.append(np.flatnonzero(np.diff(sure[order])), answered - 1)  # equally sure rows come together
    reached = np.cumsum(weight)[ends]
    risk = np.cumsum(wrong)[ends] / reached
    n_rows = (ends + 1) / evaluation.splits.repeats
    z = quantile(evaluation.level, evaluation.data.n_rows) * widening(evaluation)
    bounds = np.array([wilson(float(r), float(n), z) for r, n in zip(risk, n_rows, strict=True)])
    coverage = reached / judged.weight.sum()
    area = float(np.diff(np.append(0.0, coverage)) @ risk / coverage[-1])
    return CoverageRisk(coverage, risk, bounds[:, 0], bounds[:, 1], sure[order][ends], area, float(risk[-1]))


def sureness(judged: Judged) -> Float:
    """Larger = surer; minus infinity where nothing was said."""
    order = judged.guess.order
    said = judged.guess.values
    if order is None:
        raise ValueError(
            "a coverage-risk curve needs a model that tells how sure it is: predict_proba or decision_function."
        )
    place = np.maximum(said, 0)
    own = order[np.arange(len(said)), place]
    if judged.guess.chances is None:
        others = order.copy()
        others[np.arange(len(said)), place] = -np.inf
        own = own - others.max(axis=1)
    return np.where(said >= 0, own, -np.inf)
