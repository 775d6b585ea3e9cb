"""The distribution a forest sees for a row (quantile regression forest, Meinshausen 2006).

In: the leaves of the training rows, their targets and weights in each tree.   Out: quantiles for new rows.

Each tree gives the training rows in the new row's leaf their share of the leaf's weight; the mean over the trees is a
weight for each training row. The weighted mean of their targets is the forest's prediction; their weighted quantiles
bound it: prediction intervals.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.ensemble.proximity import leaf_matrix
from hedgerow.types import Count, Float, Index

BLOCK = 512  # new rows at a time


@dataclass(frozen=True, eq=False)
class LeafRows:
    """What each leaf of each tree has learned from."""

    targets: Float  # of the training rows, from the smallest to the largest
    shares: Any  # sparse: leaves of all trees x training rows in that order; each leaf's sum is one
    starts: Count  # where each tree's nodes begin


def leaf_rows(leaves: Index, starts: Count, targets: Float, weights: Any) -> LeafRows:
    """weights : a function from a tree's number to the weight of each row in it; None: all one."""
    from scipy.sparse import coo_matrix

    order = np.argsort(targets, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    leaf, row, share = [], [], []
    for t in range(leaves.shape[1]):
        weight = weights(t)
        w = np.ones(len(targets)) if weight is None else np.asarray(weight, np.float64)
        used = np.flatnonzero(w)
        here = leaves[used, t]
        total = np.bincount(here, w[used], minlength=int(starts[t + 1] - starts[t]))
        leaf.append(here + starts[t])
        row.append(place[used])
        share.append(w[used] / total[here])
    shape = (int(starts[-1]), len(targets))
    shares = coo_matrix(
        (np.concatenate(share), (np.concatenate(leaf), np.concatenate(row))), shape=shape
    ).tocsr()
    return LeafRows(targets[order], shares, starts)


def quantiles_of(rows: LeafRows, leaves: Index, wanted: Float) -> Float:
    """New rows x wanted: the smallest target whose cumulative weight reaches the quantile."""
    out = np.empty((len(leaves), len(wanted)))
    for begin in range(0, len(leaves), BLOCK):
        block = leaves[begin : begin + BLOCK]
        weight = (leaf_matrix(block, rows.starts) @ rows.shares).tocsr()
        weight.sort_indices()
        for k in range(len(block)):
            part = slice(weight.indptr[k], weight.indptr[k + 1])
            rising = np.cumsum(weight.data[part])
            at = np.searchsorted(rising, wanted * rising[-1] * (1 - 1e-12), side="left")
            out[begin + k] = rows.targets[weight.indices[part][np.minimum(at, len(rising) - 1)]]
    return out
