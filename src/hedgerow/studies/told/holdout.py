"""The hold-out, told.   In: an Evaluation of the chosen model on rows it had not seen.   Out: a Holdout."""

import numpy as np

from hedgerow.evaluation.evaluation import Evaluation
from hedgerow.studies.result import Curve, Holdout
from hedgerow.studies.told.entrants import score_told
from hedgerow.types import Float

MOST_POINTS = 1000
ROC_POINTS = 101


def holdout_told(evaluation: Evaluation, seed: int) -> Holdout:
    guess = evaluation.answers[0].guess
    assert guess is not None
    two = evaluation.data.is_binary
    return Holdout(
        n_rows=evaluation.data.n_rows,
        scores=tuple(score_told(score) for score in evaluation.scores if np.isfinite(score.value)),
        confusion=_confusion(evaluation),
        roc=_roc(evaluation) if two and guess.order is not None else None,
        calibration=_calibration(evaluation) if two and guess.chances is not None else None,
        residuals=_residuals(evaluation, seed) if evaluation.data.classes is None else None,
    )


def _confusion(evaluation: Evaluation) -> tuple[tuple[int, ...], ...]:
    if evaluation.data.classes is None:
        return ()
    return tuple(tuple(round(n) for n in row) for row in evaluation.confusion().counts.tolist())


def _roc(evaluation: Evaluation) -> Curve | None:
    if len(np.unique(evaluation.data.y)) < 2:
        return None
    roc = evaluation.roc()
    few = np.linspace(0, len(roc.false_positive_rate) - 1, ROC_POINTS).round().astype(int)
    lines = (roc.false_positive_rate, roc.true_positive_rate, roc.low, roc.high)
    return Curve(*(_plain(line[few]) for line in lines))


def _calibration(evaluation: Evaluation) -> Curve:
    found = evaluation.calibration(bins=max(2, min(10, evaluation.data.n_rows // 20)))
    return Curve(_plain(found.said), _plain(found.happened), _plain(found.low), _plain(found.high))


def _residuals(evaluation: Evaluation, seed: int) -> Curve:
    guess = evaluation.answers[0].guess
    assert guess is not None
    rows = np.sort(np.random.default_rng(seed).permutation(evaluation.data.n_rows)[:MOST_POINTS])
    return Curve(_plain(guess.values[rows]), _plain(evaluation.data.y[rows]))


def _plain(values: Float) -> tuple[float, ...]:
    return tuple(float(value) for value in values)
