"""Codes: ranks against their slow twin, bins by what they promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hedgerow.core import native
from hedgerow.encode import encode
from hedgerow.encode.encoded import midpoints
from hedgerow.table import Column, Table, to_table
from twins.ranks import rank_codes

NASTY = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    1e-300,
    1e308,
    -1e308,
    1.0,
    1.0 + 2**-52,
    -1.0,
    np.nan,
    2.0**-126,
    3.4e38,
]


def columns(dtype):
    """Ties, extremes and missing cells; more rows than the plain sort takes."""
    width = np.dtype(dtype).itemsize * 8
    nasty = [float(np.array(x).astype(dtype)) for x in NASTY if abs(x) < np.finfo(dtype).max or x != x]
    cells = st.one_of(st.sampled_from(nasty), st.floats(width=width, allow_nan=True, allow_infinity=False))
    return hnp.arrays(dtype, st.integers(1, 150), elements=cells)


def assert_ranked(values, found):
    codes, n_codes, n_missing = found
    wanted, n_wanted, missing_wanted = rank_codes(values)
    assert (n_codes, n_missing) == (n_wanted, missing_wanted)
    np.testing.assert_array_equal(codes, wanted)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(data=st.data())
def test_ranks_are_those_of_sorting(dtype, data):
    values = data.draw(columns(dtype))
    assert_ranked(values, native.rank_columns([values], 1)[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(data=st.data(), step=st.sampled_from([-3, -1, 2, 5]))
def test_ranks_of_any_stride(dtype, data, step):
    values = data.draw(columns(dtype))[::step]
    assert_ranked(values, native.rank_columns([values], 1)[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 63, 64, 65, 8191, 8192, 20_011])
@pytest.mark.parametrize("kind", ["smooth", "ties", "constant", "missing", "all missing", "close"])
def test_ranks_of_long_columns(dtype, n, kind):
    """Past every change of method: plain sort, 8-bit digits, 11-bit digits, equal upper halves."""
    rng = np.random.default_rng(n)
    values = rng.normal(size=n)
    if kind == "ties":
        values = rng.integers(-300, 300, n).astype(float)
    if kind == "constant":
        values[:] = -0.7
    if kind == "close":
        values = 1 + rng.integers(0, 2**20, n) * 2.0**-52
    if kind == "missing":
        values[rng.random(n) < 0.5] = np.nan
    if kind == "all missing":
        values[:] = np.nan
    values = values.astype(dtype)
    assert_ranked(values, native.rank_columns([values], 1)[0])


@pytest.mark.parametrize(
    ("distinct", "dtype"),
    [(254, np.uint8), (255, np.uint8), (256, np.uint16), (65535, np.uint16), (65536, np.uint32)],
)
def test_codes_are_as_narrow_as_they_can_be(distinct, dtype):
    """The code for missing has to fit as well."""
    values = np.append(np.arange(distinct, dtype=np.float64), np.nan)
    codes, n_codes, _ = native.rank_columns([values], 1)[0]
    assert codes.dtype == dtype
    assert n_codes == codes[-1] == distinct


def test_threads_do_not_change_the_codes():
    X = np.random.default_rng(0).normal(size=(3001, 7)).round(2)
    for threads in (2, 3, 8):
        for one, other in zip(
            encode(to_table(X)).codes, encode(to_table(X), threads=threads).codes, strict=True
        ):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("columns", [[np.arange(3)], [np.arange(3.0), np.arange(4.0)]])
def test_the_bindings_refuse_other_arrays(columns):
    with pytest.raises((TypeError, ValueError), match=r"float32|entries"):
        native.rank_columns(columns, 1)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_a_midpoint_parts_its_two_values(a, b):
    low, high = np.array([min(a, b)]), np.array([max(a, b)])
    if low[0] < high[0]:
        assert low <= midpoints(low, high) < high


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_midpoint_parts_neighbours(a):
    low, high = np.array([a]), np.nextafter([a], np.inf)
    if np.isfinite(high[0]):
        assert low <= midpoints(low, high) < high


def test_categories_have_their_level_numbers_and_missing_comes_after():
    column = Column("c", "category", np.array([2, -1, 0, 2], np.int32), ("a", "b", "c"))
    encoded = encode(Table((column,), 4, True))
    assert encoded.codes[0].tolist() == [2, 3, 0, 2]
    assert encoded.n_codes.tolist() == [3]


@given(data=st.data(), max_bins=st.integers(2, 20))
def test_bins_keep_the_order_and_divide_no_value(data, max_bins):
    values = data.draw(columns(np.float64))
    encoded = encode(Table((Column("x", "number", values),), len(values), False), max_bins=max_bins)
    codes, n_codes = encoded.codes[0], int(encoded.n_codes[0])
    present = ~np.isnan(values)
    assert (codes[~present] == n_codes).all()
    if not present.any():
        return
    assert n_codes <= max_bins
    assert set(codes[present].tolist()) == set(range(n_codes)), "an empty bin"
    order = np.argsort(values[present], kind="stable")
    assert (np.diff(codes[present][order].astype(int)) >= 0).all()
    edges = encoded.edges[0]
    np.testing.assert_array_equal(codes[present], np.searchsorted(edges, values[present], side="left"))


def test_bins_hold_about_equal_numbers_of_rows():
    values = np.random.default_rng(0).normal(size=(5003, 1))
    counts = np.bincount(encode(to_table(values), max_bins=32).codes[0])
    assert len(counts) == 32
    assert counts.max() - counts.min() <= 2


def test_few_values_are_bins_of_their_own():
    values = np.tile([1.0, 2, 3], 9)[:, None]
    encoded = encode(to_table(values), max_bins=32)
    assert encoded.codes[0][:3].tolist() == [0, 1, 2]
    np.testing.assert_array_equal(encoded.edges[0], [1.5, 2.5])


@pytest.mark.parametrize("max_bins", [1, 0, -1, 256])
def test_max_bins_out_of_range(max_bins):
    with pytest.raises(ValueError, match=r"max_bins=.*2 to 255"):
        encode(to_table(np.ones((3, 1))), max_bins=max_bins)
