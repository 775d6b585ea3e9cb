"""Inputs: made once for all rounds, the same way for new rows."""

import numpy as np
import pytest

from hedgerow.boost.boost_input import BoostInput, SparseColumns, rows_of_matrix
from hedgerow.boost.unit import inputs_of, preparation_of
from hedgerow.encode import schema_of
from hedgerow.table import to_table


def rows_of(columns, schema=None):
    table = to_table(columns)
    return BoostInput(table.n_rows, table.names, table, schema or schema_of(table))


def test_every_round_shares_them():
    rows = rows_of_matrix(np.arange(6.0).reshape(3, 2))
    how = preparation_of(rows)
    assert preparation_of(rows) is how
    assert inputs_of(rows, how) is inputs_of(rows, how)
    np.testing.assert_allclose(inputs_of(rows, how).std(axis=0), 1)


def test_another_preparation_makes_others():
    rows, other = rows_of_matrix(np.arange(6.0).reshape(3, 2)), rows_of_matrix(np.ones((4, 2)))
    assert not np.array_equal(inputs_of(rows, preparation_of(rows)), inputs_of(rows, preparation_of(other)))


def test_new_rows_are_read_as_those_of_training():
    rows = rows_of({"age": [1.0, 3.0, None, 5.0], "sex": ["m", "f", None, "m"]})
    how = preparation_of(rows)
    assert how.names == ("age", "age is missing", "sex=f", "sex=m", "sex is missing")
    new = rows_of({"age": [3.0, None], "sex": ["never seen", "f"]}, rows.schema)
    np.testing.assert_array_equal(inputs_of(new, how), [[0, 0, 0, 0, 0], [0, 1, 1, 0, 0]])


def test_sparse_rows_are_refused():
    columns = SparseColumns(np.array([0, 1]), np.array([0], np.int32), np.ones(1), 2)
    with pytest.raises(ValueError, match="counts for one-word stumps"):
        preparation_of(BoostInput(2, ("word",), sparse=columns))
