"""Columns of few different numbers are looked up, not sorted: the same codes, and one byte for 256 of them."""

import numpy as np
import pytest

from hedgerow.core import native


def _columns(rng: np.random.Generator, dtype: type, n_rows: int) -> list[np.ndarray]:
    columns = []
    for n_values in (1, 2, 255, 256, 257, 400):
        for gaps in (False, True):
            column = ((rng.integers(0, n_values, n_rows) - n_values // 2) / 3).astype(dtype)
            column[rng.random(n_rows) < 0.1 * gaps] = np.nan
            columns.append(column)
    return [*columns, np.array([0.0, -0.0] * n_rows, dtype)[:n_rows]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", [1, 3, 300, 5_001])
def test_codes_and_their_values_are_those_of_numpy(dtype, n_rows):
    columns = _columns(np.random.default_rng(n_rows), dtype, n_rows)
    ranked = native.rank_columns(columns, 2)
    values = native.distinct_values(
        columns, [codes for codes, *_ in ranked], np.array([n for _, n, _ in ranked]), 2
    )
    for column, (codes, n_codes, n_missing), found in zip(columns, ranked, values, strict=True):
        missing = np.isnan(column)
        distinct = np.unique(column[~missing])
        assert (n_codes, n_missing) == (len(distinct), missing.sum())
        np.testing.assert_array_equal(codes, np.where(missing, n_codes, np.searchsorted(distinct, column)))
        np.testing.assert_array_equal(found, distinct)
        assert codes.dtype == (np.uint8 if n_codes + bool(n_missing) <= 256 else np.uint16)


@pytest.mark.parametrize("layout", ["C", "F", "steps"])
@pytest.mark.parametrize("shape", [(7, 3), (1_301, 407)])
def test_infinities_are_found_wherever_they_stand(layout, shape):
    rows = np.zeros((2 * shape[0], 2 * shape[1]), np.float32)[::2, ::2] if layout == "steps" else None
    rows = np.zeros(shape, order=layout) if rows is None else rows
    rows[-1, 0] = np.nan
    assert not native.any_infinite(rows, 2)
    for place in ((0, 0), (-1, -1), (shape[0] // 2, 1)):
        rows[place] = -np.inf
        assert native.any_infinite(rows, 2)
        rows[place] = 1e38
