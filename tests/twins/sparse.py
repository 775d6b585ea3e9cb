"""Sparse columns, slowly.   In: entries.   Out: codes, by writing every column out."""

import itertools

import numpy as np


def rank_entries(start, row, values, n_rows):
    """For each column: the codes of its entries, that of the other rows, the different numbers, the missing cells."""
    out = []
    for begin, end in itertools.pairwise(start):
        cells = np.zeros(n_rows)
        cells[row[begin:end]] = values[begin:end]
        different = np.unique(cells[~np.isnan(cells)] + 0.0)
        codes = np.where(np.isnan(cells), len(different), np.searchsorted(different, cells))
        without = np.setdiff1d(np.arange(n_rows), row[begin:end])
        rest = int(codes[without[0]]) if len(without) else 0
        out.append((codes[row[begin:end]], rest, different, int(np.isnan(cells).sum())))
    return out
