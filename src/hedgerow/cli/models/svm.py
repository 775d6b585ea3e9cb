"""--model svm: a support vector machine with a kernel."""

from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked, one_of
from hedgerow.cli.models.model import Wanted
from hedgerow.cli.models.svm_picture import picture

WORDS = "a support vector machine"
OPTIONS = ("kernel", "cost", "gamma", "degree")
KERNELS = ("linear", "poly", "rbf", "sigmoid")
WITH_GAMMA = KERNELS[1:]

__all__ = ["OPTIONS", "WORDS", "cost_of", "estimator", "facts", "importances", "picture"]


def estimator(asked: Asked, wanted: Wanted, classes: bool) -> Any:
    from sklearn.pipeline import make_pipeline

    from hedgerow.estimators import SVC, SVR, ToNumbers

    kernel = wanted.kernel or "rbf"
    one_of("--kernel", kernel, KERNELS)
    if wanted.gamma is not None and kernel not in WITH_GAMMA:
        raise ValueError(
            f"--gamma is no option of --kernel {kernel}. Kernels with it: {', '.join(WITH_GAMMA)}."
        )
    if wanted.degree is not None and kernel != "poly":
        raise ValueError(f"--degree is an option of --kernel poly, not of --kernel {kernel}.")
    if wanted.degree is not None and wanted.degree < 1:
        raise ValueError(f"--degree {wanted.degree} is out of range. Give at least 1.")
    settings: dict[str, Any] = {
        "kernel": kernel,
        "C": cost_of(wanted, classes),
        "gamma": _gamma(wanted.gamma),
        "degree": 3 if wanted.degree is None else wanted.degree,
        "n_jobs": asked.threads,
    }
    return make_pipeline(ToNumbers(), SVC(**settings) if classes else SVR(**settings))


def cost_of(wanted: Wanted, classes: bool) -> float:
    cost = 1.0 if wanted.cost is None else wanted.cost
    if not cost > 0 or (np.isinf(cost) and not classes):
        hard = ", or inf for the hard margin" if classes else ""
        raise ValueError(f"--cost {cost:g} is out of range. Give a number above 0{hard}.")
    return cost


def _gamma(typed: str | None) -> float | str:
    if typed is None or typed in ("scale", "auto"):
        return typed or "scale"
    try:
        gamma = float(typed)
    except ValueError:
        gamma = -1.0
    if not 0 <= gamma < np.inf:
        raise ValueError(f"--gamma {typed!r} is unknown. Give a number of at least 0, scale or auto.")
    return gamma


def facts(fitted: Any) -> list[tuple[str, str]]:
    """What its file would say."""
    from hedgerow.estimators.saving import extract_state
    from hedgerow.store import describe_state

    return [*describe_state(extract_state(fitted)), ("cost", f"{fitted[-1].C:g}")]


def importances(fitted: Any) -> list[tuple[str, float]]:
    return []
