"""average_precision: the mean, over the positive rows, of the precision at their rank; of more than two classes, the
mean of each against the rest. Rows are ranked within a fold only.
"""

import numpy as np

from hedgerow.evaluation.metric import count_rarest, mean_over_classes
from hedgerow.evaluation.metrics.roc_auc import ranked_classes
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float, Mask

ORDER = 70
title, task, needs, scale = "average precision", "classification", "decision", "share"
higher_is_better, is_percentage, by_fold = True, False, True
n_effective = count_rarest


def value(rows: ScoringData) -> float:
    classes, decision = ranked_classes(rows), rows.decision
    if not classes:
        return np.nan
    if rows.n_classes == 2 and np.ptp(decision[:, 1]) == 0:
        return float(
            rows.normalized_weight[rows.y_true == 1].sum()
        )  # all equal, as for the baseline: no sort
    return float(np.mean([_area(rows.y_true == c, decision[:, c], rows.weight) for c in classes]))


def influence(rows: ScoringData) -> Float:
    decision, weight = rows.decision, rows.normalized_weight
    return mean_over_classes(
        ranked_classes(rows), lambda c: _class_influence(rows.y_true == c, decision[:, c], weight)
    )


def fold_weight(rows: ScoringData) -> float:
    """Positive rows; of more than two classes, rows."""
    kept = rows.y_true == 1 if rows.n_classes == 2 else np.ones(len(rows.y_true), bool)
    return float(rows.weight[kept].sum()) * bool(ranked_classes(rows))


def fold_weight_influence(rows: ScoringData) -> Float:
    return (rows.y_true == 1).astype(float) if rows.n_classes == 2 else np.ones(len(rows.y_true))


def _area(positive: Mask, decision: Float, weight: Float) -> float:
    order = np.argsort(-decision, kind="stable")
    w = weight[order]
    last = np.append(np.flatnonzero(np.diff(decision[order])), len(decision) - 1)  # of each group of ties
    above_p, above = np.cumsum(w * positive[order])[last], np.cumsum(w)[last]
    return float(np.diff(np.append(0.0, above_p)) @ (above_p / above) / above_p[-1])


def _class_influence(positive: Mask, decision: Float, weight: Float) -> Float:
    """AP = mean over positives s of p(s) = P(s) / (P(s) + N(s)), P and N the weights of positive and negative rows that
    rank at s or above. A row that gains weight changes the mean, and P or N at every s up to its own rank."""
    order = np.argsort(-decision, kind="stable")
    y, w = positive[order].astype(float), weight[order]
    last = np.append(np.flatnonzero(np.diff(decision[order])), len(decision) - 1)  # of each group of ties
    group = np.repeat(np.arange(len(last)), np.diff(np.append(-1, last)))
    above_p, above_n = np.cumsum(w * y)[last], np.cumsum(w * (1 - y))[last]
    here_p = np.diff(np.append(0.0, above_p))
    all_p, both = above_p[-1], above_p + above_n
    precision = above_p / both
    area = float(here_p @ precision / all_p)
    slope_p, slope_n = above_n / both**2, -above_p / both**2  # derivatives of the precision by P and by N
    reach_p = np.cumsum((here_p * slope_p)[::-1])[::-1] / all_p  # felt at this rank and below
    reach_n = np.cumsum((here_p * slope_n)[::-1])[::-1] / all_p
    found = np.where(y > 0, (precision[group] - area) / all_p + reach_p[group], reach_n[group])
    out = np.empty(len(decision))
    out[order] = found - found @ w
    return out
