"""The native engine with every option at its default, for tests."""

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.grown import GrownTree

OPTIONS = {
    "rows": None,
    "used_columns": None,
    "interactions": [],
    "max_leaves": 31,
    "max_depth": 0,
    "level_by_level": False,
    "min_rows": 1,
    "enough_hessian": np.inf,
    "min_hessian": 0.0,
    "min_gain": 0.0,
    "l1": 0.0,
    "l2": 0.0,
    "category_smoothing": 10.0,
    "category_l2": 5.0,
    "category_cost": 0.25,
    "few_levels": 4,
    "min_level_rows": 10.0,
    "max_features": 0,
    "seed": 0,
    "block_rows": 1 << 40,
    "threads": 1,
}


def grow(codes, n_bins, has_missing, gradient, hessian, *, categorical=None, monotone=None, **options):
    d = len(codes)
    n_bins, has_missing = np.asarray(n_bins, np.int32), np.asarray(has_missing, np.uint8)
    grouped = np.empty(codes.size + 16, np.uint8)
    native.gradient_group_codes(codes, n_bins, has_missing, None, grouped, 1)
    found = native.gradient_grow(
        codes=codes,
        grouped=grouped,
        n_bins=n_bins,
        has_missing=has_missing,
        categorical=np.zeros(d, np.uint8) if categorical is None else categorical,
        monotone=np.zeros(d, np.int8) if monotone is None else monotone,
        gradient=np.asarray(gradient, np.float64),
        hessian=np.asarray(hessian, np.float64),
        **(OPTIONS | options),
    )
    return GrownTree(*found)


def sample(n, d, seed, bins=17, missing=0.1):
    """Random codes with missing cells in odd columns, gradients and hessians."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, bins, (d, n)).astype(np.uint8)
    has_missing = np.arange(d) % 2
    for j in np.flatnonzero(has_missing):
        codes[j, rng.random(n) < missing] = bins
    signal = (codes[0] > bins // 2) - 0.5 * (codes[-1] % 3 == 0)
    gradient = rng.normal(size=n) - signal
    hessian = rng.uniform(0.05, 0.25, n)
    return codes, np.full(d, bins), has_missing, gradient, hessian
