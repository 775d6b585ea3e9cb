"""average_precision: the mean, over the positive rows, of the precision when one stops at them; of more than two
classes, the mean of each against the rest. Rows are ranked within a fold only.
"""

import numpy as np
from sklearn.metrics import average_precision_score

from hedgerow.evaluation.metrics.metric import Judged, by_class
from hedgerow.evaluation.metrics.roc_auc import order_of, ranked_classes
from hedgerow.types import Float, Mask

title, task, needs, scale = "average precision", "classification", "order", "share"
higher_is_better, by_fold = True, True


def value(rows: Judged) -> float:
    classes, order = ranked_classes(rows), order_of(rows)
    if not classes:
        return np.nan
    if rows.n_classes == 2 and np.ptp(order[:, 1]) == 0:
        return float(rows.share[rows.truth == 1].sum())  # all alike, as the baseline says: no need to sort
    found = [
        average_precision_score(rows.truth == c, order[:, c], sample_weight=rows.weight) for c in classes
    ]
    return float(np.mean(found))


def pulls(rows: Judged) -> Float:
    order = order_of(rows)
    return by_class(rows, ranked_classes(rows), lambda c: _pull(rows.truth == c, order[:, c], rows.share))


def mass(rows: Judged) -> float:
    """Positive rows; for more classes, rows."""
    kept = rows.truth == 1 if rows.n_classes == 2 else np.ones(len(rows.truth), bool)
    return float(rows.weight[kept].sum()) * bool(ranked_classes(rows))


def mass_pulls(rows: Judged) -> Float:
    return (rows.truth == 1).astype(float) if rows.n_classes == 2 else np.ones(len(rows.truth))


def _pull(positive: Mask, order: Float, share: Float) -> Float:
    """AP = mean over positives s of p(s) = P(s) / (P(s) + N(s)), P and N the shares of positive and negative rows that
    rank at s or above. A row that gains weight moves the mean, and P or N at every s up to its own rank."""
    by_order = np.argsort(-order, kind="stable")
    y, w = positive[by_order].astype(float), share[by_order]
    last = np.append(np.flatnonzero(np.diff(order[by_order])), len(order) - 1)  # of each group of ties
    group = np.repeat(np.arange(len(last)), np.diff(np.append(-1, last)))
    above_p, above_n = np.cumsum(w * y)[last], np.cumsum(w * (1 - y))[last]
    here_p = np.diff(np.append(0.0, above_p))
    all_p, both = above_p[-1], above_p + above_n
    precision = above_p / both
    area = float(here_p @ precision / all_p)
    slope_p, slope_n = above_n / both**2, -above_p / both**2  # of the precision, by P and by N
    reach_p = np.cumsum((here_p * slope_p)[::-1])[::-1] / all_p  # felt at this rank and below
    reach_n = np.cumsum((here_p * slope_n)[::-1])[::-1] / all_p
    pull = np.where(y > 0, (precision[group] - area) / all_p + reach_p[group], reach_n[group])
    out = np.empty(len(order))
    out[by_order] = pull - pull @ w
    return out
