import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.table import Column, Table, to_table

from .same import assert_same, cells


@pytest.fixture
def table() -> Table:
    return to_table({"age": [3.0, None, 5.0], "sex": ["f", "m", None], "old": [True, False, None]})


def test_a_table_is_frozen(table: Table) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        table.n_rows = 5  # type: ignore[misc]


def test_column_by_name(table: Table) -> None:
    assert cells(table.column("sex")) == ["f", "m", None]


def test_unknown_column_suggests(table: Table) -> None:
    with pytest.raises(
        KeyError, match=r"No column is named 'sez'.*'age', 'sex', 'old'.*Did you mean 'sex'\?"
    ):
        table.column("sez")


def test_select_keeps_the_order_asked_for(table: Table) -> None:
    assert table.select(["old", "age"]).names == ("old", "age")


def test_select_refuses_one_text(table: Table) -> None:
    with pytest.raises(TypeError, match=r"Write \['age'\]"):
        table.select("age")


def test_drop(table: Table) -> None:
    smaller = table.drop("sex")
    assert smaller.names == ("age", "old")
    assert table.names == ("age", "sex", "old")


def test_drop_unknown(table: Table) -> None:
    with pytest.raises(KeyError, match="Did you mean 'age'"):
        table.drop("Age")


def test_take_repeats_and_reorders(table: Table) -> None:
    taken = table.take([2, 0, 0, -1])
    assert taken.n_rows == 4
    assert cells(taken.column("age")) == [5.0, 3.0, 3.0, 5.0]
    assert cells(taken.column("sex")) == [None, "f", "f", None]
    assert taken.column("sex").levels == ("f", "m")


def test_take_by_mask(table: Table) -> None:
    assert cells(table.take(np.array([True, False, True])).column("age")) == [3.0, 5.0]


def test_take_nothing(table: Table) -> None:
    assert table.take([]).n_rows == 0


def test_take_outside(table: Table) -> None:
    with pytest.raises(IndexError):
        table.take([3])


@given(st.lists(st.integers(0, 6), max_size=12))
def test_take_is_indexing(rows: list[int]) -> None:
    block = np.arange(21.0).reshape(7, 3)
    taken = to_table(block).take(rows)
    assert taken.n_rows == len(rows)
    for j, column in enumerate(taken.columns):
        np.testing.assert_array_equal(column.values, block[np.array(rows, int), j])


@given(st.permutations(range(7)))
def test_take_back_and_forth(order: list[int]) -> None:
    table = to_table({"a": list("abcabca"), "b": [1, 2, None, 4, 5, 6, 7]})
    assert_same(table.take(order).take(np.argsort(order)), table)


def test_repr_is_short(table: Table) -> None:
    assert repr(table) == "<Table of 3 rows and 3 columns: 1 number, 1 category, 1 boolean>"


def test_repr_html(table: Table) -> None:
    assert "<table>" in table._repr_html_()


def test_a_column_has_no_levels_unless_given() -> None:
    assert Column("a", "number", np.zeros(3)).levels == ()
