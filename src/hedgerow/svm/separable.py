"""Are two classes linearly separable?   In: rows with signs.   Out: None, or a few rows that prove that they cannot.

The proof: weights, 0 or more, that sum to 1 within each class and make the two weighted means the same point. A
linear program finds such weights; its corners have few rows, and rows that the proof does not need are left out.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from hedgerow.svm.kernel import Kernel, kernel_matrix
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.solution import Solution
from hedgerow.types import Count, Float

MOST_ROWS = 1500  # in the linear program, those with the largest weights
EXACT = 1e-7  # distance of the two points, relative to the rows, that counts as none


def opposite_twins(y: Float, rows: KernelInput) -> tuple[int, int] | None:
    """Two equal rows of different signs."""
    if rows.gram is not None:
        return None  # equal kernel rows are found by the linear program
    first: dict[bytes, int] = {}
    for i, key in enumerate(_keys(rows)):
        j = first.setdefault(key, i)
        if y[j] != y[i]:
            return j, i
    return None


def _keys(rows: KernelInput) -> Iterator[bytes]:
    """Equal rows have equal keys."""
    if rows.dense is not None:
        for row in rows.dense + 0.0:  # -0.0 is 0.0
            yield row.tobytes()
        return
    sparse = rows.sparse().copy()
    sparse.eliminate_zeros()
    for start, end in pairwise(sparse.indptr):
        yield sparse.indices[start:end].tobytes() + sparse.data[start:end].tobytes()


def common_point(
    y: Float, kernel: Kernel, rows: KernelInput, solution: Solution
) -> tuple[Count, Float] | None:
    """Rows and weights that prove it, from the support vectors of a nearly hard margin; None if there are none."""
    order = np.argsort(-solution.alpha, kind="stable")[:MOST_ROWS]
    which = np.sort(order[solution.alpha[order] > 0])
    features = _features(kernel, rows.take(which))
    if features is None:
        return None
    signs = y[which]
    weights = _weights(features, signs)
    if weights is None:
        return None
    kept = np.flatnonzero(weights)
    for row in kept[np.argsort(weights[kept], kind="stable")]:  # the lightest may be the least needed
        fewer = kept[kept != row]
        again = _weights(features[fewer], signs[fewer]) if len(fewer) < len(kept) else None
        if again is not None:
            kept = fewer[again > 0]
    final = _weights(features[kept], signs[kept])
    if final is None:
        return None
    return which[kept], final


def _features(kernel: Kernel, rows: KernelInput) -> Float | None:
    """Coordinates whose inner products are the kernel: the rows themselves, or a factor of the kernel matrix.
    None where the matrix is not positive semidefinite: then there are none."""
    if kernel.is_linear and rows.dense is not None:
        return rows.dense / (np.abs(rows.dense).max() or 1.0)
    matrix = kernel_matrix(kernel, rows, rows)
    values, vectors = np.linalg.eigh(matrix)
    if values.min() < -1e-8 * np.abs(values).max():
        return None
    keep = values > 1e-12 * max(values.max(), 1e-300)
    factor: Float = vectors[:, keep] * np.sqrt(values[keep])
    return factor / (np.abs(factor).max(initial=0.0) or 1.0)


def _weights(features: Float, signs: Float) -> Float | None:
    """sum of weight * sign * feature = 0, weights of each class sum to 1, none below 0. None: impossible."""
    positive = signs > 0
    if positive.all() or not positive.any():
        return None
    from scipy.optimize import linprog

    equations = np.vstack([(features * signs[:, None]).T, positive, ~positive])
    wanted = np.zeros(len(equations))
    wanted[-2:] = 1.0
    found: Any = linprog(
        np.zeros(len(signs)), A_eq=equations, b_eq=wanted, bounds=(0, None), method="highs-ds"
    )
    if found.x is None:
        return None
    weights = np.where(found.x > 1e-12, found.x, 0.0)
    off = np.abs(equations @ weights - wanted).max()
    return weights if off <= EXACT else None
