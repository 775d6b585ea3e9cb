"""A curve with its band.   In: an Evaluation, a curve of one split's rows.   Out: the curve at fixed places, and
where it would lie for other rows.

The curves of the splits are averaged at each place, by what each has to say. The band draws rows (or groups) anew, 200
times, and takes the middle of the answers at each place; it holds for each place, not for the whole curve at once.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.evaluation.curves.rows import judged_splits, unit_weights, widening
from hedgerow.evaluation.metrics import Judged
from hedgerow.evaluation.metrics.metric import Metric
from hedgerow.types import Count, Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

DRAWS = 200
Heights = Callable[[Float, Float, Count], Float]  # truth and weight from the highest score down, ends of ties


def averaged(evaluation: "Evaluation", metric: Metric, heights: Heights) -> tuple[Float, Float, Float]:
    """Middle, lower and upper line."""
    drawn, units = unit_weights(evaluation, DRAWS)
    total: Float | None = None
    lines: Float | None = None
    mass_sum = 0.0
    for rows, one in judged_splits(evaluation):
        mass = metric.mass(one)
        if mass == 0:
            continue
        truth, weight, order, ends = _in_order(one)
        line = mass * heights(truth, weight, ends)
        many = mass * np.array([heights(truth, weight * w, ends) for w in drawn[:, units[rows][order]]])
        total = line if total is None else total + line
        lines = many if lines is None else lines + many
        mass_sum += mass
    if total is None or lines is None:
        raise ValueError("No split has test rows of both classes, so there is no curve. Hold out more rows.")
    middle, lines = total / mass_sum, lines / mass_sum
    tail = (1 - evaluation.level) / 2
    low, high = np.quantile(lines, [tail, 1 - tail], axis=0)
    wider = widening(evaluation)
    low = np.clip(middle - wider * (middle - low), 0, 1)
    high = np.clip(middle + wider * (high - middle), 0, 1)
    return middle, low, high


def _in_order(rows: Judged) -> tuple[Float, Float, Count, Count]:
    """Truth and weight from the highest score down, the order, and the last place of each group of ties."""
    assert rows.guess.order is not None
    score = rows.guess.order[:, 1]
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(score[order])), len(score) - 1)
    return (rows.truth[order] == 1).astype(float), rows.weight[order], order, ends
