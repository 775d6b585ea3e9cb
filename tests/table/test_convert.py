from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hedgerow.table import to_table

from .same import assert_same


def test_a_table_is_a_table() -> None:
    table = to_table(np.zeros((7, 3)))
    assert to_table(table) is table


def test_paths(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a,b\n1,x\n2,y\n")
    table = to_table({"a": [1, 2], "b": ["x", "y"]})
    assert_same(to_table(file), table)
    assert_same(to_table(str(file)), table)


def test_series() -> None:
    with pytest.raises(ValueError, match=r"Expected 2D array, got 1D array instead.*to_frame\(\)"):
        to_table(pl.Series([1, 2]))
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=r"Expected 2D array, got 1D array instead.*to_frame\(\)"):
        to_table(pd.Series([1, 2]))


class ArrayLike:
    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return self.array


def test_anything_that_is_an_array() -> None:
    block = np.arange(21.0).reshape(7, 3)
    assert_same(to_table(ArrayLike(block)), to_table(block))


@pytest.mark.parametrize("data", [5, None, {1, 2}, (row for row in [[1]]), object(), 1.5, True])
def test_what_is_no_table(data: object) -> None:
    with pytest.raises(TypeError, match=r"is not a table.*list\(X\)"):
        to_table(data)
