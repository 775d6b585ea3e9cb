"""The hold-out is had once, and nothing before knows of it."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hedgerow.intake import Samples
from hedgerow.studies.holdout import SealError, seal
from hedgerow.table import to_table

GROUPS = np.arange(40) // 20 * 3 + np.arange(40) % 2


def rows(n: int = 40, groups: bool = False) -> Samples:
    random = np.random.default_rng(0)
    frame = pl.DataFrame({"x": random.normal(size=n), "town": random.choice(list("abcdefgh"), n)})
    target = random.integers(0, 2, n)
    return Samples(to_table(frame), target, None, np.arange(n) // 4 if groups else None, np.arange(n))


def test_opened_once():
    _, sealed = seal(rows(), np.zeros(40, np.int64), 0.2, 0)
    assert len(sealed.open().target) == sealed.n_rows == 8
    with pytest.raises(SealError, match="opened already"):
        sealed.open()


def test_every_row_is_on_one_side():
    train, sealed = seal(rows(), np.zeros(40, np.int64), 0.25, 3)
    assert sorted([*train.numbers, *sealed.open().numbers]) == list(range(40))


def test_a_row_without_weight_is_not_there():
    """Of rows that count the last are sealed, and a class that no such row has is no class."""
    weight = np.repeat([1.0, 0.0], 20)
    weighted = replace(rows(), weight=weight, time=np.arange(40.0))
    train, sealed = seal(weighted, np.zeros(40, np.int64), 0.2, 0)
    assert sealed.n_rows == 4
    assert [*train.numbers, *sealed.open().numbers] == list(range(20))
    with pytest.raises(ValueError, match="rows of one class only: the rarest class has 0 rows"):
        seal(replace(weighted, time=None), np.repeat([0, 1], 20), 0.2, 0)


def test_groups_stay_whole():
    train, sealed = seal(rows(groups=True), np.zeros(40, np.int64), 0.3, 1)
    out = sealed.open()
    assert not set(train.groups) & set(out.groups)
    assert 4 <= len(out.target) <= 16


@pytest.mark.parametrize("seed", range(8))
def test_groups_are_drawn_until_both_sides_have_two_classes(seed):
    """Ten machines, three of which ever fail: two drawn at random mostly have not."""
    machine, fault = np.arange(40) // 4, np.isin(np.arange(40) // 4, [0, 3, 8]) * (np.arange(40) % 2)
    train, sealed = seal(replace(rows(groups=True), target=fault, groups=machine), fault, 0.2, seed)
    for side in (train, sealed.open()):
        assert len(np.unique(side.target)) == 2


def test_a_class_of_one_group_is_refused():
    fault = (np.arange(40) // 4 == 3) * 1
    with pytest.raises(ValueError, match=r"rarest class has 4 rows of 1 group .* Give more groups of it"):
        seal(replace(rows(groups=True), target=fault), fault, 0.2, 0)


def test_two_groups_are_too_few():
    two = rows()
    with pytest.raises(ValueError, match="2 different groups"):
        seal(
            Samples(two.table, two.target, None, np.arange(40) % 2, two.numbers),
            np.zeros(40, np.int64),
            0.3,
            1,
        )


def test_a_level_of_sealed_rows_only_is_unknown():
    frame = pl.DataFrame({"town": ["a"] * 20 + ["b"] * 20})
    whole = Samples(
        to_table(frame),
        np.zeros(40, np.int64),
        None,
        GROUPS,
        np.arange(40),
    )
    train, _ = seal(whole, np.zeros(40, np.int64), 0.5, 2)
    levels = set(frame.get_column("town").to_numpy()[train.numbers])
    assert set(train.table.column("town").levels) == levels
    codes = train.table.column("town")
    assert [codes.levels[k] for k in codes.values] == frame.get_column("town").to_numpy()[
        train.numbers
    ].tolist()
