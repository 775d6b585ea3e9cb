"""delong: two areas under ROC curves on one hold-out (DeLong, DeLong and Clarke-Pearson 1988).

Both areas are means over the same rows, so their difference has a variance made of the rows' differences. Quantiles are
Student's, with the rows of the rarer class less one: the normal ones are too eager on a few hundred rows.
"""

import numpy as np
from scipy.stats import t as student

from hedgerow.evaluation.comparison_tests.pair import Outcome, Pair
from hedgerow.evaluation.metrics import Judged
from hedgerow.evaluation.metrics.roc_auc import components, order_of

title = "DeLong's test"
design = "hold_out"
scores: tuple[str, ...] = ("roc_auc",)


def compare(pair: Pair) -> Outcome:
    positive = pair.first.truth == 1
    if pair.first.n_classes != 2 or positive.all() or not positive.any():
        raise ValueError(
            "test='delong' compares areas under the ROC curve: it wants test rows of two classes."
        )
    gap = _components(pair.first) - _components(pair.second)
    difference = float(gap[positive].mean())
    variance = sum(
        float(gap[side].var(ddof=1)) / int(side.sum()) for side in (positive, ~positive) if side.sum() > 1
    )
    error = float(np.sqrt(variance))
    free = max(1, int(min(positive.sum(), (~positive).sum())) - 1)
    half = float(student.ppf((1 + pair.level) / 2, free)) * error
    if error == 0:
        return Outcome(difference, difference, difference, float("nan"), 1.0 if difference == 0 else 0.0)
    statistic = difference / error
    return Outcome(
        difference,
        difference - half,
        difference + half,
        statistic,
        float(2 * student.sf(abs(statistic), free)),
    )


def _components(rows: Judged) -> np.ndarray:
    return components(rows.truth == 1, order_of(rows)[:, 1], np.ones(len(rows.truth)))
