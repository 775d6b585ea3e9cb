"""Copies are found by all columns together: measured rows that stand twice, not different cases that are equal."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hedgerow import datasets
from hedgerow.table import Table, to_table
from hedgerow.table.copies import count_copies, find_copies, find_equal_rows, join_groups
from hedgerow.table.row_hash import hash_rows


def wines(seed: int, n: int = 1200, share: float = 0.25, digits: int = 1) -> np.ndarray:
    """Eleven measured columns; a share of the rows are exact copies."""
    random = np.random.default_rng(seed)
    mixed = random.normal(size=(n, 3)) @ random.normal(size=(3, 11)) + random.normal(size=(n, 11))
    rows, n_copies = np.round(4 * mixed + 40, digits), int(share * n)
    rows[n - n_copies :] = rows[random.integers(0, n - n_copies, n_copies)]
    return rows[random.permutation(n)]


def customers(seed: int, n: int = 2000) -> np.ndarray:
    """Forty columns of a neighbourhood, and few products: some customers of a neighbourhood are equal."""
    random = np.random.default_rng(seed)
    area = random.integers(0, 500, n)
    places = random.integers(0, 9, (500, 40))[area]
    bought = random.random((n, 45)) < np.where(np.arange(45) < 4, 0.18, 0.03)
    return np.column_stack([places, bought * random.integers(1, 6, (n, 45))])


def test_equal_rows_stay_together_where_they_are_few_and_every_set_is_small():
    found = find_equal_rows(to_table(customers(0)), np.zeros(2000))
    assert not found.are_copies
    assert found.sets is not None
    assert found.n_equal == count_copies(found.sets) > 20


@pytest.mark.parametrize("name", ["titanic", "categories"])
def test_cases_of_a_coarse_table_stand_for_themselves(name):
    if name == "titanic":
        table = datasets.titanic().table
    else:
        random = np.random.default_rng(0)
        table = to_table({f"c{j}": random.choice(["a", "b", "c"], 2000) for j in range(4)})
    fine = np.random.default_rng(1).normal(size=table.n_rows)  # they differ in the target
    for target in (fine, fine > 0):
        found = find_equal_rows(table, target)
        assert found.sets is None
        assert found.n_equal > 100
    assert find_equal_rows(table, fine).n_other > 100


def test_equal_rows_of_few_columns_with_the_same_fine_target_are_copies():
    random = np.random.default_rng(0)
    X = np.column_stack(
        [random.normal(40, 12, 700).round(1), random.integers(0, 3, 700), random.exponential(3, 700)]
    )
    y = (X[:, 0] / 2 + random.normal(0, 6, 700)).round(1)
    again = np.concatenate([np.arange(700), random.permutation(700)[:450]])
    table = to_table(X[again])
    found = find_equal_rows(table, y[again])
    assert (found.are_copies, found.n_equal, found.n_other) == (True, 450, 0)


@pytest.mark.parametrize("digits", [0, 1, 2])
def test_measured_rows_that_stand_twice_are_copies(digits):
    found = 0
    for seed in range(20):
        rows = wines(seed, digits=digits)
        sets = find_copies(to_table(rows))
        n_equal = len(rows) - len(np.unique(rows, axis=0))
        found += sets is not None and count_copies(sets) >= 0.95 * n_equal
        if sets is not None:
            assert all(len(np.unique(rows[sets == k], axis=0)) == 1 for k in range(0, sets.max(), 97))
    assert found >= 19


def test_one_number_column_need_not_differ_everywhere():
    """Ten coarse columns together may identify a row: each column alone is coarse here."""
    rows = np.random.default_rng(0).integers(0, 12, (900, 10)).astype(float)
    rows[700:] = rows[:200]
    assert count_copies(find_copies(to_table(rows))) == 200


def coarse_tables() -> dict[str, Table]:
    random = np.random.default_rng(3)
    n = 2201
    deck = random.choice(["1st", "2nd", "3rd", "crew"], n, p=[0.15, 0.13, 0.32, 0.4])
    sex = np.where(random.random(n) < np.where(deck == "crew", 0.03, 0.35), "female", "male")
    age = np.where(random.random(n) < 0.05, "child", "adult")
    party = random.integers(0, 2, 435)
    votes = (random.random((435, 16)) < np.where(party, 0.95, 0.06)[:, None]).astype(float)
    words = (random.random((2500, 20)) < 0.05) * np.round(random.exponential(1, (2500, 20)), 2)
    levels = random.integers(0, 4, (6000, 6))
    one_hot = (levels[:, :, None] == np.arange(4)).reshape(6000, 24).astype(float)
    text = pd.DataFrame({f"c{j}": [f"level {k}" for k in levels[:, j]] for j in range(6)})
    return {
        "titanic": to_table(pd.DataFrame({"class": deck, "sex": sex, "age": age})),
        "votes": to_table(votes),
        "words": to_table(words),
        "rare flags": to_table((random.random((3000, 3)) < 0.02).astype(float)),
        "categories": to_table(text),
        "one-hot": to_table(one_hot),
        "one rounded number": to_table(np.round(random.normal(size=(2000, 1)), 2)),
        "two rounded numbers": to_table(np.round(random.normal(size=(2000, 2)), 1)),
    }


@pytest.mark.parametrize("name", list(coarse_tables()))
def test_equal_cases_are_not_copies(name):
    table = coarse_tables()[name]
    assert len(np.unique(hash_rows(table))) < table.n_rows
    assert find_copies(table) is None


def test_passengers_are_different_cases():
    assert find_copies(datasets.titanic().table) is None


def test_rows_of_zeros_and_little_else_are_no_copies_of_each_other():
    """Kept on one side, nine of ten rows would leave no hold-out."""
    amount = np.where(np.arange(200) % 10 == 0, np.arange(200.0), 0.0)
    found = find_equal_rows(to_table({"amount": amount}), np.zeros(200))
    assert (found.are_copies, found.sets, found.n_equal) == (False, None, 180)


def test_no_copies_no_sets():
    assert find_copies(to_table(wines(0, share=0.0))) is None
    assert find_copies(to_table(wines(0, n=1, share=0.0))) is None


def test_a_few_copies_are_not_spoken_of():
    rows = wines(1, share=0.0)
    rows[:2] = rows[2:4]
    assert find_copies(to_table(rows)) is None


def test_the_hash_is_of_values_not_of_codes():
    first = pd.DataFrame({"a": [1.0, np.nan, -0.0], "b": ["x", None, "y"]})
    second = pd.DataFrame({"a": np.array([0, 1], np.int64), "b": ["y", "x"]})
    one, other = hash_rows(to_table(first)), hash_rows(to_table(second))
    assert one[0] == other[1]
    assert one[2] == other[0]
    assert len(np.unique(one)) == 3
    swapped = hash_rows(to_table(np.array([[1.0, 2.0], [2.0, 1.0]])))
    assert swapped[0] != swapped[1]


def test_groups_that_share_copies_become_one():
    groups, sets = np.array([0, 0, 1, 1, 2, 3]), np.array([0, 1, 1, 2, 3, 3])
    assert join_groups(groups, sets).tolist() == [0, 0, 0, 0, 1, 1]


def test_a_table_written_several_times_has_copies_however_few_its_columns() -> None:
    random = np.random.default_rng(0)
    frame = pl.DataFrame({"x": random.normal(size=60).round(2), "kind": random.choice(["a", "b"], 60)})
    found = find_copies(to_table(pl.concat([frame] * 3)))
    assert found is not None
    assert count_copies(found) >= 120
    design = pl.DataFrame({"heat": [1, 2, 3, 4, 5] * 5, "kind": sorted("abcde" * 5)})
    assert find_copies(to_table(pl.concat([design] * 3))) is None  # replicates of an experiment
