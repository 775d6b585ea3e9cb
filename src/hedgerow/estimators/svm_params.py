"""SvmParams: the parameters of SVC and SVR, checked once.   And what linear SVMs check the same way."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.errors import check_choice
from hedgerow.fitting.target import check_sample_weight
from hedgerow.fitting.validate import is_real, whole
from hedgerow.svm.kernel import KERNELS
from hedgerow.svm.solution import SolverOptions
from hedgerow.types import Float


@dataclass(frozen=True)
class SvmParams:
    kernel: str | Callable[..., Any]
    C: float
    degree: int
    gamma: float | str  # a number, or what waits for the columns
    coef0: float
    options: SolverOptions
    standardize: bool


def validate_svm(estimator: Any) -> SvmParams:
    kernel = estimator.kernel
    if not callable(kernel):
        check_choice("kernel", kernel, KERNELS)
    return SvmParams(
        kernel=kernel,
        C=cost(estimator.C),
        degree=whole("degree", estimator.degree, 0),
        gamma=_gamma(estimator.gamma),
        coef0=_finite("coef0", estimator.coef0),
        options=SolverOptions(
            tol=positive("tol", estimator.tol, "a gap of gradients"),
            time_limit=time_limit(estimator.time_limit),
            max_iter=whole("max_iter", estimator.max_iter, -1),
            cache_bytes=int(positive("cache_size", estimator.cache_size, "megabytes") * 1e6),
        ),
        standardize=bool(estimator.standardize),
    )


def check_row_weight(sample_weight: Any, n_rows: int) -> Float | None:
    """Weights of 0 or less drop a row, as in scikit-learn."""
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight, np.float64)
    if not np.isnan(weight).any() and weight.max(initial=0.0) <= 0:
        raise ValueError(
            "Invalid input - all samples have zero or negative weights. No row is left to learn from."
        )
    return check_sample_weight(np.where(weight < 0, 0.0, weight), n_rows)


def refuse_one_class(classes: NDArray[Any], codes: NDArray[Any], by_row: Float) -> None:
    """`by_row`: the weight of each row, with its class's."""
    left = classes[np.unique(codes[by_row > 0])].tolist()
    if len(left) < 2 and len(left) < len(classes):
        raise ValueError(
            f"Invalid input - all samples with positive weights belong to the same class: {left[0]!r}. A margin needs "
            "two sides; weights of 0 or less drop a row."
        )
    if len(left) < 2:
        raise ValueError(
            f"The number of classes has to be greater than one; got 1 class: {left[0]!r}. A margin needs two sides."
        )
    if len(left) < len(classes):
        raise ValueError(
            f"Only the classes {left} have rows once rows of weight 0 are left out. Drop the other rows from X and y."
        )


def cost(given: Any) -> float:
    """C: above 0; infinite for the hard margin."""
    if is_real(given) and given > 0:
        return float(given)
    more = " With C=0 every row is ignored." if given == 0 else ""
    raise ValueError(f"C={given!r} is out of range.{more} Give a number above 0, or inf for the hard margin.")


def positive(name: str, given: Any, unit: str) -> float:
    if is_real(given) and 0 < given < np.inf:
        return float(given)
    raise ValueError(f"{name}={given!r} is out of range. Give a number above 0 ({unit}).")


def time_limit(given: Any) -> float | None:
    return None if given is None else positive("time_limit", given, "seconds")


def _finite(name: str, given: Any) -> float:
    if is_real(given) and np.isfinite(given):
        return float(given)
    raise ValueError(f"{name}={given!r} is no finite number.")


def _gamma(given: Any) -> float | str:
    if isinstance(given, str):
        return check_choice("gamma", given, ("scale", "auto"))
    if is_real(given) and 0 <= given < np.inf:
        return float(given)
    raise ValueError(f"gamma={given!r} is out of range. Give 'scale', 'auto' or a number of at least 0.")
