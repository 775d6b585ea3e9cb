"""The target and the weights, as grow reads them.   In: one value a row, as an array.   Out: Classes or Numbers.

What scikit-learn's estimators demand besides (of lists, frames, columns) is checked in estimators/targets.py.
"""

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core.criteria import NON_NEGATIVE_CRITERIA
from hedgerow.errors import ParameterError, Setting
from hedgerow.gradient.sums import round_limbs, sum_limbs
from hedgerow.grow import Classes, Numbers
from hedgerow.table.cells import is_missing
from hedgerow.types import Float, Index


def encode_classes(
    y: NDArray[Any], weight: Float | None, class_weight: Any = None
) -> tuple[Classes, NDArray[Any]]:
    """The target as class numbers, and the classes, in order."""
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y})
        raise TypeError(
            f"y mixes labels of types {', '.join(kinds)}, which have no order. Make them all text or all numbers."
        ) from None
    return weigh_classes(codes.reshape(-1).astype(np.int32), classes, weight, class_weight), classes


def weigh_classes(codes: Index, classes: NDArray[Any], weight: Float | None, class_weight: Any) -> Classes:
    """Class numbers with the weights of the rows, times those of their classes."""
    if class_weight is not None:
        by_class = compute_class_weights(class_weight, classes, codes, weight)[codes]
        weight = by_class if weight is None else weight * by_class
    return Classes(codes, len(classes), weight)


def encode_numbers(values: Float, weight: Float | None, criterion: str = "") -> Numbers:
    if criterion in NON_NEGATIVE_CRITERIA and (values.min() < 0 or values.sum() <= 0):
        wrong = (
            "Some value(s) of y are negative which is not allowed for Poisson regression."
            if values.min() < 0
            else "Sum of y is not strictly positive which is necessary for Poisson regression."
        )
        raise ParameterError(
            f"{{criterion}} is for counts, but y has the minimum {values.min():g} and the sum {values.sum():g}. "
            f"{wrong} Use {{}} otherwise.",
            Setting("criterion", "squared_error"),
            criterion=criterion,
        )
    return Numbers(np.ascontiguousarray(values, np.float64), weight)


def check_sample_weight(sample_weight: Any, n_rows: int) -> Float | None:
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight, np.float64)
    if weight.ndim == 0 and isinstance(sample_weight, np.ndarray):
        raise TypeError(
            f"Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, got scalar `{weight!r}` instead. "
            "Give one weight a row, or a plain number for all."
        )
    if weight.ndim == 0:
        weight = np.full(n_rows, float(weight))
    if weight.ndim != 1:
        raise ValueError(f"sample_weight must be 1D array or scalar, but its shape is {weight.shape}.")
    if len(weight) != n_rows:
        raise ValueError(
            f"sample_weight.shape == {weight.shape}, expected {(n_rows,)}: it has {len(weight)} entries, but X has "
            f"{n_rows} rows. Give one weight a row."
        )
    if not np.isfinite(weight).all():
        row = int(np.flatnonzero(~np.isfinite(weight))[0])
        raise ValueError(f"sample_weight holds {weight[row]} in row {row}. Weights must be finite.")
    if weight.min() < 0:
        row = int(np.argmin(weight))
        raise ValueError(
            f"sample_weight holds {weight[row]} in row {row}. Negative weights have no meaning here; 0 drops a row."
        )
    if weight.max() == 0:
        raise ValueError("sample_weight is zero in every row, so that no row is left to learn from.")
    return np.ascontiguousarray(weight)


def refuse_missing(y: NDArray[Any]) -> None:
    if y.dtype.kind == "f":
        missing = ~np.isfinite(y)
    elif y.dtype.kind == "O":
        missing = np.array([is_missing(cell) for cell in y], bool)
    else:
        return
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        what = "infinity" if y.dtype.kind == "f" and np.isinf(y[row]) else "NaN"
        raise ValueError(
            f"Input y contains {what}: {int(missing.sum())} of {len(y)} targets, the first in row {row}. "
            "Drop the rows whose target is missing."
        )


def compute_class_weights(
    given: Any, classes: NDArray[Any], codes: NDArray[Any], weight: Float | None
) -> Float:
    """One weight a class. "balanced" makes all classes weigh the same, rows counted by their weight."""
    if given is None:
        return np.ones(len(classes))
    if isinstance(given, dict):
        unknown = [key for key in given if key not in classes.tolist()]
        if unknown:
            raise ValueError(
                f"class_weight names {unknown[0]!r}, which is no class. Classes: {classes.tolist()}."
            )
        weights = [given.get(label, 1.0) for label in classes.tolist()]
        if not all(isinstance(w, Real) and 0 <= float(w) < np.inf for w in weights) or not any(weights):
            raise ValueError(
                f"class_weight={given!r} must hold finite weights of 0 or more, and not only zeros."
            )
        return np.array(weights, np.float64)
    if given != "balanced":
        raise ValueError(f"class_weight={given!r} is unknown. Give a dict by class, 'balanced' or None.")
    total = _weigh_classes(codes.reshape(-1), weight, len(classes))
    return np.where(total > 0, total.sum() / (len(classes) * np.maximum(total, np.finfo(float).tiny)), 1.0)


def _weigh_classes(codes: NDArray[Any], weight: Float | None, n_classes: int) -> Float:
    """The same in whatever order the rows are."""
    if weight is None:
        return np.bincount(codes, minlength=n_classes).astype(np.float64)
    return np.array([round_limbs(sum_limbs(weight[codes == k])) for k in range(n_classes)])
