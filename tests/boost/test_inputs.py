"""Inputs: standardised numbers, a column for each level, and nothing that overflows."""

import numpy as np
import pytest

from hedgerow.boost.inputs import measure
from hedgerow.boost.rows import Rows
from hedgerow.encode import matrix, schema_of
from hedgerow.table import to_table


def of_table(columns):
    table = to_table(columns)
    schema = schema_of(table)
    cells = matrix(schema, table)
    return measure(cells, schema, np.ones(table.n_rows)), cells, schema


def test_numbers_have_mean_zero_and_deviation_one():
    x = np.random.default_rng(0).normal(5, 3, size=(50, 4))
    inputs = measure(x, None, np.ones(50))
    standard = inputs.standard(x)
    np.testing.assert_allclose(standard.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(standard.std(axis=0), 1)
    assert inputs.names == ("x0", "x1", "x2", "x3")


def test_weights_count_as_rows():
    x = np.random.default_rng(0).normal(5, 3, size=(20, 2))
    times = np.random.default_rng(1).integers(1, 4, 20)
    one, two = (
        measure(x, None, times.astype(float)),
        measure(np.repeat(x, times, axis=0), None, np.ones(times.sum())),
    )
    np.testing.assert_allclose(one.centre, two.centre)
    np.testing.assert_allclose(one.scale, two.scale)


def test_levels_missing_cells_and_levels_never_seen():
    inputs, cells, schema = of_table({"age": [1.0, 3.0, None, 5.0], "sex": ["m", "f", None, "m"]})
    assert inputs.names == ("age", "sex = f", "sex = m")
    standard = inputs.standard(cells)
    assert standard[2].tolist() == [0, 0, 0]
    np.testing.assert_allclose(standard[:, 0] * inputs.scale[0] + inputs.centre[0], [1, 3, 3, 5])
    other = inputs.standard(matrix(schema, to_table({"age": [3.0], "sex": ["x"]})))
    assert other[0, 1] == standard[0, 1]  # not f
    assert other[0, 2] == standard[1, 2]  # not m


@pytest.mark.parametrize("size", [1e300, 1e-300, 1e308])
def test_huge_and_tiny_numbers(size):
    x = np.array([[-1.0, 0.7], [1.0, 0.7], [0.5, 0.7]]) * size
    standard = measure(x, None, np.ones(3)).standard(x)
    assert np.isfinite(standard).all()
    np.testing.assert_allclose(standard[:, 0].std(), 1)
    np.testing.assert_allclose(standard[:, 1], 0, atol=1e-9)


def test_new_rows_far_away_stay_finite():
    inputs = measure(np.array([[0.0], [1e-200]]), None, np.ones(2))
    assert np.isfinite(inputs.standard(np.array([[1e200], [-1e200]]))).all()


def test_a_column_without_a_cell_is_zero():
    inputs = measure(np.full((3, 1), np.nan), None, np.ones(3))
    assert inputs.standard(np.array([[np.nan], [2.0]]))[0, 0] == 0


def test_rows_are_standardised_once():
    table = to_table(np.arange(6.0).reshape(3, 2))
    rows = Rows(3, table.names, table, schema_of(table))
    inputs = measure(rows.matrix, rows.schema, np.ones(3))
    assert inputs.of(rows) is inputs.of(rows)
