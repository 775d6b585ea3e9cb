"""Sparse tables: the same cells as the table written out."""

import numpy as np
import pytest
from scipy import sparse

from hedgerow.table import Table, to_table
from hedgerow.table.row_hash import hash_rows
from hedgerow.table.sparse import SparseTable


def cells_of(n=7, d=4, seed=0):
    rng = np.random.default_rng(seed)
    cells = np.round(rng.normal(size=(n, d)), 1)
    cells[rng.random((n, d)) < 0.6] = 0
    cells[1, 2] = np.nan
    return cells


def written_out(table: Table) -> np.ndarray:
    return np.stack([column.values for column in table.columns], axis=1)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("container", ["array", "matrix"])
def test_every_format(form, container):
    cells = cells_of()
    table = to_table(getattr(sparse, f"{form}_{container}")(cells))
    assert isinstance(table, SparseTable)
    assert np.array_equal(written_out(table), cells, equal_nan=True)
    assert table.names == to_table(cells).names
    assert (table.n_rows, table.named) == (7, False)


def test_kinds_of_numbers():
    counts = np.array([[0, 3], [2, 0], [0, 0]])
    for dtype, kind, wanted in (
        (np.int8, "number", np.float64),
        (np.float32, "number", np.float32),
        (bool, "boolean", np.float64),
    ):
        column = to_table(sparse.csr_array(counts.astype(dtype))).columns[1]
        assert (column.kind, column.values.dtype) == (kind, wanted)


def test_repeated_entries_add_up_and_the_callers_matrix_stays():
    given = sparse.csr_matrix((np.array([1.0, 2.0, 5.0]), np.array([2, 2, 0]), np.array([0, 3, 3])), (2, 3))
    assert np.array_equal(written_out(to_table(given)), [[5, 0, 3], [0, 0, 0]])
    assert np.array_equal(given.indices, [2, 2, 0])


def test_rows_and_columns_are_taken():
    cells = cells_of()
    table = to_table(sparse.csr_array(cells))
    rows = [5, 1, 1, 0]
    assert np.array_equal(written_out(table.take(rows)), cells[rows], equal_nan=True)
    assert np.array_equal(
        written_out(table.take(np.array([True] * 3 + [False] * 4))), cells[:3], equal_nan=True
    )
    chosen = table.select(["x3", "x1"])
    assert chosen.names == ("x3", "x1")
    assert np.array_equal(written_out(chosen), cells[:, [3, 1]])
    assert table.drop("x2").names == ("x0", "x1", "x3")
    assert np.array_equal(table.column("x1").values, cells[:, 1])
    with pytest.raises(KeyError, match="x9"):
        table.column("x9")


def test_rows_have_the_hash_of_the_table_written_out():
    cells = cells_of(n=9, d=5)
    cells[3, 1] = -0.0
    assert np.array_equal(hash_rows(to_table(sparse.csc_matrix(cells))), hash_rows(to_table(cells)))


def test_blocks_of_rows():
    cells = cells_of(n=11, d=3)
    rows = to_table(sparse.csr_array(cells)).by_row
    assert (rows.shape, len(rows), rows.dtype) == ((11, 3), 11, np.float64)
    assert np.array_equal(rows.written_out(), cells, equal_nan=True)


def test_what_is_refused():
    infinite = sparse.csr_array(np.array([[0.0, 0.0], [0.0, np.inf]]))
    with pytest.raises(ValueError, match=r"infinity: column 'x1' holds inf in row 1"):
        to_table(infinite)
    with pytest.raises(ValueError, match="Complex data"):
        to_table(sparse.csr_array(np.eye(2) * 1j))
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        to_table(sparse.csr_array((0, 3)))
    with pytest.raises(ValueError, match="Expected 2D array"):
        to_table(sparse.coo_array(np.arange(3)))
    with pytest.raises(ValueError, match=r"categories.*sparse.*toarray"):
        to_table(sparse.csr_array(np.eye(3)), categories=[1])
