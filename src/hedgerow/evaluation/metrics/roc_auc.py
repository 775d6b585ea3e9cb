"""roc_auc: how often a positive row is ranked above a negative one; of more than two classes, each against the rest.

Rows are compared within a fold only: the scores of two models need not be on one scale. Pulls are DeLong's
structural components.
"""

import numpy as np
from sklearn.metrics import roc_auc_score

from hedgerow.evaluation.metrics.metric import Judged, by_class
from hedgerow.types import Float, Mask

title, task, needs, scale = "area under ROC", "classification", "order", "share"
higher_is_better, by_fold = True, True


def value(rows: Judged) -> float:
    classes, order = ranked_classes(rows), order_of(rows)
    if not classes:
        return np.nan
    if rows.n_classes == 2 and np.ptp(order[:, 1]) == 0:
        return 0.5  # all alike, as the baseline says: no need to sort
    return float(
        np.mean([roc_auc_score(rows.truth == c, order[:, c], sample_weight=rows.weight) for c in classes])
    )


def pulls(rows: Judged) -> Float:
    order = order_of(rows)
    return by_class(rows, ranked_classes(rows), lambda c: _pull(rows.truth == c, order[:, c], rows.share))


def mass(rows: Judged) -> float:
    """Pairs of a positive and a negative row; for more classes, rows."""
    if rows.n_classes == 2:
        positive = float(rows.weight[rows.truth == 1].sum())
        return positive * (float(rows.weight.sum()) - positive)
    return float(rows.weight.sum()) * bool(ranked_classes(rows))


def mass_pulls(rows: Judged) -> Float:
    if rows.n_classes != 2:
        return np.ones(len(rows.truth))
    positive = rows.truth == 1
    ones = float(rows.weight[positive].sum())
    return np.where(positive, float(rows.weight.sum()) - ones, ones)


def ranked_classes(rows: Judged) -> list[int]:
    """Those with rows in them and rows outside."""
    if rows.n_classes == 2:
        return [1] if len(rows.true_classes) == 2 else []
    return rows.true_classes if len(rows.true_classes) > 1 else []


def order_of(rows: Judged) -> Float:
    assert rows.guess.order is not None
    return rows.guess.order


def components(positive: Mask, order: Float, weight: Float) -> Float:
    """Of each row, the share of the rows of the other class that it stands on the right side of; ties count half."""
    out = np.empty(len(order))
    for own in (True, False):
        others, other_weight = order[positive != own], weight[positive != own]
        by_order = np.argsort(others, kind="stable")
        sums = np.append(0.0, np.cumsum(other_weight[by_order]))
        below = sums[np.searchsorted(others[by_order], order[positive == own], "left")]
        upto = sums[np.searchsorted(others[by_order], order[positive == own], "right")]
        on_the_right = (below + upto) / 2 if own else sums[-1] - (below + upto) / 2
        out[positive == own] = on_the_right / sums[-1]
    return out


def _pull(positive: Mask, order: Float, share: Float) -> Float:
    own = components(positive, order, share)
    mass_positive = float(share[positive].sum())
    area = float(own[positive] @ share[positive] / mass_positive)
    return np.where(positive, (own - area) / mass_positive, (own - area) / (1 - mass_positive))
