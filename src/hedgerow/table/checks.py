"""Checks every way in shares.   In: a size, names or numbers.   Out: nothing, or an error that names the
way out.

Sizes, mixed names and one-dimensional input are refused in scikit-learn's words: its estimator checks, and
the people who know them, look for those.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from hedgerow.types import FloatAny
from hedgerow.words import listing, quote

LARGEST = 1e140  # of a target: ten billion squares still add up


def check_size(n_rows: int, n_columns: int) -> None:
    for count, what in ((n_rows, "sample"), (n_columns, "feature")):
        if count == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape=({n_rows}, {n_columns})) while a minimum of 1 is "
                "required."
            )


def expected_2d(found: str, given: object) -> ValueError:
    return ValueError(
        f"Expected 2D array, got {found} instead:\narray={quote(given)}.\n"
        "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
        "or array.reshape(1, -1) if it contains a single sample."
    )


def made_up_names(n_columns: int) -> list[str]:
    return [f"x{j}" for j in range(n_columns)]


def text_names(raw: Sequence[object]) -> tuple[tuple[str, ...], bool]:
    """Names as text, and whether they are names: scikit-learn takes a frame whose names are all non-strings
    (0, 1, ...) as nameless, and refuses a mixture."""
    strings = [isinstance(name, str) for name in raw]
    if any(strings) and not all(strings):
        kinds = sorted({type(name).__qualname__ for name in raw})
        raise TypeError(
            "Feature names are only supported if all input features have string names, "
            f"but your input has {kinds} as feature name / column name types. "
            "Convert them all to strings, for example X.columns = X.columns.astype(str)."
        )
    names = tuple(str(name) for name in raw)
    check_unique(names)
    return names, all(strings)


def check_unique(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        twice = [name for name, count in Counter(names).items() if count > 1]
        raise ValueError(
            f"Column names must differ, but the input has more than one column named {listing(twice)}. "
            "Rename or drop the copies."
        )


def check_finite(values: FloatAny, names: Sequence[str]) -> None:
    """Refuse infinities in a column (1-D) or a block of columns (2-D).

    The sum of finite numbers is nearly always finite, and costs one pass and no memory; only when it is not
    (a NaN, an infinity, an overflow) are the cells looked at one by one.
    """
    with np.errstate(all="ignore"):
        if np.isfinite(np.add.reduce(values, axis=None)):
            return
    infinite = np.isinf(values)
    if infinite.any():
        row, column = np.argwhere(infinite.reshape(len(values), -1))[0]
        raise infinite_cell(names[column], int(row), float(values.reshape(len(values), -1)[row, column]))


def infinite_cell(name: str, row: int, value: float) -> ValueError:
    return ValueError(
        f"Input contains infinity: column {quote(name)} holds {value} in row {row} (rows counted from 0). "
        "Expected: finite numbers, with NaN for a missing cell. Ways out: numpy.where(numpy.isinf(X), "
        "numpy.nan, X) if it means missing, or numpy.clip(X, low, high) if it means very large."
    )


def refuse_too_large(values: FloatAny) -> None:
    """Squares and sums of the target must be numbers."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest > LARGEST:
        raise ValueError(
            f"The target holds numbers as large as {largest:g}, whose squares are beyond a 64-bit float. Expected: at "
            f"most {LARGEST:g}. Divide it by a power of ten, or take its logarithm."
        )
