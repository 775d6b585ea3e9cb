"""Codes of sparse columns: those of the columns written out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_matrix, csr_array

from hedgerow.core import native
from hedgerow.encode import encode
from hedgerow.ensemble.columns import only
from hedgerow.ensemble.draws import row_hashes
from hedgerow.table import to_table
from twins import sparse as twin


@st.composite
def tables(draw):
    """A matrix and the same by its entries, some of them zero, some missing."""
    n, d = draw(st.integers(1, 23)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    cells = rng.integers(-2, 4, (n, d)) * rng.choice([1.0, 0.3, 1e-300])
    cells[rng.random((n, d)) < draw(st.sampled_from([0.0, 0.5, 0.9, 1.0]))] = 0
    cells = cells.astype(draw(st.sampled_from([np.float32, np.float64])))
    entries = csc_matrix(cells)
    entries.data[rng.random(len(entries.data)) < 0.2] = draw(st.sampled_from([0.0, -0.0, np.nan, 1.0]))
    return entries.toarray(), entries


@given(tables())
@settings(max_examples=60, deadline=None)
def test_ranks_agree_with_the_twin(pair):
    _, entries = pair
    start, row = entries.indptr.astype(np.int64), entries.indices
    code, rest, n_codes, n_missing, value_start, values = native.rank_entries(
        start, entries.data, entries.shape[0], 2
    )
    for j, (codes, other, different, missing) in enumerate(
        twin.rank_entries(start, row, entries.data, entries.shape[0])
    ):
        assert np.array_equal(code[start[j] : start[j + 1]], codes)
        assert (rest[j], n_codes[j], n_missing[j]) == (other, len(different), missing)
        assert np.array_equal(values[value_start[j] : value_start[j + 1]], different)


@given(tables(), st.sampled_from([None, 2, 3, 255]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_codes_are_those_of_the_table_written_out(pair, max_bins, weighted):
    cells, entries = pair
    weight = np.random.default_rng(0).random(len(cells)) if weighted else None
    dense = encode(to_table(cells), max_bins=max_bins, weight=weight)
    sparse = encode(to_table(entries), max_bins=max_bins, weight=weight, threads=3)
    assert sparse.schema == dense.schema
    assert np.array_equal(sparse.n_codes, dense.n_codes)
    assert np.array_equal(sparse.n_missing, dense.n_missing)
    rows = np.arange(len(cells), dtype=np.uint32)
    for j in range(cells.shape[1]):
        assert sparse.codes[j].dtype == dense.codes[j].dtype
        assert np.array_equal(sparse.codes[j], dense.codes[j])
        assert np.array_equal(sparse.values(j), dense.values(j))
        own, wanted = (np.empty(0) if e is None else e for e in (sparse.edges[j], dense.edges[j]))
        assert np.array_equal(own, wanted)
        there = rows[dense.codes[j] < dense.n_codes[j]]
        if len(there) > 1 and dense.n_codes[j] > 1:
            low, high = there[[dense.codes[j][there].argmin()]], there[[dense.codes[j][there].argmax()]]
            assert sparse.thresholds(j, low, high) == dense.thresholds(j, low, high)


def test_some_columns():
    cells = np.array([[0.0, 3, 0, 1], [2, 0, 0, 1], [2, 5, 0, np.nan]])
    part = only(encode(to_table(csr_array(cells))), np.array([3, 1]))
    wanted = only(encode(to_table(cells)), np.array([3, 1]))
    assert part.schema == wanted.schema
    for j in range(2):
        assert np.array_equal(part.codes[j], wanted.codes[j])
        assert np.array_equal(part.values(j), wanted.values(j))


@pytest.mark.parametrize("d", [5, 2**14 + 3])
def test_row_hashes_are_those_of_the_table_written_out(d):
    rng = np.random.default_rng(d)
    cells = np.where(rng.random((11, d)) < 0.7, 0.0, rng.integers(-1, 2, (11, d)) * 0.5)
    cells[2, 1] = np.nan
    entries = to_table(csr_array(cells)).by_row
    table = to_table(cells)
    assert np.array_equal(native.hash_entries(*entries.arrays), row_hashes(table.columns, 11))
