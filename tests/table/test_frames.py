import datetime
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.table import to_table

from .same import assert_same, cells, check_well_formed

CELL = {
    "number": st.none() | st.floats(-10, 10),
    "integer": st.none() | st.integers(-100, 100),
    "boolean": st.none() | st.booleans(),
    "category": st.none() | st.text(max_size=3),
}


@st.composite
def columns(draw: st.DrawFn) -> dict[str, list[Any]]:
    n_rows = draw(st.integers(1, 7))
    kinds = draw(st.lists(st.sampled_from(sorted(CELL)), min_size=1, max_size=5))
    lists = [draw(st.lists(CELL[kind], min_size=n_rows, max_size=n_rows)) for kind in kinds]
    return {f"{kind} {j}": cells for j, (kind, cells) in enumerate(zip(kinds, lists, strict=True))}


@given(columns())
def test_every_carrier_gives_the_same_table(data: dict[str, list[Any]]) -> None:
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    table = to_table(data)
    check_well_formed(table)
    assert_same(to_table(pl.DataFrame(data)), table)
    assert_same(to_table(pd.DataFrame(data)), table)
    assert_same(to_table(pd.DataFrame(data).convert_dtypes()), table)
    assert_same(to_table(pa.table(data)), table)
    assert_same(to_table(nw.from_native(pl.DataFrame(data))), table)
    assert_same(
        to_table([dict(zip(data, row, strict=True)) for row in zip(*data.values(), strict=True)]), table
    )


def test_pandas_nullable_types() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "i": pd.array([1, None, 3], dtype="Int64"),
            "f": pd.array([1.5, None, 2.5], dtype="Float32"),
            "b": pd.array([True, None, False], dtype="boolean"),
            "s": pd.array(["x", None, "y"], dtype="string"),
            "u": np.array([1, 2, 3], np.uint8),
            "n": [None, None, None],
        }
    )
    table = to_table(frame)
    kinds = ["number", "number", "boolean", "category", "number", "number"]
    assert [column.kind for column in table.columns] == kinds
    assert cells(table.column("i")) == [1.0, None, 3.0]
    assert cells(table.column("f")) == [1.5, None, 2.5]
    assert table.column("f").values.dtype == np.float32
    assert cells(table.column("b")) == [True, None, False]
    assert cells(table.column("n")) == [None, None, None]


def test_pandas_around_arrow() -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"i": [1, None], "s": ["a", None], "b": [True, None]}).convert_dtypes(
        dtype_backend="pyarrow"
    )
    assert [cells(column) for column in to_table(frame).columns] == [[1.0, None], ["a", None], [True, None]]


def test_pandas_objects() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1, "x"]}, dtype=object)
    with pytest.raises(TypeError, match="'a' mixes text and numbers"):
        to_table(frame)


def test_polars_types() -> None:
    frame = pl.DataFrame(
        {
            "i": pl.Series([1, None], dtype=pl.Int8),
            "f": pl.Series([1.5, None], dtype=pl.Float32),
            "wide": pl.Series([2**70, None], dtype=pl.Int128),
            "exact": pl.Series([1, None]).cast(pl.Decimal(10, 2)),
            "none": [None, None],
            "object": pl.Series([1, None], dtype=pl.Object),
        }
    )
    table = to_table(frame)
    assert {column.kind for column in table.columns} == {"number"}
    assert cells(table.column("wide")) == [float(2**70), None]
    assert cells(table.column("exact")) == [1.0, None]
    assert cells(table.column("object")) == [1.0, None]
    assert table.column("f").values.dtype == np.float32


def test_arrow_types() -> None:
    pa = pytest.importorskip("pyarrow")
    arrow = pa.table(
        {
            "i": pa.array([1, None], pa.int8()),
            "f": pa.array([1.5, None], pa.float32()),
            "exact": pa.array([1, None]).cast(pa.decimal128(24, 2)),
            "none": pa.nulls(2),
        }
    )
    table = to_table(arrow)
    assert [cells(column) for column in table.columns] == [
        [1.0, None],
        [1.5, None],
        [1.0, None],
        [None, None],
    ]
    assert table.column("f").values.dtype == np.float32


def test_an_arrow_stream_of_any_kind() -> None:
    pa = pytest.importorskip("pyarrow")
    table = to_table(pa.RecordBatch.from_pydict({"a": [1, None], "b": ["x", "y"]}))
    assert_same(table, to_table({"a": [1, None], "b": ["x", "y"]}))


def test_names_that_are_no_text_are_no_names() -> None:
    pd = pytest.importorskip("pandas")
    table = to_table(pd.DataFrame(np.zeros((7, 3))))
    assert table.names == ("0", "1", "2")
    assert not table.named


def test_mixed_names() -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match=r"string names, but your input has \['int', 'str'\]"):
        to_table(pd.DataFrame(np.zeros((7, 2)), columns=["a", 1]))


def test_names_twice() -> None:
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        to_table(pd.DataFrame(np.zeros((7, 2)), columns=["a", "a"]))
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        to_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]))


@pytest.mark.parametrize("lazy", [pl.LazyFrame({"a": [1]}), nw.from_native(pl.LazyFrame({"a": [1]}))])
def test_lazy_frames_are_collected(lazy: object) -> None:
    assert to_table(lazy).names == ("a",)


def test_duckdb_relations() -> None:
    duckdb = pytest.importorskip("duckdb")
    table = to_table(duckdb.sql("select * from (values (1, 2.5, 'x'), (3, null, 'y')) as t(a, b, c)"))
    assert table.names == ("a", "b", "c")
    assert [column.kind for column in table.columns] == ["number", "number", "category"]


def test_empty_frames() -> None:
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 1\)\)"):
        to_table(pl.DataFrame({"a": []}))
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=r"0 feature\(s\) \(shape=\(7, 0\)\)"):
        to_table(pd.DataFrame(index=range(7)))


@pytest.mark.parametrize(
    "cell",
    [datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2), datetime.timedelta(1), datetime.time(3)],
)
def test_times(cell: object) -> None:
    with pytest.raises(TypeError, match=r"Column 'when' holds dates, times or durations"):
        to_table(pl.DataFrame({"when": [cell]}))


@pytest.mark.parametrize("cell", [[1, 2], {"a": 1}, b"raw"])
def test_nested_and_binary(cell: object) -> None:
    with pytest.raises(TypeError, match=r"Column 'c' holds (List|Struct|Binary)"):
        to_table(pl.DataFrame({"c": [cell]}))
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match=r"Column 'c' holds (list|struct|binary)"):
        to_table(pa.table({"c": [cell]}))


def test_strange_pandas_columns() -> None:
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="Complex data not supported: column 'c'"):
        to_table(pd.DataFrame({"c": [1j, 2]}))
    with pytest.raises(TypeError, match="'c' holds dates"):
        to_table(pd.DataFrame({"c": pd.period_range("2024", periods=3)}))
    with pytest.raises(TypeError, match=r"Sparse.*to_dense"):
        to_table(pd.DataFrame({"c": pd.arrays.SparseArray([0, 1])}))
    with pytest.raises(TypeError, match="'c' holds interval"):
        to_table(pd.DataFrame({"c": pd.interval_range(0, 3)}))


def test_infinity() -> None:
    with pytest.raises(ValueError, match="'b' holds -inf in row 1"):
        to_table(pl.DataFrame({"a": [1.0, 2.0], "b": [None, -np.inf]}))
