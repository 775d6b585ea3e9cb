"""The coverage-risk curve, for classifiers that may abstain.   In: an Evaluation of classes.   Out: CoverageRisk: the
error rate when only the most confident share of the rows is answered.

The confidence is the probability of the predicted class, or the distance of its decision value from the next one. A row
for which the model predicted no class at all is never answered.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, interval
from hedgerow.evaluation.curves.bands import error_factor, pool_scoring_data, require_classes
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.evaluation.score import t_quantile, wilson_interval
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

SHOWN = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class CoverageRisk(Result):
    """Error rate when only the most confident share of the rows is answered.

    Attributes
    ----------
    coverage :
        Share of the rows that is answered.
    risk :
        Error rate of those.
    confidence :
        The least among the rows answered.
    area :
        Mean risk over all coverages.
    full_risk :
        When every row is answered that the model has a prediction for.

    See Also
    --------
    hedgerow.evaluate : Returns the evaluation that makes it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, evaluate
    >>> heart = datasets.heart()
    >>> found = evaluate(DecisionTreeClassifier(max_depth=2), heart.table, heart.target, cv=3, repeats=1)
    >>> round(float(found.coverage_risk().full_risk), 2)
    0.24
    """

    coverage: Float
    risk: Float
    low: Float
    high: Float
    confidence: Float
    area: float
    full_risk: float

    def at_risk(self, most: float) -> float:
        """Find how many rows can be answered at a risk.

        Returns
        -------
        float
            The largest coverage.
        """
        fits = np.flatnonzero(self.risk <= most)
        return float(self.coverage[fits[-1]]) if len(fits) else 0.0

    def tables(self) -> list[DisplayTable]:
        at = np.unique([min(np.searchsorted(self.coverage, c), len(self.coverage) - 1) for c in SHOWN])
        rows = [
            (
                f"{self.coverage[k]:.0%}",
                figure(self.risk[k]),
                interval(self.low[k], self.high[k]),
                figure(self.confidence[k]),
            )
            for k in at
        ]
        header = ("rows answered", "error rate", "interval", "confidence of at least")
        return [DisplayTable(header, rows, words=(0, -1), gap=3)]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_coverage_risk

        return draw_coverage_risk(self, ax=ax)


def compute_coverage_risk(evaluation: "Evaluation") -> CoverageRisk:
    require_classes(evaluation, "a coverage-risk curve")
    _, pooled = pool_scoring_data(evaluation)
    confidence = _confidence(pooled)
    order = np.argsort(-confidence, kind="stable")
    answered = np.count_nonzero(pooled.y_pred >= 0)
    order = order[:answered]
    weight = pooled.weight[order]
    wrong = (pooled.y_pred[order] != pooled.y_true[order]) * weight
    ends = np.append(np.flatnonzero(np.diff(confidence[order])), answered - 1)  # ties come together
    reached = np.cumsum(weight)[ends]
    risk = np.cumsum(wrong)[ends] / reached
    n_rows = (ends + 1) / evaluation.splits.repeats
    z = t_quantile(evaluation.confidence_level, evaluation.data.n_rows) * error_factor(evaluation)
    bounds = np.array([wilson_interval(float(r), float(n), z) for r, n in zip(risk, n_rows, strict=True)])
    coverage = reached / pooled.weight.sum()
    area = float(np.diff(np.append(0.0, coverage)) @ risk / coverage[-1])
    least = confidence[order][ends]
    return CoverageRisk(coverage, risk, bounds[:, 0], bounds[:, 1], least, area, float(risk[-1]))


def _confidence(rows: ScoringData) -> Float:
    """Minus infinity where no class was predicted."""
    decision, predicted = rows.predictions.decision, rows.y_pred
    if decision is None:
        raise ValueError(
            "a coverage-risk curve needs a model that tells how sure it is: predict_proba or decision_function."
        )
    every, place = np.arange(len(predicted)), np.maximum(predicted, 0)
    own = decision[every, place]
    if rows.predictions.proba is None:
        others = decision.copy()
        others[every, place] = -np.inf
        own = own - others.max(axis=1)
    return np.where(predicted >= 0, own, -np.inf)
