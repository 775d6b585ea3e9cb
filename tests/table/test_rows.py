import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.table import to_table

from .same import assert_same, cells, check_well_formed


def test_lists() -> None:
    table = to_table([[1, "a", True], [2.5, None, None], [None, "b", False]])
    assert [column.kind for column in table.columns] == ["number", "category", "boolean"]
    assert cells(table.columns[1]) == ["a", None, "b"]
    assert table.names == ("x0", "x1", "x2")
    assert not table.named


def test_tuples_and_arrays_as_rows() -> None:
    rows = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)]
    assert_same(to_table(rows), to_table([np.array(row) for row in rows]))
    assert_same(to_table(tuple(rows)), to_table(np.array(rows)))


@given(st.lists(st.tuples(st.none() | st.integers(-5, 5), st.none() | st.text(max_size=2)), min_size=1))
def test_rows_come_back(rows: list[tuple[int | None, str | None]]) -> None:
    table = to_table(rows)
    check_well_formed(table)
    assert [tuple(row) for row in zip(*map(cells, table.columns), strict=True)] == rows


def test_ragged() -> None:
    with pytest.raises(ValueError, match="row 0 has 2 cells and row 1 has 3"):
        to_table([[1, 2], [1, 2, 3]])


@pytest.mark.parametrize("data", [[1, 2, 3], ["a", "b"], (1.0,), [None], [{1, 2}]])
def test_one_dimension(data: list[object]) -> None:
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead"):
        to_table(data)


def test_a_row_that_is_none() -> None:
    with pytest.raises(ValueError, match="Row 1 is 5, not a row of cells"):
        to_table([[1, 2], 5])


def test_three_dimensions() -> None:
    with pytest.raises(TypeError, match=r"argument must be .* string.* number"):
        to_table([[[1], [2]], [[3], [4]]])


@pytest.mark.parametrize("data", [[], ()])
def test_no_rows(data: object) -> None:
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        to_table(data)


@pytest.mark.parametrize("data", [[[], []], [{}, {}]])
def test_no_columns(data: object) -> None:
    with pytest.raises(ValueError, match=r"0 feature\(s\) \(shape=\(2, 0\)\)"):
        to_table(data)


def test_dicts() -> None:
    table = to_table([{"age": 3, "sex": "f"}, {"sex": "m", "fare": 2.5}])
    assert table.names == ("age", "sex", "fare")
    assert table.named
    assert [cells(column) for column in table.columns] == [[3.0, None], ["f", "m"], [None, 2.5]]


def test_dicts_and_lists_mixed() -> None:
    with pytest.raises(TypeError, match=r"Some rows are dicts, but row 1 is \[1\]"):
        to_table([{"a": 1}, [1]])


def test_dict_of_columns() -> None:
    table = to_table({"a": [1, None], "b": np.array([1.5, 2.5], np.float32), "c": ("x", "y"), "d": range(2)})
    assert table.named
    assert [column.kind for column in table.columns] == ["number", "number", "category", "number"]
    assert table.column("b").values.dtype == np.float32


def test_dict_columns_of_floats_are_views() -> None:
    array = np.arange(7.0)
    assert np.shares_memory(to_table({"a": array}).columns[0].values, array)


def test_dict_of_series() -> None:
    pl = pytest.importorskip("polars")
    table = to_table({"a": pl.Series([1, None]), "b": pl.Series(["x", "y"])})
    assert [cells(column) for column in table.columns] == [[1.0, None], ["x", "y"]]


def test_dict_lengths() -> None:
    with pytest.raises(ValueError, match="'a' has 2 cells and 'b' has 3"):
        to_table({"a": [1, 2], "b": np.zeros(3)})


@pytest.mark.parametrize("values", [5, "abc", np.zeros((2, 2)), {"k": 1}, np.zeros(2, [("f", int)])])
def test_dict_column_that_is_none(values: object) -> None:
    with pytest.raises(TypeError, match=r"Column 'a' is .*Expected: a list"):
        to_table({"a": values})


def test_dict_names() -> None:
    assert not to_table({0: [1], 1: [2]}).named
    with pytest.raises(TypeError, match="string names"):
        to_table({"a": [1], 1: [2]})


def test_empty_dicts() -> None:
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 0\)\)"):
        to_table({})
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 2\)\)"):
        to_table({"a": [], "b": np.array([])})
