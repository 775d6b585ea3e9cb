"""Sums of more rows than a word has room for (docs/decisions/0018-integer-histograms.md).   In: gradients and hessians
of 2^30 rows and more.   Out: sums without overflow that do not depend on where rows lie.

    a row     a word in units that are finer by 2^shift, so that a typical row still has a thousand of them
    a worker  words are added up in blocks whose sums have room; the halves of a block go to 64 bits each
    a node    its sums are rounded to words again, once, to choose a split: by sums of all codes up to each, so that all
              columns have the same total

A node whose sums have room as they are is treated as always.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.bins import Bins
from hedgerow.types import Count, UIndex

Units = tuple[float, float, int, int, float, bool]  # native/gradient/quantise.hpp

FROM_ROWS = 2**30  # with so many, words have no room for their sums
ROWS_OF_A_WORD = 2**20  # rows that share 2^30 units: a thousand each
MOST_COUNTED = 2**31 - 1  # rows of a node that are counted by code
ROOM = 30  # bits of a sum in a word
BLOCK = 2**29  # units: of the sums of a block, and at most of a row


def find_units(extent: Any, coarse: tuple[int, int, int], n_rows: int) -> tuple[Units, Units | None]:
    """The units of words; and those of the leaves' sums, where sums of words would have no room (else None)."""
    if n_rows < FROM_ROWS:
        return native.gradient_units(extent, coarse, n_rows), None
    shift = (n_rows // ROWS_OF_A_WORD).bit_length()
    while True:  # a row far above the others is less than a block too
        parts = (coarse[0] >> shift, coarse[1] >> shift, coarse[2] >> shift)
        units = native.gradient_units(extent, parts, n_rows >> shift)
        if shift == 0 or (extent[0] < BLOCK * units[0] and units[2] < BLOCK):
            break
        shift -= 1
    return units, (units[0] * 2.0**shift, units[1] * 2.0**shift, *units[2:])


def split_words(words: Count) -> Count:
    """Sums of gradients and of hessians, as two rows."""
    return np.stack([words >> 32, words & 0xFFFFFFFF])


def cut_blocks(words: Count, rows: UIndex) -> list[UIndex]:
    """Rows in blocks whose sums have room."""
    gradient, hessian = split_words(words[rows])
    load = np.cumsum(np.maximum(np.abs(gradient), hessian))
    many = int(load[-1]) // BLOCK if len(load) else 0
    return np.split(rows, np.searchsorted(load, BLOCK * np.arange(1, many + 1)))


@dataclass(frozen=True, eq=False)
class Narrowed:
    """The sums of a node as words, and how a split of it is chosen."""

    cells: Count
    total: int
    units: Units
    rules: dict[str, Any]


def narrow(cells: Count, bins: Bins, units: Units, n_rows: int, rules: dict[str, Any]) -> Narrowed:
    sums = _sums_by_code(cells, bins)
    bits = [int(most).bit_length() for most in _largest_sums(cells, sums, bins)]
    g, h = (max(0, many - ROOM) for many in bits)
    rounded = np.stack([_shift(sums[0], g), _shift(sums[1], h)])
    starts = _starts(bins)
    ends = np.append(starts[1:], cells.shape[1]) - 1
    narrow_cells = np.diff(rounded, axis=1, prepend=0)
    narrow_cells[:, starts] = rounded[:, starts]
    words = (narrow_cells[0] << 32) + narrow_cells[1]
    total = (int(rounded[0, ends[0]]) << 32) + int(rounded[1, ends[0]])
    if g == h == 0:
        return Narrowed(words, total, units, rules)
    largest, least = (units[2] >> h) + 1, max(0, (units[3] >> h) - 1)
    own: Units = (units[0] * 2.0**g, units[1] * 2.0**h, largest, least, units[4], True)
    pretended = _pretended(sums[:, ends[0]], units, own, n_rows)
    rules = rules | {"min_gain": max(rules["min_gain"], pretended)}
    if n_rows > MOST_COUNTED:  # bounds of the hessian decide about min_rows
        rules["min_hessian"] = max(rules["min_hessian"], rules["min_rows"] * largest * own[1])
    return Narrowed(words, total, own, rules)


def _sums_by_code(cells: Count, bins: Bins) -> Count:
    """Of all codes of the column up to each."""
    starts = _starts(bins)
    sums = np.cumsum(cells, axis=1)
    before = np.concatenate([np.zeros((2, 1), np.int64), sums], axis=1)[:, starts]
    return np.asarray(sums - np.repeat(before, np.diff(np.append(starts, cells.shape[1])), axis=1))


def _largest_sums(cells: Count, sums: Count, bins: Bins) -> Count:
    """Of gradients and of hessians: of all codes up to any; of any set of levels of a category."""
    starts = native.gradient_cell_starts(bins.n_bins, bins.has_missing)  # of each column
    order = np.argsort(starts)
    of_columns = np.add.reduceat(np.abs(cells), starts[order], axis=1)
    of_sets = of_columns[:, bins.categorical[order].astype(bool)]
    return np.asarray(np.concatenate([np.abs(sums), of_sets], axis=1).max(axis=1))


def _starts(bins: Bins) -> Count:
    return np.sort(native.gradient_cell_starts(bins.n_bins, bins.has_missing))


def _shift(sums: Count, bits: int) -> Count:
    """Rounded to the nearest."""
    return sums if bits == 0 else (sums + (1 << (bits - 1))) >> bits


def _pretended(total: Count, units: Units, own: Units, n_rows: int) -> float:
    """The gain that rounding alone can make (NodeSums.set_least_gain): of the rows, and once of the node."""
    hessian = float(total[1]) * units[1]
    if units[5] or hessian <= 0:
        return 0.0
    value = abs(float(total[0]) * units[0] / hessian)
    apart = n_rows * (units[0] + value * units[1]) + own[0] + value * own[1]
    return min(apart * apart / (4.0 * hessian), units[4])
