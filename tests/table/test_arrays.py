import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hedgerow.table import to_table

from .same import assert_same, cells, check_well_formed

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)
FLOATS = hnp.arrays(np.float64, SHAPES, elements=st.floats(allow_infinity=False)) | hnp.arrays(
    np.float32, SHAPES, elements=st.floats(width=32, allow_infinity=False)
)


@given(FLOATS)
def test_floats_round_trip_as_views(array: np.ndarray) -> None:
    table = to_table(array)
    check_well_formed(table)
    assert not table.named
    assert table.names == tuple(f"x{j}" for j in range(array.shape[1]))
    for j, column in enumerate(table.columns):
        assert column.kind == "number"
        assert column.values.dtype == array.dtype
        assert np.shares_memory(column.values, array)
        np.testing.assert_array_equal(column.values, array[:, j])


@given(hnp.arrays(hnp.integer_dtypes() | hnp.unsigned_integer_dtypes(), SHAPES))
def test_integers_become_float64(array: np.ndarray) -> None:
    table = to_table(array)
    check_well_formed(table)
    for j, column in enumerate(table.columns):
        assert column.values.dtype == np.float64
        np.testing.assert_array_equal(column.values, array[:, j].astype(float))


@given(hnp.arrays(np.bool_, SHAPES))
def test_booleans(array: np.ndarray) -> None:
    table = to_table(array)
    assert {column.kind for column in table.columns} == {"boolean"}
    np.testing.assert_array_equal(np.column_stack([c.values for c in table.columns]), array.astype(float))


@given(hnp.arrays(np.dtype("U3"), SHAPES, elements=st.text("ab1", max_size=3)))
def test_text_is_category_even_when_it_reads_as_numbers(array: np.ndarray) -> None:
    table = to_table(array)
    check_well_formed(table)
    for j, column in enumerate(table.columns):
        assert cells(column) == array[:, j].tolist()
        assert list(column.levels) == sorted(set(array[:, j].tolist()))


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, ">f8", ">f4", ">i4"])
def test_other_numbers_become_float64(dtype: str) -> None:
    column = to_table(np.array([[1], [2]], dtype=dtype)).columns[0]
    assert column.values.dtype == np.float64
    assert column.values.tolist() == [1.0, 2.0]


def test_no_frame_library_is_imported() -> None:
    code = (
        "import sys, numpy; from hedgerow.table import to_table; to_table(numpy.zeros((7, 3)));"
        "sys.exit(bool({'narwhals', 'pandas', 'polars', 'pyarrow', 'scipy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_bytes_are_utf8_text() -> None:
    column = to_table(np.array([["é".encode()], [b"a"]])).columns[0]
    assert cells(column) == ["é", "a"]


def test_bytes_that_are_not_utf8() -> None:
    with pytest.raises(ValueError, match=r"'x0' holds bytes that are not UTF-8.*latin-1"):
        to_table(np.array([[b"\xff"]]))


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy 2")
def test_strings_of_variable_width() -> None:
    array = np.array([["b"], ["a"]], dtype=np.dtypes.StringDType())
    assert cells(to_table(array).columns[0]) == ["b", "a"]


def test_objects_are_read_column_by_column() -> None:
    table = to_table(np.array([[1, "a", True], [None, "b", False]], dtype=object))
    assert [column.kind for column in table.columns] == ["number", "category", "boolean"]


def test_object_cell_that_is_no_cell() -> None:
    array = np.random.default_rng(0).uniform(size=(7, 3)).astype(object)
    array[0, 0] = {"foo": "bar"}
    with pytest.raises(TypeError, match=r"argument must be .* string.* number.*'x0'.*row 0"):
        to_table(array)


def test_one_dimension() -> None:
    with pytest.raises(
        ValueError, match=r"Expected 2D array, got 1D array instead(.|\n)*array\.reshape\(-1, 1\)"
    ):
        to_table(np.zeros(7))


def test_no_dimension() -> None:
    with pytest.raises(ValueError, match="Expected 2D array, got scalar array instead"):
        to_table(np.float64(3))
    with pytest.raises(ValueError, match="Expected 2D array, got scalar array instead"):
        to_table(np.array(3.0))


def test_three_dimensions() -> None:
    with pytest.raises(ValueError, match=r"dim 3.*reshape\(len\(array\), -1\)"):
        to_table(np.zeros((7, 3, 2)))


@pytest.mark.parametrize("shape", [(7,), (7, 1)])
def test_structured(shape: tuple[int, ...]) -> None:
    with pytest.raises(TypeError, match=r"'a', 'b'.*pandas\.DataFrame\(array\)"):
        to_table(np.zeros(shape, dtype=[("a", float), ("b", int)]))


def test_no_rows_or_columns() -> None:
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 3\)\)"):
        to_table(np.empty((0, 3)))
    with pytest.raises(
        ValueError, match=r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required\."
    ):
        to_table(np.empty((12, 0)))


def test_complex() -> None:
    with pytest.raises(ValueError, match="Complex data not supported"):
        to_table(np.zeros((7, 3), complex))


@pytest.mark.parametrize("dtype", ["datetime64[D]", "timedelta64[s]"])
def test_times(dtype: str) -> None:
    with pytest.raises(TypeError, match=r"'x0' holds dates, times or durations"):
        to_table(np.zeros((7, 3), dtype))


def test_raw_bytes() -> None:
    with pytest.raises(TypeError, match=r"dtype \|V3"):
        to_table(np.zeros((7, 3), "V3"))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_infinity(dtype: type[np.floating]) -> None:
    array = np.zeros((7, 3), dtype)
    array[4, 2] = np.inf
    with pytest.raises(ValueError, match="'x2' holds inf in row 4"):
        to_table(array)


def test_a_long_double_that_a_float_cannot_hold() -> None:
    largest = np.finfo(np.longdouble).max
    if largest <= np.finfo(np.float64).max:
        pytest.skip("long doubles are doubles here")
    with pytest.raises(ValueError, match="infinity"):
        to_table(np.array([[largest]]))


def test_masked_cells_are_missing() -> None:
    mask = [[False, True], [False, False]]
    assert cells(to_table(np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=mask)).columns[1]) == [None, 4.0]
    assert cells(to_table(np.ma.array([[1, 2], [3, 4]], mask=mask)).columns[1]) == [None, 4.0]
    assert cells(to_table(np.ma.array([["a", "b"], ["c", "d"]], mask=mask)).columns[1]) == [None, "d"]
    assert to_table(np.ma.array([[1, 2], [3, 4]])).columns[1].values.tolist() == [2.0, 4.0]


def test_matrix_read_only_and_strided() -> None:
    block = np.arange(42.0).reshape(14, 3)
    plain = to_table(block)
    locked = block.copy()
    locked.setflags(write=False)
    assert_same(to_table(locked), plain)
    with pytest.raises(TypeError, match=r"np\.matrix is not supported.*numpy\.asarray"):
        to_table(block.view(np.matrix))
    assert_same(to_table(np.asfortranarray(block)), plain)
    assert_same(to_table(np.repeat(block, 2, axis=0)[::2]), plain)
