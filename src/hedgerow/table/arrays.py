"""NumPy arrays.   In: a 2-D array of any kind.   Out: a Table whose columns are views where the cells are
floats.

The float path is the one every fit and predict takes: no copy, no other library, one pass to look for
infinities. Whole blocks are converted at once, column after column in memory, so that later stages read each
column in one stretch.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.table.cells import from_cells
from hedgerow.table.checks import check_finite, check_size, expected_2d, made_up_names
from hedgerow.table.levels import found
from hedgerow.table.refuse import refuse_complex, refuse_matrix, refuse_structured, refuse_time
from hedgerow.table.table import Column, Table
from hedgerow.words import quote


def from_array(array: NDArray[Any]) -> Table:
    """Text arrays are categories throughout, even where every cell reads as a number: NumPy has already
    turned the numbers beside text into text, and only the caller knows which was meant."""
    _check_shape(array)
    names = made_up_names(array.shape[1])
    return Table(tuple(columns_of(array, names)), array.shape[0], named=False)


def columns_of(array: NDArray[Any], names: list[str]) -> list[Column]:
    """The columns of a checked 2-D array."""
    array = _plain(array)
    kind = array.dtype.kind
    if kind in "fiub":
        return _number_columns(array, names)
    if kind in "US":
        return [_text_column(name, array[:, j]) for j, name in enumerate(names)]
    if kind in "OT":  # T: NumPy's strings of variable width
        return [from_cells(name, array[:, j].tolist()) for j, name in enumerate(names)]
    raise _refused(array, names[0])


def _check_shape(array: NDArray[Any]) -> None:
    if isinstance(array, np.matrix):
        raise refuse_matrix()
    if array.dtype.names is not None:
        raise refuse_structured(array.dtype.names)
    if array.ndim < 2:
        raise expected_2d("scalar array" if array.ndim == 0 else "1D array", array)
    if array.ndim > 2:
        raise ValueError(
            f"Found array with dim {array.ndim}, while dim <= 2 is required (shape={array.shape}). "
            "Way out: array.reshape(len(array), -1), a row per sample."
        )
    check_size(*array.shape)


def _plain(array: Any) -> NDArray[Any]:
    """A plain ndarray: masked cells become missing."""
    if type(array) is np.ndarray or not isinstance(
        array, np.ma.MaskedArray
    ):  # plain ones without loading np.ma
        return np.asarray(array)
    if array.dtype.kind == "f":
        return np.asarray(array.filled(np.nan))
    if not np.ma.is_masked(array):
        return np.asarray(array.data)
    cells = np.array(array.data, dtype=object)
    cells[np.ma.getmaskarray(array)] = None
    return cells


def _number_columns(array: NDArray[Any], names: list[str]) -> list[Column]:
    block = floats(array)
    if array.dtype.kind == "b":
        return [Column(name, "boolean", block[:, j]) for j, name in enumerate(names)]
    if array.dtype.kind == "f":
        check_finite(block, names)
    return [Column(name, "number", block[:, j]) for j, name in enumerate(names)]


def floats(array: NDArray[Any]) -> NDArray[Any]:
    """float32 and float64 as they are; all else as float64 (integers beyond 2**53 are rounded)."""
    if array.dtype == np.float64 or array.dtype == np.float32:
        return array
    with np.errstate(over="ignore"):  # a long double may become an infinity, which is refused by name
        return array.astype(np.float64, order="F")


def _text_column(name: str, cells: NDArray[Any]) -> Column:
    if cells.dtype.kind == "S":
        cells = _decoded(name, cells)
    levels, codes = np.unique(cells, return_inverse=True)
    return found(name, levels.tolist(), codes.reshape(-1))


def _decoded(name: str, cells: NDArray[Any]) -> NDArray[Any]:
    try:
        return np.char.decode(cells, "utf-8")
    except UnicodeDecodeError as reason:
        raise ValueError(
            f"Column {quote(name)} holds bytes that are not UTF-8 text ({reason.reason}). "
            "Way out: numpy.char.decode(X, 'latin-1'), or the encoding the text was written in."
        ) from None


def _refused(array: NDArray[Any], name: str) -> Exception:
    if array.dtype.kind == "c":
        return refuse_complex(name)
    if array.dtype.kind in "mM":
        return refuse_time(name, str(array.dtype))
    return TypeError(
        f"An array of dtype {array.dtype} was passed. Expected: numbers, booleans, text or objects. "
        "Way out: array.astype(float), if its cells are numbers."
    )
