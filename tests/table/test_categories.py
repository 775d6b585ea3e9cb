from typing import Any

import numpy as np
import pytest

from hedgerow.table import to_table

from .same import cells, check_well_formed

DATA = {"zone": [10, 2, None, 2], "fare": [1.5, 2.0, 3.0, 4.0], "sex": ["f", "m", "f", None]}


@pytest.mark.parametrize(
    "categories",
    [["zone"], ["zone", "sex"], [0], np.array([0]), [True, False, False], np.array([True, False, True])],
)
def test_names_positions_and_masks(categories: Any) -> None:
    table = to_table(DATA, categories=categories)
    check_well_formed(table)
    assert [column.kind for column in table.columns] == ["category", "number", "category"]
    assert table.columns[0].levels == ("2", "10")
    assert cells(table.columns[0]) == ["10", "2", None, "2"]


@pytest.mark.parametrize("categories", [[], np.array([], int), [False, False, False]])
def test_none_of_them(categories: Any) -> None:
    assert to_table(DATA, categories=categories).columns[0].kind == "number"


def test_floats_keep_their_digits() -> None:
    assert to_table(np.array([[0.1], [2.0]], np.float32), categories=[0]).columns[0].levels == ("0.1", "2")


def test_booleans() -> None:
    assert to_table({"b": [True, None, False]}, categories=["b"]).columns[0].levels == ("False", "True")


def test_made_up_names_may_be_used() -> None:
    assert to_table(np.zeros((7, 3)), categories=["x1"]).columns[1].levels == ("0",)


def test_a_table_again() -> None:
    assert to_table(to_table(DATA), categories=["fare"]).column("fare").levels == ("1.5", "2", "3", "4")


def test_missing_only_stays_a_number() -> None:
    assert to_table({"a": [None, None]}, categories=["a"]).columns[0].kind == "number"


def test_unknown_name() -> None:
    with pytest.raises(ValueError, match=r"names 'zome', which is no column.*Did you mean 'zone'\?"):
        to_table(DATA, categories=["zome"])


@pytest.mark.parametrize("position", [3, -1])
def test_position_out_of_range(position: int) -> None:
    with pytest.raises(ValueError, match=f"position {position}, but positions run from 0 to 2"):
        to_table(DATA, categories=[position])


def test_mask_of_another_length() -> None:
    with pytest.raises(ValueError, match="mask of 2 entries, but there are 3 columns"):
        to_table(DATA, categories=[True, False])


def test_one_text() -> None:
    with pytest.raises(TypeError, match=r"Expected a list: \['zone'\]"):
        to_table(DATA, categories="zone")


@pytest.mark.parametrize("entry", [1.5, None, ["zone"]])
def test_strange_entries(entry: Any) -> None:
    with pytest.raises(TypeError, match="Expected: names, positions, or a mask"):
        to_table(DATA, categories=[entry])


def test_a_mask_mixed_with_positions() -> None:
    with pytest.raises(TypeError, match="categories holds True"):
        to_table(DATA, categories=[True, 1, 2])


def test_integers_that_floats_cannot_tell_apart() -> None:
    with pytest.raises(ValueError, match=r"'id' has numbers of 2\*\*53 and more.*text"):
        to_table({"id": [2**53, 2**53 + 1]}, categories=["id"])
