"""A Schema puts new tables in order, or says what is wrong with them."""

import gc

import numpy as np
import pytest

from hedgerow.encode import align, matrix, schema_of
from hedgerow.encode.schema import level_numbers
from hedgerow.table import Column, Table, to_table


def numbers(names, n=7):
    rng = np.random.default_rng(len(names))
    return Table(tuple(Column(name, "number", rng.normal(size=n)) for name in names), n, True)


def test_columns_are_found_by_name():
    table = numbers(["a", "b", "c"])
    other = table.select(["c", "a", "b"])
    assert align(schema_of(table), other).names == ("a", "b", "c")
    np.testing.assert_array_equal(matrix(schema_of(table), other), matrix(schema_of(table), table))


def test_columns_without_names_are_taken_by_place():
    table = to_table(np.arange(21.0).reshape(7, 3))
    np.testing.assert_array_equal(
        matrix(schema_of(numbers(["a", "b", "c"])), table), np.arange(21.0).reshape(7, 3)
    )


@pytest.mark.parametrize(
    ("names", "output"),
    [
        (["a", "b"], "missing: 'c'"),
        (["a", "b", "c", "d"], "not seen in training: 'd'"),
        (["a", "b", "d"], "missing: 'c'; not seen in training: 'd'"),
    ],
)
def test_missing_and_extra_columns_are_named(names, output):
    with pytest.raises(ValueError, match=output):
        align(schema_of(numbers(["a", "b", "c"])), numbers(names))


def test_another_number_of_columns_is_told():
    with pytest.raises(ValueError, match="2 columns, but 3 were seen in training"):
        align(schema_of(numbers(["a", "b", "c"])), to_table(np.ones((7, 2))))


def test_another_kind_is_told():
    text = Table((Column("a", "category", np.zeros(7, np.int32), ("x",)),), 7, True)
    with pytest.raises(ValueError, match="'a' was numbers in training, but now holds text such as 'x'"):
        align(schema_of(numbers(["a"])), text)
    with pytest.raises(ValueError, match="'a' was text or categories in training, but now holds numbers"):
        align(schema_of(text), numbers(["a"]))


def test_an_empty_column_has_no_kind():
    text = Table((Column("a", "category", np.zeros(7, np.int32), ("x",)),), 7, True)
    nothing = Table((Column("a", "number", np.full(7, np.nan)),), 7, True)
    assert np.isnan(matrix(schema_of(text), nothing)).all()
    assert np.isnan(
        matrix(
            schema_of(numbers(["a"])),
            Table((Column("a", "category", np.full(7, -1, np.int32), ("x",)),), 7, True),
        )
    ).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_is_read_where_it_lies(dtype, order):
    X = np.asarray(np.random.default_rng(0).normal(size=(7, 3)), dtype, order=order)
    for view in (X, X[::-2], X[:, ::-1], X[1:, 1:], X[:1], X[:, :1]):
        table = to_table(view)
        got = matrix(schema_of(table), table)
        np.testing.assert_array_equal(got, view)
        assert np.shares_memory(got, X)


def test_columns_of_several_owners_are_copied():
    """Two arrays always lie at *some* distance; a view across them would outlive the second."""
    table = numbers(["a", "b"], 100_000)
    wanted = np.column_stack([column.values for column in table.columns])
    got = matrix(schema_of(table), table)
    assert not any(np.shares_memory(got, column.values) for column in table.columns)
    del table
    gc.collect()
    np.testing.assert_array_equal(got, wanted)


def test_levels_of_training_levels_never_seen_and_missing():
    column = Column("c", "category", np.array([0, 1, 2, -1], np.int32), ("b", "new", "a"))
    np.testing.assert_array_equal(level_numbers(column, ("a", "b")), [1, 2, 0, np.nan])
