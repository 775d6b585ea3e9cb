"""Streams: every source gives the same rows, cut as wanted, as often as wanted."""

import polars as pl
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from tests.stream.tables import mixed

from hedgerow.stream import TableStream
from hedgerow.table import read_frame


@pytest.fixture(scope="module")
def frame():
    return mixed(257)


def sources(frame, folder):
    frame.write_parquet(folder / "all.parquet")
    (folder / "parts").mkdir()
    for k in range(3):
        frame.slice(k * 100, 100).write_parquet(folder / "parts" / f"{k}.parquet")
    batches = frame.to_arrow().to_batches(max_chunksize=31)
    return {
        "file": folder / "all.parquet",
        "folder": folder / "parts",
        "pattern": str(folder / "parts" / "*.parquet"),
        "lazy": frame.lazy(),
        "dataset": ds.dataset(frame.to_arrow()),
        "batches": batches,
        "iterator": iter(batches),
    }


@pytest.mark.parametrize("block_rows", [1, 100, 10_000])
def test_every_source_gives_all_rows_twice(frame, tmp_path, block_rows):
    for name, source in sources(frame, tmp_path).items():
        stream = TableStream(source, block_rows=block_rows, folder=tmp_path)
        for _ in range(2):
            blocks = list(stream.blocks())
            assert max(block.height for block in blocks) <= block_rows, name
            assert pl.concat(blocks).equals(frame), name


def test_folders_that_name_a_value_are_columns(frame, tmp_path):
    """As pyarrow, Dask and Spark write them."""
    pq.write_to_dataset(
        frame.drop_nulls("town").to_arrow(), tmp_path / "rows", partition_cols=["town", "few"]
    )
    wanted = pl.from_arrow(ds.dataset(tmp_path / "rows", partitioning="hive").to_table()).sort(frame.columns)
    for path in (tmp_path / "rows", tmp_path / "rows" / "**" / "*.parquet"):
        stream = TableStream(path, block_rows=50)
        assert stream.names == ("x0", "x1", "x2", "flag", "weight", "two", "seven", "number", "town", "few")
        read = pl.concat(stream.blocks()).select(wanted.columns).sort(frame.columns)
        assert read.equals(wanted.cast(dict(read.schema)))


def test_some_columns_in_the_order_wanted(frame):
    blocks = list(TableStream(frame).blocks(["two", "x0"]))
    assert blocks[0].columns == ["two", "x0"]


def test_a_csv_file_is_typed_as_when_it_is_read_whole(frame, tmp_path):
    file = tmp_path / "a.csv"
    frame.with_columns(
        late=pl.Series([*map(float, range(256)), 0.5]),
        large=pl.lit("123456789012345678901"),
        blank=pl.lit(None),
    ).write_csv(file)
    read = pl.concat(TableStream(file, block_rows=50).blocks())
    assert read.equals(read_frame(file))


def test_csv_with_decimal_commas_and_blank_lines(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("a;b\n1.234,5;x\n\n2,5;y\n")
    assert pl.concat(TableStream(file).blocks()).equals(read_frame(file))


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (7, TypeError, "cannot be read block by block"),
        ("nowhere.parquet", FileNotFoundError, "No file"),
        ([3], TypeError, "Arrow batches"),
        (iter([]), ValueError, "no blocks"),
    ],
)
def test_what_is_no_stream_is_refused(data, error, words):
    with pytest.raises(error, match=words):
        TableStream(data)


def test_a_wrong_column_is_named(frame):
    with pytest.raises(ValueError, match=r"y='tow' is no column.*Did you mean 'town'"):
        TableStream(frame).check_column("tow", "y")
