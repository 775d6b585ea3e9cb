"""Which rows are alike?   In: the leaves of rows in each tree.   Out: the share of trees in
which two rows end in one leaf.

Out of bag only the trees count that have seen neither of the two.
"""

from typing import Any

import numpy as np

from hedgerow.types import Count, Index, Mask


def leaf_matrix(leaves: Index, starts: Count) -> Any:
    """Sparse: rows x leaves of all trees, one where the row ends."""
    from scipy.sparse import csr_matrix

    n, n_trees = leaves.shape
    column = (leaves + starts[None, :-1]).ravel()
    ones = np.ones(len(column), np.float64)
    return csr_matrix((ones, column, np.arange(0, len(column) + 1, n_trees)), shape=(n, int(starts[-1])))


def proximities(a: Index, b: Index, starts: Count) -> Any:
    """Sparse: rows of a x rows of b."""
    together = leaf_matrix(a, starts) @ leaf_matrix(b, starts).T
    return (together / a.shape[1]).tocsr()


def outside_proximities(leaves: Index, starts: Count, outside: Mask) -> Any:
    """Sparse: rows x rows. `outside`: rows x trees, where the tree has not seen the row."""
    from scipy.sparse import coo_matrix, csr_matrix

    ends = leaf_matrix(leaves, starts)
    ends.data = outside.astype(np.float64).ravel()
    together = (ends @ ends.T).tocoo()
    keep = together.data > 0
    i, j, many = together.row[keep], together.col[keep], together.data[keep]
    both = np.empty(len(i))
    for begin in range(0, len(i), 1 << 18):  # in pieces: rows x trees of a piece at a time
        part = slice(begin, begin + (1 << 18))
        both[part] = (outside[i[part]] & outside[j[part]]).sum(axis=1)
    return csr_matrix(coo_matrix((many / both, (i, j)), shape=together.shape))
