"""Rows shared out evenly, and the same every time."""

import numpy as np
import pytest

from hedgerow.table.split import stratified_folds, stratified_split

STRATA = np.repeat([0, 1, 2], [70, 23, 7])


@pytest.mark.parametrize("n_folds", [2, 3, 10])
def test_each_fold_has_its_share_of_each_stratum(n_folds):
    fold = stratified_folds(STRATA, n_folds, seed=3)
    for stratum, many in zip(*np.unique(STRATA, return_counts=True), strict=True):
        counts = np.bincount(fold[stratum == STRATA], minlength=n_folds)
        assert counts.max() - counts.min() <= 1 or abs(counts - many / n_folds).max() < 1
    assert np.ptp(np.bincount(fold)) <= 1


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.99])
def test_held_out(share):
    out = stratified_split(STRATA, share, seed=0)
    assert out.sum() == max(1, round(share * 100))
    np.testing.assert_array_equal(out, stratified_split(STRATA, share, seed=0))
    if share == 0.2:
        assert [int(out[k == STRATA].sum()) for k in range(3)] == [14, 5, 1] or out.sum() == 20
    assert (stratified_split(STRATA, share, seed=1) != out).any()


def test_never_all():
    assert stratified_split(np.zeros(2, np.int64), 0.99, 0).sum() == 1
