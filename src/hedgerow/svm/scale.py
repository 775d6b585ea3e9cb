"""Columns brought to one scale.   In: a matrix (dense or CSR) and weights.   Out: a Scale that makes the SVM's
columns and maps its coefficients back; words of warning when columns differ wildly.

A margin is a length, so an SVM favours columns of large numbers. How an estimator uses this file:

    warn_if_uneven(X, names)                     # standardize=False: says which columns, and the way out
    scale = scale_of(X, weight)                  # standardize=True
    Z = scale.apply(X)                           # fit on Z, predict on scale.apply(new rows)
    coef, intercept = scale.back(coef, intercept)    # linear SVMs: coefficients for the columns as they came

Dense columns get mean 0 and deviation 1. Sparse ones are divided only: subtracting a mean would fill the zeros.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.types import Float

WILD = 1000.0  # a ratio of column ranges above which a warning is due
SAMPLE = 2000  # rows looked at for the warning


class ScaleWarning(UserWarning):
    """Columns differ so much in scale that the SVM sees little but the largest."""


@dataclass(frozen=True)
class Scale:
    """column -> (column - centre) / spread"""

    centre: Float | None  # None: sparse, not centred
    spread: Float  # 1 for a constant column

    def apply(self, X: Any) -> Any:
        if self.centre is None:
            scaled = X.copy()
            scaled.data = X.data / self.spread[X.indices]
            return scaled
        return (X - self.centre) / self.spread

    def undo(self, X: Any) -> Any:
        """The inverse of apply."""
        if self.centre is None:
            original = X.copy()
            original.data = X.data * self.spread[X.indices]
            return original
        return X * self.spread + self.centre

    def back(self, coef: Float, intercept: Float) -> tuple[Float, Float]:
        """Coefficients (models x columns) and intercepts of the scaled columns -> those of the columns as they
        came."""
        coef = coef / self.spread
        if self.centre is not None:
            intercept = intercept - coef @ self.centre
        return coef, intercept


def scale_of(X: Any, weight: Float | None = None) -> Scale:
    """Mean and deviation of each column; a row counts by its weight."""
    weight = np.ones(X.shape[0]) if weight is None else weight
    total = weight.sum()
    if isinstance(X, np.ndarray):
        size = np.abs(X).max(axis=0, initial=0.0)  # 1e300 squared is no number
        size[size == 0] = 1.0
        share = weight / total
        unit = X / size
        mean = share @ unit
        spread = np.sqrt(share @ (unit - mean) ** 2)
        spread[spread <= 1e-12] = 0.0  # constant but for rounding
        return Scale(mean * size, _positive(spread * size))
    data, columns = X.data, X.indices
    heavy = np.repeat(weight, np.diff(X.indptr)) / total
    size = _largest(X)
    size[size == 0] = 1.0
    unit = data / size[columns]
    mean = np.bincount(columns, heavy * unit, minlength=X.shape[1])
    square = np.bincount(columns, heavy * unit**2, minlength=X.shape[1])
    spread = np.sqrt(np.maximum(square - mean**2, 0.0))
    spread[spread <= 1e-7] = 0.0
    return Scale(None, _positive(spread * size))


def uneven(X: Any, names: Sequence[str] | None = None) -> str | None:
    """None, or words that name the columns of largest and smallest range when these differ wildly.

    Ranges are those of up to 2,000 rows evenly spaced; of a sparse column, its largest absolute value. Columns that do
    not vary there are left out."""
    step = max(1, X.shape[0] // SAMPLE)
    if isinstance(X, np.ndarray):
        rows = X[::step] * 0.5  # halves: the range of +-1e308 is a number
        extent = (
            rows.max(axis=0, initial=-np.inf) - rows.min(axis=0, initial=np.inf) if rows.size else np.zeros(0)
        )
    else:
        extent = _largest(X[::step])
    varying = np.flatnonzero(extent > 0)
    if len(varying) < 2:
        return None
    large = int(varying[np.argmax(extent[varying])])
    small = int(varying[np.argmin(extent[varying])])
    with np.errstate(over="ignore"):
        ratio = extent[large] / extent[small]
    if ratio <= WILD:
        return None
    many = int((extent[varying] < extent[large] / WILD).sum())

    def name(column: int) -> str:
        return repr(str(names[column])) if names is not None else f"column {column}"

    return (
        f"Column scales differ by a factor of {ratio:.2g}: {name(large)} spans {many} column{'s'[: many > 1]} (such as "
        f"{name(small)}) more than {WILD:,.0f} times over, and a margin is measured mostly along it. "
        "Use standardize=True, or scale the columns first."
    )


def warn_if_uneven(X: Any, names: Sequence[str] | None = None) -> None:
    words = uneven(X, names)
    if words:
        warnings.warn(words, ScaleWarning, stacklevel=3)


def _positive(spread: Float) -> Float:
    return np.where(spread > 0, spread, 1.0)


def _largest(X: Any) -> Float:
    """The largest absolute value of each sparse column."""
    largest = np.zeros(X.shape[1])
    np.maximum.at(largest, X.indices, np.abs(X.data))
    return largest
