"""Decisions from out-of-fold predictions.   In: fold results of a model as it answered, the aim.   Out: the same fold
results with calibrated probabilities and classes by the operating point; and the Decision for the model of all rows.

    fold k:     calibrator and operating point are chosen on the predictions of the other folds of its repeat
    the model:  on those of all folds

No model is fitted for this. A calibrator has two numbers and one for each class: that the models of the other folds
have learned from the rows of fold k does not matter to it. A row whose class the training rows of its fold lacked says
nothing about a calibrator, and is judged alike for all models (give_unseen).
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hedgerow.candidate import BASELINE
from hedgerow.decision import (
    Aim,
    Decision,
    OperatingPoint,
    ProbabilityCalibrator,
    choose_operating_point,
    fit_calibrator,
    fit_intervals,
)
from hedgerow.estimators.decided import DecidedModel, decide_by
from hedgerow.estimators.delegating import find_decision_scale
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.predictions import (
    Predictions,
    ScoringData,
    concat_scoring_data,
    give_unseen,
    make_scoring_data,
)
from hedgerow.evaluation.run import FoldResults
from hedgerow.evaluation.splits import Split, Splits
from hedgerow.types import Float

BEYOND = 0.1  # of the farthest value that a calibrator learned from: what others may add to it
LACKING = 1e300  # size of a decision value: a class that the training rows lacked has none nearer


def decide_all(
    results: FoldResults, data: Data, splits: Splits, aim: Aim | None, form: str | None = None
) -> tuple[FoldResults, dict[str, Decision]]:
    """For each model. The baseline says what the shares are: nothing is to be calibrated, and unless mistakes have
    costs it predicts the most frequent class. `form`: of the calibrators, where it is not to be chosen."""
    guess = aim if aim is None or aim.costs else Aim("accuracy")
    found = {
        name: decide_results(some, data, splits, guess, calibrate=False)
        if name == BASELINE
        else decide_results(some, data, splits, aim, form=form)
        for name, some in results.items()
    }
    return {name: some for name, (some, _) in found.items()}, {name: one for name, (_, one) in found.items()}


def decide_results(
    results: tuple[FoldResult, ...],
    data: Data,
    splits: Splits,
    aim: Aim | None,
    *,
    calibrate: bool = True,
    form: str | None = None,
) -> tuple[tuple[FoldResult, ...], Decision]:
    """`aim`: None for numbers."""
    parts = {
        k: make_scoring_data(data, part.test, result.predictions)
        for k, (part, result) in enumerate(zip(splits.parts, results, strict=True))
        if result.predictions is not None
    }
    if not parts:
        return results, Decision()
    if aim is None or data.classes is None:
        every = concat_scoring_data(list(parts.values()))
        return results, Decision(intervals=fit_intervals(every.y_pred, every.y_true))
    seen = {k: np.isin(rows.y_true, data.y[splits.parts[k].train]) for k, rows in parts.items()}
    learned = {k: rows.take(np.flatnonzero(seen[k])) for k, rows in parts.items() if seen[k].any()}
    if not learned:
        return results, Decision()
    every = concat_scoring_data(list(learned.values()))
    if every.predictions.decision is None:
        return results, Decision()
    classes = data.classes.tolist()
    whole = _fit(every, None, form) if calibrate else None
    out = list(results)
    for k in parts:
        others = [
            part for j, part in learned.items() if j != k and splits.parts[j].repeat == splits.parts[k].repeat
        ]
        rows = concat_scoring_data(others) if others else learned.get(k, every)
        calibrator = None if whole is None else _fit(rows, whole, form)
        point = _choose(aim, calibrator, rows, classes)
        near = partial(_draw_in, _farthest(rows.predictions))
        out[k] = _decide(results[k], calibrator, point, data, splits.parts[k], near)
    return tuple(out), Decision(whole, _choose(aim, whole, every, classes))


def _given(predictions: Predictions) -> Float:
    given = predictions.decision if predictions.proba is None else predictions.proba
    assert given is not None
    return given


def _fit(rows: ScoringData, start: ProbabilityCalibrator | None, form: str | None) -> ProbabilityCalibrator:
    is_proba = rows.predictions.proba is not None
    return fit_calibrator(
        _given(rows.predictions), rows.y_true, rows.weight, is_proba=is_proba, start=start, form=form
    )


def _farthest(predictions: Predictions) -> float:
    """Of decision values, the largest; of probabilities there is no such thing."""
    if predictions.proba is not None:
        return np.inf
    sizes = np.abs(_given(predictions))
    return float(sizes[sizes < LACKING].max(initial=0.0))


def _draw_in(far: float, predictions: Predictions) -> Predictions:
    """Decision values beyond all that a calibrator learned from count little more than its farthest, in their order:
    where the searches for C of the other folds found nothing, its unit is tiny, and 1 would be 26 units."""
    if predictions.decision is None or not 0 < far < np.inf:
        return predictions
    given = predictions.decision
    sizes = np.abs(given)
    drawn = np.sign(given) * far * (1 + BEYOND * (1 - far / np.maximum(sizes, far)))
    return replace(predictions, decision=np.where((sizes > far) & (sizes < LACKING), drawn, given))


def _calibrate(calibrator: ProbabilityCalibrator | None, predictions: Predictions) -> Float:
    given = _given(predictions)
    return given if calibrator is None else calibrator.calibrate(given)


def _choose(
    aim: Aim, calibrator: ProbabilityCalibrator | None, rows: ScoringData, classes: list[Any]
) -> OperatingPoint:
    proba = _calibrate(calibrator, rows.predictions)
    return choose_operating_point(aim, proba, rows.y_true, rows.weight, classes)


def _decide(
    result: FoldResult,
    calibrator: ProbabilityCalibrator | None,
    point: OperatingPoint,
    data: Data,
    split: Split,
    near: Callable[[Predictions], Predictions],
) -> FoldResult:
    """`near`: what is done to predictions before they are calibrated."""
    assert data.classes is not None
    is_known = np.isin(np.arange(len(data.classes)), data.y[split.train])

    def decided(given: Predictions | None) -> Predictions | None:
        if given is None:
            return None
        proba = give_unseen(_calibrate(calibrator, near(given)), is_known, len(split.train))
        return Predictions(point.decide(proba), proba, proba)

    return replace(
        result,
        predictions=decided(result.predictions),
        overlap_predictions=decided(result.overlap_predictions),
    )


def attach_decision(model: Any, decision: Decision, data: Data) -> DecidedModel:
    """The fitted model with its decision, whose classes are put in the order of the model's."""
    calibrator, point = decision.calibrator, decision.point
    if data.classes is None or point is None:
        return decide_by(decision, model)
    number = {label: k for k, label in enumerate(data.classes.tolist())}
    order = np.array([number[label] for label in model.classes_.tolist()])
    ordered = None if calibrator is None else calibrator.reorder(order)
    if ordered is not None and ordered.floor == 0:  # of decision values, which folds have scaled
        ordered = replace(ordered, unit=ordered.unit / find_decision_scale(model))
    return decide_by(Decision(ordered, point.reorder(order)), model)
