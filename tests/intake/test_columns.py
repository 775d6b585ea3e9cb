"""Columns that are left out, and why."""

import numpy as np
import pytest

from hedgerow.errors import render, spell_as_option
from hedgerow.intake.columns import is_free_text, is_named_identifier, why_useless
from hedgerow.table import to_table

N = 30
RANDOM = np.random.default_rng(0)
LEFT_OUT = {
    "id": (list(range(1, N + 1)), "names the rows"),
    "PassengerId": ([7 * k for k in range(N)], "names the rows"),
    "signed": (
        [f"{day:02d}/01/2023" for day in range(1, N + 1)],
        "dates as text; day and month could be either",
    ),
    "income": ([f"{1000 + k % 7},50" for k in range(N)], "numbers as text"),
    "name": ([f"Passenger {k}" for k in range(N)], "differs in every row (--categories name keeps it)"),
    "ticket": ([f"T{k % 25}" for k in range(N)], "seldom repeats, 25 different values in 30 rows"),
    "country": (["UK"] * N, "the same in every row"),
    "zero": ([0.0] * N, "the same in every row"),
    "empty": ([None] * N, "no cell has a value"),
}
USED = {
    "visits": list(range(N)),
    "height": [1.5 + k / 100 for k in range(N)],
    "city": ["Rome", "Oslo", "Lima"] * 10,
    "known": ["yes", None] * 15,
    "no": [k % 7 for k in range(N)],
    "grade": [f"{k % 7}" for k in range(N)],
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_left_out(name):
    cells, why = LEFT_OUT[name]
    assert why in render(why_useless(to_table({name: cells}).columns[0]), spell_as_option)


def test_sentences_that_hardly_repeat_are_free_text():
    assert is_free_text(
        to_table({"review": [f"it was a film of {k % 22} stars" for k in range(N)]}).columns[0]
    )
    for name in ("ticket", "income", "signed", "name"):
        assert not is_free_text(to_table({name: LEFT_OUT[name][0]}).columns[0])
    assert not is_free_text(
        to_table({"answer": ["not at all, or hardly ever", "now and then, at most"] * 15}).columns[0]
    )


@pytest.mark.parametrize("name", USED)
def test_used(name):
    assert why_useless(to_table({name: USED[name]}).columns[0]) == ""


@pytest.mark.parametrize(
    "name",
    [
        "id",
        "ID",
        "customerID",
        "user_id",
        "row nr",
        "Unnamed: 0",
        "rownames",
        "Order No.",
        "Case #",
        "IDpol",
        "id_client",
    ],
)  # fmt: skip
def test_called_identifiers(name):
    assert is_named_identifier(name)


@pytest.mark.parametrize("name", ["paid", "Solid", "width", "lipid", "humid", "Pinot noir", "idle", "IDEA"])
def test_not_called_identifiers(name):
    assert not is_named_identifier(name)
