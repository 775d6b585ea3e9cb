"""Rows held out: complete, proportional, repeatable."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.table.split import hold_out

strata = st.lists(st.integers(0, 4), min_size=4, max_size=60).map(lambda cells: np.array(cells, np.int64))


@given(strata, st.floats(0.01, 0.99), st.integers(0, 9))
def test_hold_out(rows: np.ndarray, share: float, seed: int) -> None:
    train, test = hold_out(rows, share, seed)
    assert sorted([*train, *test]) == list(range(len(rows)))
    assert len(train) >= 2
    assert len(test) >= 1
    for stratum in np.unique(rows):
        wanted = np.count_nonzero(rows == stratum) * len(test) / len(rows)
        assert abs(np.count_nonzero(rows[test] == stratum) - wanted) < 1 + 1e-9
    np.testing.assert_array_equal(hold_out(rows, share, seed)[1], test)
