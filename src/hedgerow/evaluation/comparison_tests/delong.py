"""delong: two areas under ROC curves on one hold-out (DeLong, DeLong and Clarke-Pearson 1988).

Both areas are means over the same rows, so the variance of their difference comes from the rows' differences. Quantiles
are Student's, with the rows of the rarer class less one: the normal ones reject too often on a few hundred rows.
"""

import numpy as np

from hedgerow.evaluation.comparison_test import HOLD_OUT, Outcome, Pair, t_outcome
from hedgerow.evaluation.metrics.roc_auc import structural_components
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

title = "DeLong's test"
design = HOLD_OUT
metrics: tuple[str, ...] = ("roc_auc",)


def compare(pair: Pair) -> Outcome:
    positive = pair.first.y_true == 1
    if pair.first.n_classes != 2 or positive.all() or not positive.any():
        raise ValueError(
            "test='delong' compares areas under the ROC curve: it wants test rows of two classes."
        )
    gap = _components(pair.first) - _components(pair.second)
    variance = sum(
        float(gap[side].var(ddof=1)) / int(side.sum()) for side in (positive, ~positive) if side.sum() > 1
    )
    dof = max(1, int(min(positive.sum(), (~positive).sum())) - 1)
    return t_outcome(float(gap[positive].mean()), float(np.sqrt(variance)), dof, pair.confidence_level)


def _components(rows: ScoringData) -> Float:
    return structural_components(rows.y_true == 1, rows.decision[:, 1], np.ones(len(rows.y_true)))
