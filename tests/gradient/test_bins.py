"""Bins: against the slow twin, exact where values are few, and what categories become."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import gradient as twin

from hedgerow.core import native
from hedgerow.gradient import bin_table
from hedgerow.table import to_table

NUMBERS = st.lists(
    st.one_of(st.floats(-1e3, 1e3), st.integers(-5, 5).map(float), st.just(float("nan"))),
    min_size=1,
    max_size=80,
)


@given(NUMBERS, st.integers(2, 20), st.sampled_from([np.float32, np.float64]))
def test_edges_are_those_of_the_twin(values, max_bins, dtype):
    column = np.array(values, dtype)
    found = native.gradient_bin_edges([column], max_bins, 1)[0]
    np.testing.assert_array_equal(found, twin.bin_edges(column, max_bins))


@given(NUMBERS, st.integers(2, 20))
def test_codes_count_the_edges_below(values, max_bins):
    column = np.array(values)
    edges = native.gradient_bin_edges([column], max_bins, 1)[0]
    codes = np.empty((1, len(column)), np.uint8)
    missing = native.gradient_bin_codes([column], [edges], np.zeros(1, np.int64), codes, 1)
    expected = np.where(np.isnan(column), len(edges) + 1, np.searchsorted(edges, column, side="left"))
    np.testing.assert_array_equal(codes[0], expected)
    assert missing[0] == np.isnan(column).sum()


def test_few_values_in_many_rows_each_have_a_bin():
    column = np.repeat(0.5, 300_001)
    column[[7, 150_000, 299_999]] = [3.0, -1.0, 2.0]  # a sample of the rows would miss them
    edges = native.gradient_bin_edges([column], 255, 2)[0]
    np.testing.assert_array_equal(edges, [-0.25, 1.25, 2.5])


def test_many_rows_fill_all_bins_about_equally():
    column = np.random.default_rng(0).normal(size=300_000)
    binned = bin_table(to_table(column[:, None]))
    counts = np.bincount(binned.codes[0])
    assert len(counts) == 255
    assert counts.min() > 900
    assert counts.max() < 1500


def test_a_value_of_half_the_rows_leaves_the_other_bins_to_the_rest():
    rng = np.random.default_rng(1)
    column = np.where(rng.random(5_000) < 0.5, 0.0, rng.normal(size=5_000))
    assert len(native.gradient_bin_edges([column], 100, 1)[0]) == 99


@pytest.mark.parametrize("threads", [1, 3])
def test_strided_columns_are_read_as_they_are(threads):
    X = np.random.default_rng(2).normal(size=(500, 3)).astype(np.float32)
    here = bin_table(to_table(X), threads=threads)
    there = bin_table(to_table(np.asfortranarray(X.astype(np.float64))))
    np.testing.assert_array_equal(here.codes, there.codes)


def test_levels_have_codes_and_the_rare_share_one():
    rng = np.random.default_rng(3)
    level = np.concatenate([np.arange(400), rng.integers(0, 100, 600)])
    text = np.array([f"level {k:03}" for k in level], object)
    text[5] = None
    binned = bin_table(to_table(text[:, None]), max_bins=50)
    assert binned.n_bins[0] == 50
    assert binned.codes[0, 5] == 50
    shared = binned.code_of_level[0] == 49
    assert shared.sum() == len(binned.code_of_level[0]) - 49


@pytest.mark.parametrize("distinct", [900, 20_000, None])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_many_values_are_counted_in_the_cells_of_the_twin(distinct, dtype):
    rng = np.random.default_rng(4)
    values = rng.normal(size=150_000) * np.exp(rng.normal(size=150_000))
    if distinct:
        values = np.floor(values * distinct / 40)
    values = values.astype(dtype)
    none = (0, np.empty(0, np.int64), np.empty(0), np.empty(0))
    given = values.copy()
    given[::7] = np.nan
    whole = native.gradient_count_values([none], [given], 1)[0]
    pieces = none
    for piece in np.array_split(given, 3):
        pieces = native.gradient_count_values([pieces], [piece], 1)[0]
    expected = twin.value_cells(given[~np.isnan(given)].astype(np.float64), 32768)
    for found in (whole, pieces):
        assert found[0] == expected[0]
        for a, b in zip(found[1:], expected[1:], strict=True):
            np.testing.assert_array_equal(a, b)
