"""--model linear_svm: a linear support vector machine, for many rows."""

from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked
from hedgerow.cli.models.model import Wanted
from hedgerow.cli.models.svm import cost_of, facts
from hedgerow.cli.models.svm_picture import picture

WORDS = "a linear support vector machine"
OPTIONS = ("cost",)

__all__ = ["OPTIONS", "WORDS", "estimator", "facts", "importances", "picture"]


def estimator(asked: Asked, wanted: Wanted, classes: bool) -> Any:
    from sklearn.pipeline import make_pipeline

    from hedgerow.estimators import LinearSVC, LinearSVR, ToNumbers

    settings: dict[str, Any] = {
        "C": cost_of(wanted, classes),
        "random_state": asked.seed,
        "n_jobs": asked.threads,
    }
    return make_pipeline(ToNumbers(), LinearSVC(**settings) if classes else LinearSVR(**settings))


def importances(fitted: Any) -> list[tuple[str, float]]:
    """The length of a column's coefficients over the machines; columns are in standard deviations."""
    size = np.sqrt((np.atleast_2d(fitted[-1].coef_) ** 2).sum(axis=0))
    names, largest = fitted[0].preparation_.names, size.max(initial=0.0)
    order = np.argsort(-size, kind="stable")
    return [(names[j], float(size[j] / largest)) for j in order if size[j] > 0]
