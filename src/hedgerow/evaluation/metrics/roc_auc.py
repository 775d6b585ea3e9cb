"""roc_auc: how often a positive row is ranked above a negative one; of more than two classes, each against the rest.

Rows are compared within a fold only: the decision values of two models need not be on one scale. The influence function
is made of DeLong's structural components.
"""

import numpy as np

from hedgerow.evaluation.metric import count_rarest, mean_over_classes
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float, Mask

ORDER = 60
title, task, needs, scale = "area under ROC", "classification", "decision", "share"
higher_is_better, is_percentage, by_fold = True, False, True
n_effective = count_rarest


def value(rows: ScoringData) -> float:
    classes, decision = ranked_classes(rows), rows.decision
    if not classes:
        return np.nan
    if rows.n_classes == 2 and np.ptp(decision[:, 1]) == 0:
        return 0.5  # all equal, as for the baseline: no need to sort
    return float(np.mean([_area(rows.y_true == c, decision[:, c], rows.weight) for c in classes]))


def influence(rows: ScoringData) -> Float:
    decision, weight = rows.decision, rows.normalized_weight
    return mean_over_classes(
        ranked_classes(rows), lambda c: _class_influence(rows.y_true == c, decision[:, c], weight)
    )


def fold_weight(rows: ScoringData) -> float:
    """Pairs of a positive and a negative row; of more than two classes, rows."""
    if rows.n_classes == 2:
        positive = float(rows.weight[rows.y_true == 1].sum())
        return positive * (float(rows.weight.sum()) - positive)
    return float(rows.weight.sum()) * bool(ranked_classes(rows))


def fold_weight_influence(rows: ScoringData) -> Float:
    if rows.n_classes != 2:
        return np.ones(len(rows.y_true))
    positive = rows.y_true == 1
    ones = float(rows.weight[positive].sum())
    return np.where(positive, float(rows.weight.sum()) - ones, ones)


def ranked_classes(rows: ScoringData) -> list[int]:
    """Those with rows in them and rows outside."""
    if rows.n_classes == 2:
        return [1] if len(rows.true_classes) == 2 else []
    return rows.true_classes if len(rows.true_classes) > 1 else []


def structural_components(positive: Mask, decision: Float, weight: Float) -> Float:
    """DeLong: per row, the proportion of the other class that it is ranked on the right side of; ties count half."""
    out = np.empty(len(decision))
    for own in (True, False):
        others, other_weight = decision[positive != own], weight[positive != own]
        order = np.argsort(others, kind="stable")
        sums = np.append(0.0, np.cumsum(other_weight[order]))
        below = sums[np.searchsorted(others[order], decision[positive == own], "left")]
        up_to = sums[np.searchsorted(others[order], decision[positive == own], "right")]
        right_side = (below + up_to) / 2 if own else sums[-1] - (below + up_to) / 2
        out[positive == own] = right_side / sums[-1]
    return out


def _area(positive: Mask, decision: Float, weight: Float) -> float:
    own, weights = structural_components(positive, decision, weight)[positive], weight[positive]
    return float(own @ weights / weights.sum())


def _class_influence(positive: Mask, decision: Float, weight: Float) -> Float:
    own = structural_components(positive, decision, weight)
    weight_positive = float(weight[positive].sum())
    area = float(own[positive] @ weight[positive] / weight_positive)
    return np.where(positive, (own - area) / weight_positive, (own - area) / (1 - weight_positive))
