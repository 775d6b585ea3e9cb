"""The operating point and prediction intervals on the hold-out.   In: an Evaluation of the chosen model with its
decision.   Out: OperatingPointRecord: precision, recall, cost against doing nothing, lift and gain; IntervalRecords.
"""

from typing import Any

import numpy as np

from hedgerow.decision import COVERAGES, Aim, OperatingPoint
from hedgerow.decision.operating_point import cost_matrix
from hedgerow.estimators.decided import DecidedModel
from hedgerow.evaluation.bounds import hold_out_interval
from hedgerow.evaluation.evaluation import Evaluation
from hedgerow.evaluation.predictions import ScoringData, make_scoring_data
from hedgerow.evaluation.score import t_quantile
from hedgerow.studies.records import CostRecord, Curve, IntervalRecord, LiftRow, OperatingPointRecord
from hedgerow.types import Float

SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)
CURVE_POINTS = 101


def summarize_operating_point(
    evaluation: Evaluation, model: DecidedModel, aim: Aim | None
) -> OperatingPointRecord | None:
    point, classes = model.decision.point, evaluation.data.classes
    if point is None or classes is None or aim is None:
        return None
    rows = _scoring_data(evaluation)
    names = [str(label) for label in classes.tolist()]
    cost = _measure_cost(rows, aim, names) if aim.costs else None
    if not evaluation.data.is_binary:
        return OperatingPointRecord(point.aim, None, None, None, None, None, cost, (), None)
    return _of_two_classes(evaluation, rows, point, names[1], cost)


def _scoring_data(evaluation: Evaluation) -> ScoringData:
    predicted = evaluation.fold_results[0].predictions
    assert predicted is not None
    return make_scoring_data(evaluation.data, np.arange(evaluation.data.n_rows), predicted)


def _of_two_classes(
    evaluation: Evaluation, rows: ScoringData, point: OperatingPoint, positive: str, cost: CostRecord | None
) -> OperatingPointRecord:
    is_alarm, is_positive, w = rows.y_pred == 1, rows.y_true == 1, rows.weight
    alarms, positives = float(w @ is_alarm), float(w @ is_positive)
    found = float(w @ (is_alarm & is_positive))
    curve = None
    if len(np.unique(rows.y_true)) == 2:
        full = evaluation.precision_recall()
        few = np.linspace(0, len(full.recall) - 1, CURVE_POINTS).round().astype(int)
        lines = (full.recall, full.precision, full.low, full.high)
        curve = Curve(*(tuple(float(v) for v in line[few]) for line in lines))
    return OperatingPointRecord(
        aim=point.aim,
        positive=positive,
        threshold=point.threshold,
        n_alarms=int(np.count_nonzero(is_alarm)),
        precision=found / alarms if alarms else None,
        recall=found / positives if positives else None,
        cost=cost,
        lift=lift_table(rows),
        precision_recall=curve,
    )


def lift_table(rows: ScoringData) -> tuple[LiftRow, ...]:
    """The likeliest rows first. Equally likely rows are taken together: in which order they stand in the table (sorted
    by the target, perhaps) says nothing."""
    proba = rows.proba[:, 1]
    order = np.argsort(-proba, kind="stable")
    found = np.cumsum(rows.weight[order] * (rows.y_true[order] == 1))
    total = np.cumsum(rows.weight[order])
    if found[-1] == 0:
        return ()
    wanted = np.array([max(1, round(share * len(order))) for share in SHARES])
    counts = np.unique(np.searchsorted(-proba[order], -proba[order[wanted - 1]], side="right"))
    return tuple(
        LiftRow(
            share=int(n) / len(order),
            n_rows=int(n),
            threshold=float(proba[order[n - 1]]),
            n_found=int(np.count_nonzero(rows.y_true[order[:n]] == 1)),
            precision=float(found[n - 1] / total[n - 1]),
            gain=float(found[n - 1] / found[-1]),
            lift=float(found[n - 1] / total[n - 1] / (found[-1] / total[-1])),
        )
        for n in counts
    )


def _measure_cost(rows: ScoringData, aim: Aim, names: list[str]) -> CostRecord:
    matrix, weight = cost_matrix(aim, names), rows.normalized_weight
    each = matrix[rows.y_true, rows.y_pred]
    mean, half = _mean_with_half(each, weight)
    constant: Float = weight @ matrix[rows.y_true]
    usual = int(np.argmax(np.bincount(rows.y_true, rows.weight, len(names))))
    cheapest = int(np.argmin(constant))
    saved, half_saved = _mean_with_half(matrix[rows.y_true, cheapest] - each, weight)
    return CostRecord(
        truth_prediction=aim.costs,
        cost=mean,
        low=max(0.0, mean - half),
        high=mean + half,
        nothing=float(constant[usual]),
        cheapest=float(constant[cheapest]),
        cheapest_class=names[cheapest],
        saved=saved,
        saved_low=saved - half_saved,
        saved_high=saved + half_saved,
    )


def _mean_with_half(values: Float, weight: Float) -> tuple[float, float]:
    """And half of its 95 % interval. `weight`: with a sum of 1."""
    mean = float(weight @ values)
    error = float(np.sqrt(np.sum((weight * (values - mean)) ** 2)))
    return mean, t_quantile(0.95, len(values)) * error


def summarize_intervals(evaluation: Evaluation, model: Any) -> tuple[IntervalRecord, ...]:
    """For each coverage, how often the truth lies within."""
    intervals = model.decision.intervals
    if intervals is None or evaluation.data.classes is not None:
        return ()
    rows = _scoring_data(evaluation)
    # The effective sample size
    n = min(evaluation.data.n_units, round(1 / np.sum(rows.normalized_weight**2)))
    out = []
    for coverage in COVERAGES:
        low, high = intervals.interval(rows.y_pred, coverage)
        within = (rows.y_true >= low) & (rows.y_true <= high)
        observed = float(rows.normalized_weight @ within)
        near, far = hold_out_interval(round((1 - observed) * n), n)
        out.append(IntervalRecord(coverage, observed, 1 - far, 1 - near, float(np.mean(high - low))))
    return tuple(out)
