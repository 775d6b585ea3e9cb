"""What two equal Tables have in common, and short ways to look into one."""

import numpy as np

from hedgerow.table import Column, Table


def assert_same(left: Table, right: Table) -> None:
    assert left.names == right.names
    assert left.n_rows == right.n_rows
    assert left.named == right.named
    for a, b in zip(left.columns, right.columns, strict=True):
        assert a.kind == b.kind, a.name
        assert a.levels == b.levels
        np.testing.assert_array_equal(a.values, b.values, err_msg=a.name)


def cells(column: Column) -> list[object]:
    """The cells as Python values, None = missing."""
    if column.kind == "category":
        return [None if code < 0 else column.levels[code] for code in column.values.tolist()]
    values = [None if value != value else value for value in column.values.tolist()]
    return [bool(v) if v is not None and column.kind == "boolean" else v for v in values]


def check_well_formed(table: Table) -> None:
    """What every stage after this one relies on."""
    assert table.n_rows > 0
    assert len(set(table.names)) == len(table.columns) > 0
    for column in table.columns:
        assert column.values.shape == (table.n_rows,)
        if column.kind == "category":
            assert column.values.dtype == np.int32
            assert column.values.min() >= -1
            assert column.values.max() < len(column.levels)
            assert len(set(column.levels)) == len(column.levels) > 0
            assert all(type(level) is str for level in column.levels)
        else:
            assert column.levels == ()
            assert column.values.dtype in (np.float32, np.float64)
            assert not np.isinf(column.values).any()
