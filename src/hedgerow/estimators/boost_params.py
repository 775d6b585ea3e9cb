"""BoostParams: the parameters of AdaBoostClassifier, checked once.   In: the estimator.   Out: the weak learner, the
options of boosting, and what depends on the number of classes: the options then, the target."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.boost import BoostOptions, Target, Votes, signs_of
from hedgerow.boost.calibrate import ALPHAS
from hedgerow.boost.loss import loss_names
from hedgerow.boost.weak_learner import PREDICTIONS, ClassLearner, Predictions, WeakParams
from hedgerow.errors import check_choice
from hedgerow.estimators.base_estimator import Adapted, resolve_learner
from hedgerow.fitting.validate import number, share, whole, whole_or_none
from hedgerow.types import Index

MULTICLASS = ("samme", "vote", "mh")
OVER_HALF = ("negate", "reset", "stop")
SAMPLING = ("weights", "resample")


@dataclass(frozen=True, eq=False)
class BoostParams:
    learner: Any
    predictions: Predictions
    options: BoostOptions
    multi_class: str | None
    over_half: str | None
    patience: int
    validation_fraction: float
    tol: float


def validate_boost(booster: Any) -> BoostParams:
    predictions: Predictions = check_choice("predictions", booster.predictions, PREDICTIONS)  # type: ignore[assignment]
    smoothing = None if booster.smoothing is None else number("smoothing", booster.smoothing, 0.0, np.inf)
    below = number("abstain_below", booster.abstain_below, 0.0, 1.0)
    depth = whole_or_none("max_depth", booster.max_depth, 1, 2**31 - 1)
    learner = resolve_learner(booster.estimator, WeakParams(predictions, smoothing, depth), below)
    alpha = _one_of_or_none("alpha", booster.alpha, ALPHAS)
    by_output = {"signs": "one", "abstaining": "one", "confident": "search", "calibrated": "own"}
    options = BoostOptions(
        n_rounds=whole("n_estimators", booster.n_estimators, 1),
        loss=check_choice("loss", booster.loss, loss_names()),
        alpha=alpha or by_output[learner.output_kind],  # type: ignore[arg-type]
        smoothing=smoothing,
        learning_rate=number("learning_rate", booster.learning_rate, 1e-12, np.inf),
        resample=check_choice("sampling", booster.sampling, SAMPLING) == "resample" and not _draws(learner),
    )
    return BoostParams(
        learner,
        predictions,
        options,
        _one_of_or_none("multi_class", booster.multi_class, MULTICLASS),
        _one_of_or_none("over_half", booster.over_half, OVER_HALF),
        whole("n_iter_no_change", booster.n_iter_no_change, 1),
        share("validation_fraction", booster.validation_fraction),
        number("tol", booster.tol, 0.0, 1.0),
    )


def _draws(learner: Any) -> bool:
    """It takes no weights, and draws rows itself."""
    return isinstance(learner, Adapted) and not learner.weights


def weighting_of(params: BoostParams) -> str:
    return "resampling" if params.options.resample or _draws(params.learner) else "weights"


def _one_of_or_none(name: str, given: object, known: tuple[str, ...]) -> str | None:
    return None if given is None else check_choice(name, given, known)


def takes_votes(params: BoostParams, n_classes: int) -> bool:
    """Whether classes are voted for, rather than one class against the rest."""
    if n_classes == 2 or params.multi_class == "mh":
        return False
    chooses = ("signs", "abstaining") if isinstance(params.learner, Adapted) else ("signs",)
    can = params.learner.output_kind in chooses and isinstance(params.learner, ClassLearner)
    if params.multi_class is not None and not can:
        raise ValueError(
            f"multi_class={params.multi_class!r} needs a learner that chooses among all classes, discretely. Use "
            "multi_class='mh' (each class against the rest), or predictions='discrete' with another estimator."
        )
    return can


def options_for(params: BoostParams, n_classes: int) -> BoostOptions:
    """The choices that depend on the number of classes."""
    voted = takes_votes(params, n_classes)
    samme = voted and params.multi_class in (None, "samme")
    if voted and params.options.alpha != "one":
        raise ValueError(
            f"alpha={params.options.alpha!r} has no meaning where classes are voted for. Use alpha='one', or "
            "multi_class='mh'."
        )
    return replace(
        params.options,
        over_half=params.over_half or ("reset" if voted else "negate"),  # type: ignore[arg-type]
        handicap=0.5 * np.log(n_classes - 1) if samme else 0.0,
    )


def make_target(params: BoostParams, codes: Index, n_classes: int) -> Target:
    """What is learned: votes for classes, or signs."""
    if takes_votes(params, n_classes):
        return Votes(codes, n_classes)
    return signs_of(codes, n_classes)
