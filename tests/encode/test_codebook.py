"""A Codebook gives training rows their codes back, and new rows the codes of their place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.encode import encode
from hedgerow.table import Column, Table, to_table


def mixed(n=37, seed=0):
    rng = np.random.default_rng(seed)
    number = rng.normal(size=n).round(1)
    number[rng.random(n) < 0.2] = np.nan
    level = rng.integers(-1, 4, n).astype(np.int32)
    columns = (Column("x", "number", number), Column("c", "category", level, tuple("abcd")))
    return Table(columns, n, True)


@pytest.mark.parametrize("max_bins", [None, 5])
@given(seed=st.integers(0, 10**6))
def test_training_rows_get_their_own_codes(max_bins, seed):
    table = mixed(seed=seed)
    encoded = encode(table, max_bins=max_bins)
    for again, codes in zip(encoded.codebook.codes(table), encoded.codes, strict=True):
        np.testing.assert_array_equal(again, codes)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=9), st.floats(-1e9, 1e9)
)
def test_a_new_number_gets_the_code_of_a_neighbour(values, new):
    encoded = encode(to_table(np.array(values)[:, None]))
    code = int(encoded.codebook.codes(to_table(np.array([[new]])))[0][0])
    distinct = np.unique(values)
    below, above = distinct[distinct <= new], distinct[distinct >= new]
    assert distinct[code] in (*below[-1:], *above[:1])


def test_unseen_and_missing_are_different():
    encoded = encode(mixed())
    new = Table(
        (
            Column("x", "number", np.array([0.0, np.nan])),
            Column("c", "category", np.array([0, -1], np.int32), ("zebra",)),
        ),
        2,
        True,
    )
    x, c = encoded.codebook.codes(new)
    assert x[1] == encoded.n_codes[0]
    assert c.tolist() == [5, 4]


def test_levels_are_found_by_their_text_not_their_number():
    encoded = encode(mixed())
    other = Column("c", "category", np.array([0, 1], np.int32), ("d", "a"))
    _, c = encoded.codebook.codes(Table((Column("x", "number", np.zeros(2)), other), 2, True))
    assert c.tolist() == [3, 0]


def test_255_levels_leave_room_for_missing_and_unseen():
    levels = tuple(f"{k:03}" for k in range(255))
    column = Column("c", "category", np.arange(255, dtype=np.int32), levels)
    encoded = encode(Table((column,), 255, True))
    new = Column("c", "category", np.array([0, -1, 1], np.int32), ("new", "254"))
    assert encoded.codebook.codes(Table((new,), 3, True))[0].tolist() == [256, 255, 254]
