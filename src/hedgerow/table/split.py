"""Rows split at random, in proportion.   In: a stratum for each row (its class, or 0), a seed.   Out: the fold of each
row, or which rows are held out.

    by stratum, shuffled within     a a a a a a b b b b b b
    dealt to three folds            0 1 2 0 1 2 0 1 2 0 1 2
    every fourth is held out          ^       ^       ^

So each stratum gives its share, as near as whole rows allow, and the same seed gives the same rows on every machine.
Rows of one set (copies of each other: copies.py) go together: a set is drawn as one row, of its first row's stratum.
Where there are too few sets for that, rows are drawn one by one.
Written here in a few lines because loading scikit-learn's splitters takes longer than fitting most tables.
"""

import numpy as np

from hedgerow.table.row_hash import mix_bits
from hedgerow.types import Count, Float, Mask, Word


def stratified_split(
    strata: Count, share: float, seed: int, *, keep: int = 1, sets: Count | None = None
) -> Mask:
    """Which rows are held out: about this share of each stratum; at least one row, and all but `keep` at most.
    `sets`: for each row the number of the set that it stays with.
    """
    if sets is not None:
        first, place = _first_rows(sets)
        if len(first) > keep:
            return stratified_split(strata[first], share, seed, keep=keep)[place]
    n_rows = len(strata)
    n_out = min(max(1, round(share * n_rows)), n_rows - keep)
    out = np.zeros(n_rows, bool)
    out[_by_stratum(strata, seed)[((np.arange(n_out) + 0.5) * n_rows / n_out).astype(np.int64)]] = True
    return out


def stratified_folds(strata: Count, n_folds: int, seed: int, sets: Count | None = None) -> Count:
    """The fold of each row, 0 to n_folds - 1."""
    if sets is not None:
        first, place = _first_rows(sets)
        if len(first) >= n_folds:
            return stratified_folds(strata[first], n_folds, seed)[place]
    fold = np.empty(len(strata), np.int64)
    fold[_by_stratum(strata, seed)] = np.arange(len(strata)) % n_folds
    return fold


def draw_keys(position: Count | Word, seed: int) -> Float:
    """For each row a number from 0 to 1 that looks random: of its position, or hash, and the seed alone, so that it
    does not matter where the row lies, or what others there are."""
    start = mix_bits(np.array([seed % 2**64], np.uint64))
    return np.asarray(mix_bits(position.astype(np.uint64) + start) >> np.uint64(11)) * 2.0**-53


def hold_out(strata: Count, share: float, seed: int, sets: Count | None = None) -> tuple[Count, Count]:
    """Training rows and held-out rows, in the order of the table; at least one is held out, two are not."""
    out = stratified_split(strata, share, seed, keep=2, sets=sets)
    return np.flatnonzero(~out), np.flatnonzero(out)


def hold_out_last(time: Float, share: float) -> tuple[Count, Count]:
    """Training rows and the last ones, each in the order of time; rows of one moment stay together."""
    order = np.argsort(time, kind="stable")
    starts = np.flatnonzero(np.diff(time[order])) + 1  # where a new moment begins
    possible = starts[starts >= 2]
    if not len(possible):
        raise ValueError(
            "All rows are of one moment: nothing comes before anything else. Give another time column."
        )
    cut = possible[np.argmin(np.abs(possible - (1 - share) * len(time)))]
    return order[:cut], order[cut:]


def _first_rows(sets: Count) -> tuple[Count, Count]:
    """The first row of each set, and the place of each row's set among them."""
    _, first, place = np.unique(sets, return_index=True, return_inverse=True)
    return first, place.reshape(-1)


def _by_stratum(strata: Count, seed: int) -> Count:
    shuffled = np.random.default_rng(seed).permutation(len(strata))
    return shuffled[np.argsort(strata[shuffled], kind="stable")]
