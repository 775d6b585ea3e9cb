"""A table of which a sample is in memory: all rows, once each, understood as the sample was."""

import numpy as np
import polars as pl
import pytest

from hedgerow.intake import ColumnOptions, prepare_data, read_source
from hedgerow.intake.large import LargeRows, Reading, join_samples
from hedgerow.stream import TableStream
from hedgerow.table.row_hash import hash_rows

N = 3001


def frame(copies=False):
    rng = np.random.default_rng(0)
    x = rng.normal(size=N).round(6)
    if copies:
        x[N // 2 : N // 2 * 2] = x[: N // 2]
    return pl.DataFrame(
        {
            "x": x,
            "money": [f"${value:,.2f}" for value in rng.uniform(1, 9_999, N)]
            if not copies
            else ["$1.00"] * N,
            "town": rng.choice(["a", "b", None], N) if not copies else ["a"] * N,
            "day": np.datetime64("2020-01-01") + (np.arange(N) % 700 if not copies else np.zeros(N, int)),
            "who": [f"p{k // 3}" for k in range(N)],
            "y": [None if k % 50 == 7 else bool(value > 0) for k, value in enumerate(x)],
        }
    )


def read(tmp_path, ending, share=0.25, **given):
    file = tmp_path / f"t.{ending}"
    made = frame(given.pop("copies", False))
    made.write_csv(file) if ending == "csv" else made.write_parquet(file)
    source = read_source(file, memory=0.0001)
    assert source.sampled is not None
    options = ColumnOptions("y", **given)
    return made, LargeRows(prepare_data(source, options), options, share, 0)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_every_row_is_learned_from_or_held_out(tmp_path, ending):
    made, large = read(tmp_path, ending)
    reading = Reading()
    others = join_samples(list(large.training(reading)))
    train, held_of_sample = large.split_sample()
    held = large.held_out(10**9, reading.n_held)
    own = large.sampled.positions[large.data.samples.numbers]
    learned = np.concatenate([own[train], others.numbers])
    wanted = np.flatnonzero(made["y"].is_not_null())
    np.testing.assert_array_equal(np.sort(np.concatenate([learned, held.numbers])), wanted)
    assert set(own[held_of_sample]) <= set(held.numbers)
    assert (reading.n_train, reading.n_held) == (len(learned), len(held))
    assert 0.2 < len(held) / len(wanted) < 0.3
    names = large.data.features.names
    assert [c.kind for c in others.table.columns] == [c.kind for c in large.data.features.columns]
    assert {"money": "number", "town": "category", "day": "date"}.items() <= dict(
        zip(names, (c.kind for c in others.table.columns), strict=True)
    ).items()
    np.testing.assert_array_equal(others.target == 1, made["y"].to_numpy()[others.numbers].astype(bool))
    money = made["money"].str.replace_all(r"[$,]", "").cast(float).to_numpy()
    np.testing.assert_allclose(others.table.column("money").values, money[others.numbers])


def test_blocks_do_not_change_what_is_held_out(tmp_path):
    _, large = read(tmp_path, "parquet")
    expected = large.held_out(10**9, N).numbers
    object.__setattr__(large.sampled, "stream", TableStream(tmp_path / "t.parquet", block_rows=17))
    np.testing.assert_array_equal(large.held_out(10**9, N).numbers, expected)


def test_copies_of_a_row_stay_together(tmp_path):
    _, large = read(tmp_path, "parquet", copies=True, drop=("who",))
    held = large.held_out(10**9, N)
    learned = join_samples(list(large.training(Reading())))
    assert not set(hash_rows(held.table)) & set(hash_rows(learned.table))


def test_groups_stay_together(tmp_path):
    _, large = read(tmp_path, "parquet", groups="who")
    held = large.held_out(10**9, N)
    assert not set(held.groups) & set(join_samples(list(large.training(Reading()))).groups)


def test_no_more_rows_than_wanted_are_opened(tmp_path):
    _, large = read(tmp_path, "parquet")
    assert 50 < len(large.held_out(100, large.held_out(10**9, N).target.size)) < 150


def test_a_folder_of_parquet_files_is_one_table(tmp_path):
    for k, part in enumerate(frame().iter_slices(1_000)):
        part.write_parquet(tmp_path / f"{k}.parquet")
    assert read_source(tmp_path).frame.equals(frame())
    sampled = read_source(tmp_path, memory=0.0001)
    assert sampled.frame.equals(frame()[sampled.sampled.positions])


def test_rows_of_a_class_that_the_sample_lacks_are_counted(tmp_path):
    made, large = read(tmp_path, "parquet", task="classification")
    object.__setattr__(large.data.target, "classes", np.array([True]))
    reading = Reading()
    list(large.training(reading))
    assert reading.n_unknown == int((~made["y"]).sum())
