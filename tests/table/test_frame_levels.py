"""Text and categoricals of each library: the same levels, the same codes."""

import os
import signal

import polars as pl
import pytest

from hedgerow.table import to_table

from .same import assert_same, cells

TEXT = ["m", None, "f", "é", "m", ""]


def test_text_levels_are_sorted_everywhere() -> None:
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    table = to_table({"c": TEXT})
    assert table.columns[0].levels == ("", "f", "m", "é")
    carriers = [
        pl.DataFrame({"c": TEXT}),
        pl.DataFrame({"c": pl.Series(TEXT, dtype=pl.Categorical)}),
        pd.DataFrame({"c": TEXT}),
        pd.DataFrame({"c": pd.Series(TEXT, dtype=object)}),
        pd.DataFrame({"c": pd.Series(TEXT, dtype="string")}),
        pd.DataFrame({"c": pd.Series(TEXT, dtype="category")}),
        pa.table({"c": pa.array(TEXT)}),
        pa.table({"c": pa.array(TEXT, pa.large_string())}),
        pa.table({"c": pa.array(TEXT, pa.string_view())}),
        pa.table({"c": pa.chunked_array([TEXT[:2], TEXT[2:]])}),
    ]
    for carrier in carriers:
        assert_same(to_table(carrier), table)


def test_polars_enum_keeps_declared_levels() -> None:
    series = pl.Series(["large", None, "small"], dtype=pl.Enum(["small", "large", "huge"]))
    column = to_table(pl.DataFrame({"c": series})).columns[0]
    assert column.levels == ("small", "large", "huge")
    assert cells(column) == ["large", None, "small"]


def test_polars_categorical_knows_only_its_own_levels() -> None:
    pl.Series(["other", "words"], dtype=pl.Categorical)
    column = to_table(pl.DataFrame({"c": pl.Series(["b", "a"], dtype=pl.Categorical)})).columns[0]
    assert column.levels == ("a", "b")


def test_pandas_categorical_keeps_declared_levels() -> None:
    pd = pytest.importorskip("pandas")
    for ordered in (True, False):
        values = pd.Categorical(
            ["large", None, "small"], categories=["small", "large", "huge"], ordered=ordered
        )
        column = to_table(pd.DataFrame({"c": values})).columns[0]
        assert column.levels == ("small", "large", "huge")
        assert cells(column) == ["large", None, "small"]


@pytest.mark.parametrize("levels", [[3, 1, 20], [3.0, 1.0, 20.0]])
def test_numeric_levels_become_text(levels: list[float]) -> None:
    pd = pytest.importorskip("pandas")
    column = to_table(pd.DataFrame({"c": pd.Categorical([1, None, 3], categories=levels)})).columns[0]
    assert column.levels == ("3", "1", "20")
    assert cells(column) == ["1", None, "3"]


def test_arrow_dictionaries() -> None:
    pa = pytest.importorskip("pyarrow")
    array = pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.uint8()), ["small", "large", "huge"])
    column = to_table(pa.table({"c": array})).columns[0]
    assert column.levels == ("small", "large", "huge")
    assert cells(column) == ["large", None, "small"]


def test_arrow_dictionaries_that_differ_by_chunk() -> None:
    pa = pytest.importorskip("pyarrow")
    chunks = [pa.array(["b", "a", None]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]
    column = to_table(pa.table({"c": pa.chunked_array(chunks)})).columns[0]
    assert cells(column) == ["b", "a", None, "c", "a"]


def test_arrow_dictionary_with_a_missing_level() -> None:
    pa = pytest.importorskip("pyarrow")
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["b", None, "a"]))
    column = to_table(pa.table({"c": array})).columns[0]
    assert column.levels == ("b", "a")
    assert cells(column) == ["b", None, "a"]


def test_pandas_around_an_arrow_dictionary() -> None:
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    dtype = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    column = to_table(pd.DataFrame({"c": pd.Series(["b", None, "a"], dtype=dtype)})).columns[0]
    assert cells(column) == ["b", None, "a"]


def test_missing_only() -> None:
    pd = pytest.importorskip("pandas")
    assert to_table(pl.DataFrame({"c": pl.Series([None, None], dtype=pl.String)})).columns[0].kind == "number"
    assert to_table(pd.DataFrame({"c": pd.Series([None, None], dtype="string")})).columns[0].kind == "number"
    declared = pl.Series([None, None], dtype=pl.Enum(["a"]))
    assert to_table(pl.DataFrame({"c": declared})).columns[0].kind == "category"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_text_is_read_in_a_fork_too() -> None:
    """polars' threads are not there in a child: whatever waits for them waits for ever."""
    text = pl.Series("c", ["b", "a", None, "c", "a"])
    frame = pl.DataFrame(
        [text, text.cast(pl.Categorical).alias("d"), text.cast(pl.Enum(["c", "b", "a"])).alias("e")]
    )
    wanted = to_table(frame)
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # ends it, should it wait
        found = to_table(frame)
        equal = all(
            a.levels == b.levels and a.values.tolist() == b.values.tolist()
            for a, b in zip(found.columns, wanted.columns, strict=True)
        )
        os._exit(0 if equal else 1)
    assert os.waitpid(child, 0)[1] == 0
