"""The target and the weights, checked.   In: y and sample_weight as the caller has them.   Out: what grow reads."""

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from hedgerow.grow import Classes, Numbers
from hedgerow.table.cells import is_missing
from hedgerow.types import Float


def classes_of(
    name: str, y: Any, n_rows: int, weight: Float | None, class_weight: Any
) -> tuple[Classes, NDArray[Any]]:
    """The target as class numbers, and the classes."""
    y = _one_column(name, y, n_rows, None)
    try:
        if y.dtype.kind not in "iub":
            check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y})
        raise TypeError(
            f"y mixes labels of types {', '.join(kinds)}, which have no order. Make them all text or all numbers."
        ) from None
    if class_weight is not None:
        by_class = class_weights(class_weight, classes, codes, weight)[codes]
        weight = by_class if weight is None else weight * by_class
    return Classes(codes.reshape(-1).astype(np.int32), len(classes), weight), classes


def numbers_of(name: str, y: Any, n_rows: int, weight: Float | None, criterion: str) -> Numbers:
    values = _one_column(name, y, n_rows, np.float64)
    if criterion == "poisson" and (values.min() < 0 or values.sum() <= 0):
        raise ValueError(
            f"criterion='poisson' is for counts, but y has the minimum {values.min():g} and the sum {values.sum():g}. "
            "Wanted: no negative value and a positive sum. Use criterion='squared_error' otherwise."
        )
    return Numbers(np.ascontiguousarray(values, np.float64), weight)


def weight_of(sample_weight: Any, n_rows: int) -> Float | None:
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight, np.float64)
    if weight.ndim == 0:
        weight = np.full(n_rows, float(weight))
    if weight.ndim != 1:
        raise ValueError(f"sample_weight must be 1D array or scalar, but its shape is {weight.shape}.")
    if len(weight) != n_rows:
        raise ValueError(
            f"sample_weight has {len(weight)} entries, but X has {n_rows} rows. Give one weight a row."
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


def _one_column(name: str, y: Any, n_rows: int, dtype: Any) -> NDArray[Any]:
    if y is None:
        raise ValueError(f"{name} requires y to be passed, but the target y is None.")
    if dtype is None and type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iub" and len(y) == n_rows:
        return y  # nothing to find fault with; the checks below take longer than growing a small tree
    if isinstance(y, str):
        raise ValueError(
            f"y={y!r} is a text; wanted the target itself, one entry a row. For a column of a frame: y=frame[{y!r}]."
        )
    if dtype is not None:
        _refuse_text(name, y)
    y = check_array(
        y,
        ensure_2d=False,
        dtype=dtype,
        input_name="y",
        ensure_all_finite=False,
        ensure_min_samples=0,
    )
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f"y has {y.shape[1]} columns, but {name} learns one target. Fit one model for each column."
        )
    y = column_or_1d(y, warn=True)
    if len(y) != n_rows:
        raise ValueError(f"y has {len(y)} entries, but X has {n_rows} rows. Give one target a row.")
    _refuse_missing(y)
    return y  # type: ignore[no-any-return]


def _refuse_text(name: str, y: Any) -> None:
    cells = np.asarray(y)
    text = next((c for c in cells.flat if isinstance(c, str)), None) if cells.dtype.kind in "USO" else None
    if text is not None:
        raise ValueError(
            f"y holds text such as {str(text)!r}, but {name} learns numbers. For classes use a classifier; for numbers "
            "written as text, convert them: y.astype(float)."
        )


def _refuse_missing(y: NDArray[Any]) -> None:
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


def class_weights(given: Any, classes: NDArray[Any], codes: NDArray[Any], weight: Float | None) -> Float:
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
    mass = np.bincount(codes.reshape(-1), weight, minlength=len(classes))
    return np.where(mass > 0, mass.sum() / (len(classes) * np.maximum(mass, np.finfo(float).tiny)), 1.0)
