"""The same model tested in two ways: is one clearly worse?   In: its predictions of rows drawn at random, and of rows
that are new in some way (later ones, other groups).   Out: the losses of the rows, by all that is looked at.

    numbers   the absolute error, which a few rows do not rule
    classes   mistakes, which everybody can read; and the log loss, which judges a study: a rare class is hardly ever
              predicted, so good models and bad ones make the same mistakes about it
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier

from hedgerow.decision import fit_calibrator
from hedgerow.estimators.bag_members import take_rows
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import weight_params
from hedgerow.evaluation.metrics import log_loss
from hedgerow.evaluation.predictions import Predictions, ScoringData, make_scoring_data, predict_all
from hedgerow.tree.formatting import number
from hedgerow.types import Count, Float

CLEARLY = 3.0  # standard errors of the difference
WORSE = 1.05  # times the loss
COUNTS = 0.01  # of what a guess loses
MISTAKES = "wrong"


@dataclass(frozen=True, eq=False)
class Losses:
    """Of each row."""

    new: Float
    known: Float  # rows drawn at random
    guess: float  # the mean loss of what needs no model
    title: str

    @property
    def error(self) -> float:
        """The standard error of the difference of the means, where the rows are others."""
        return float(np.sqrt(self.new.var() / len(self.new) + self.known.var() / len(self.known)))

    def is_clearly_worse(self, error: float) -> bool:
        """`error`: of the difference. Of a target that can be computed, five millionths instead of two are no
        matter."""
        known = float(self.known.mean())
        gap = float(self.new.mean()) - known
        return gap > max(CLEARLY * error, (WORSE - 1) * known, COUNTS * self.guess)

    @property
    def new_words(self) -> str:
        return self._describe(self.new)

    @property
    def known_words(self) -> str:
        return self._describe(self.known)

    def _describe(self, losses: Float) -> str:
        mean = float(losses.mean())
        return f"{mean:.1%} wrong" if self.title == MISTAKES else f"{self.title} of {number(mean)}"


def compare_losses(new: ScoringData, known: ScoringData) -> Iterator[Losses]:
    if not known.n_classes:
        errors = [np.abs(one.y_pred - one.y_true) for one in (new, known)]
        guess = float(np.abs(known.y_true - np.median(known.y_true)).mean())
        yield Losses(errors[0], errors[1], guess, "a mean absolute error")
        return
    wrong = [np.asarray(one.y_pred != one.y_true, np.float64) for one in (new, known)]
    shares = np.bincount(known.y_true) / len(known.y_true)
    shares = shares[shares > 0]
    yield Losses(wrong[0], wrong[1], float(1 - shares.max()), MISTAKES)
    if known.predictions.decision is not None and len(shares) > 1:
        guess = float(-shares @ np.log(shares))
        yield Losses(_log_losses(new), _log_losses(known), guess, "a log loss")


def _log_losses(rows: ScoringData) -> Float:
    """Of probabilities calibrated as those of a study are; on these rows, for a guess of other shares of the classes
    is no fault of a model."""
    is_proba = rows.predictions.proba is not None
    given = rows.proba if is_proba else rows.decision
    calibrator = fit_calibrator(given, rows.y_true, rows.weight, is_proba=is_proba, form="platt")
    calibrated = Predictions(rows.y_pred, calibrator.calibrate(given))
    return log_loss.losses(ScoringData(rows.y_true, calibrated, rows.weight, rows.n_classes))


def fit_and_score(model: Any, data: Data, train: Count, test: Count) -> ScoringData:
    weight = None if data.weight is None else data.weight[train]
    if data.classes is not None and len(np.unique(data.y[train])) == 1:
        model = DummyClassifier()  # others refuse a single class
    fitted = clone(model).fit(take_rows(data.X, train), data.labels[train], **weight_params(model, weight))
    predicted = predict_all(fitted, take_rows(data.X, test), data.classes, len(train))
    return make_scoring_data(data, test, predicted)
