"""y, checked as scikit-learn's estimators demand it.   In: y as the caller has it.   Out: what grow reads."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from hedgerow.fitting.target import encode_classes, encode_numbers, refuse_missing, weigh_classes
from hedgerow.grow import Classes, Numbers
from hedgerow.types import Float, Index
from hedgerow.words import quote

PLAIN = "iubU"  # kinds of arrays that hold classes and nothing else: whole numbers, booleans, texts


@dataclass(frozen=True, eq=False)
class Labels:
    """y as a stream has it: checked while it was read."""

    codes: Index
    classes: NDArray[Any]


def check_classes(
    name: str, y: Any, n_rows: int, weight: Float | None, class_weight: Any
) -> tuple[Classes, NDArray[Any]]:
    """The target as class numbers, and the classes. `name`: of the estimator, for errors."""
    if isinstance(y, Labels):
        return weigh_classes(y.codes, y.classes, weight, class_weight), y.classes
    y = _one_column(name, y, n_rows, None)
    if y.dtype.kind not in PLAIN:
        with (
            suppress(TypeError),
            np.errstate(invalid="ignore"),
        ):  # numbers too large for int64; labels without an order, which encode_classes explains
            check_classification_targets(y)
    return encode_classes(y, weight, class_weight)


def check_numbers(name: str, y: Any, n_rows: int, weight: Float | None, criterion: str) -> Numbers:
    values = _one_column(name, y, n_rows, np.float64)
    if values.size and max(values.max(), -values.min()) >= 2**53:
        _refuse_rounded(y, values)
    return encode_numbers(values, weight, criterion)


def _refuse_rounded(y: Any, values: Float) -> None:
    """Whole numbers that a float64 does not hold would be other targets than those given."""
    given = np.asarray(y).reshape(-1)
    if given.dtype.kind not in "iu":
        return
    for number, value in zip(given.tolist(), values.tolist(), strict=True):
        if number != int(value):
            raise ValueError(
                f"y holds the whole number {number}, which a float64 cannot hold (it would become {int(value)}). "
                "Subtract an offset or divide y, or pass y.astype(float) if rounding is meant."
            )


def codes_of(classes: NDArray[Any], y: Any, n_rows: int) -> Index:
    """Class numbers of labels that were there in training."""
    labels = np.asarray(y).reshape(-1)
    if len(labels) != n_rows:
        raise ValueError(f"y has {len(labels)} entries, but X has {n_rows} rows. Give one target a row.")
    place = {label: k for k, label in enumerate(classes.tolist())}
    codes = [place.get(label, -1) for label in labels.tolist()]
    if -1 in codes:
        other = labels.tolist()[codes.index(-1)]
        raise ValueError(f"y holds {quote(other)}, which is no class. Classes: {classes.tolist()}.")
    return np.array(codes, np.int32)


def _one_column(name: str, y: Any, n_rows: int, dtype: Any) -> NDArray[Any]:
    if y is None:
        raise ValueError(f"{name} requires y to be passed, but the target y is None.")
    if type(y) is np.ndarray and y.ndim == 1 and len(y) == n_rows:
        # nothing to find fault with; the checks below take longer than growing a small tree
        if dtype is None and y.dtype.kind in PLAIN:
            return y
        if dtype is not None and y.dtype == dtype and np.isfinite(y).all():
            return y
    if isinstance(y, str):
        raise ValueError(
            f"y={y!r} is a text; wanted the target itself, one entry a row. For a column of a frame: y=frame[{y!r}]."
        )
    if type(y).__module__.partition(".")[0] == "polars":  # labels as objects, as those of pandas
        y = y.to_numpy()
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
    refuse_missing(y)
    return y  # type: ignore[no-any-return]


def _refuse_text(name: str, y: Any) -> None:
    cells = np.asarray(y)
    text = next((c for c in cells.flat if isinstance(c, str)), None) if cells.dtype.kind in "USO" else None
    if text is not None:
        raise ValueError(
            f"y holds text such as {str(text)!r}, but {name} learns numbers. For classes use a classifier; for numbers "
            "written as text, convert them: y.astype(float)."
        )
