import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.table.levels import boolean, declared, found, from_strings, level_text

from .same import cells


def test_declared_keep_their_order_used_or_not() -> None:
    column = declared("size", ["small", "large", "huge"], np.array([1, -1, 0]))
    assert column.levels == ("small", "large", "huge")
    assert cells(column) == ["large", None, "small"]


def test_declared_missing_level() -> None:
    column = declared("c", ["b", None, "a"], np.array([0, 1, 2, -1]))
    assert column.levels == ("b", "a")
    assert cells(column) == ["b", None, "a", None]


def test_declared_without_levels_is_missing() -> None:
    assert declared("c", [], np.array([-1, -1])).kind == "number"


def test_declared_levels_written_alike_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'c' declares the levels 1 and '1', both written '1'.*rename"):
        declared("c", [1, "1"], np.array([0, 1]))


def test_found_are_sorted() -> None:
    column = found("c", ["z", "a", "m"], np.array([0, 1, 2, -1, 0]))
    assert column.levels == ("a", "m", "z")
    assert cells(column) == ["z", "a", "m", None, "z"]


@given(st.lists(st.none() | st.text(max_size=3), min_size=1))
def test_strings_come_back(given_cells: list[str | None]) -> None:
    column = from_strings("c", given_cells, len(given_cells))
    assert cells(column) == given_cells
    assert list(column.levels) == sorted({cell for cell in given_cells if cell is not None})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (3.0, "3"),
        (np.float32(0.1), "0.1"),
        (-0.0, "0"),
        ("3.0", "3.0"),
        (True, "True"),
        (2.5, "2.5"),
    ],
)
def test_level_text(value: object, text: str) -> None:
    assert level_text(value) == text


def test_boolean_without_cells_is_a_number() -> None:
    assert boolean("b", np.array([np.nan, np.nan])).kind == "number"
    assert boolean("b", np.array([np.nan, 0.0])).kind == "boolean"
