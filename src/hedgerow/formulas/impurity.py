"""Impurity.   In: counts of classes, or a table of them, a line for each branch of a split.   Out: a number.

Of a table, an impurity is the mean over the branches, each by its share of the rows: what remains after the split.
Counts may be weights, or probabilities.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hedgerow.types import Float


def entropy(counts: Any, base: float = 2.0) -> float:
    """H = - sum p_k log p_k over the classes; 0 log 0 = 0. Base 2 gives bits, e nats.

    See Also
    --------
    hedgerow.formulas.gini : The impurity of CART.
    hedgerow.formulas.misclassification : The error of the most frequent class.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.formulas import entropy
    >>> entropy([1, 1])
    1.0
    >>> round(entropy([99, 1]), 2)
    0.08
    >>> bool(np.isclose(entropy([4, 4, 4], base=np.e), np.log(3)))
    True
    """
    return _impurity(lambda p: _entropy(p, base), counts)


def gini(counts: Any) -> float:
    """G = sum p_k (1 - p_k) = 1 - sum p_k^2.

    See Also
    --------
    hedgerow.formulas.entropy : The impurity of ID3 and C4.5.
    hedgerow.formulas.misclassification : The error of the most frequent class.

    Examples
    --------
    >>> from hedgerow.formulas import gini
    >>> gini([[30, 10], [10, 30]])
    0.375
    >>> round(gini([[20, 40], [20, 0]]), 3)
    0.333
    """
    return _impurity(lambda p: float(1 - p @ p), counts)


def misclassification(counts: Any) -> float:
    """E = 1 - max p_k: the error of the most frequent class.

    See Also
    --------
    hedgerow.formulas.entropy : The impurity of ID3 and C4.5.
    hedgerow.formulas.gini : The impurity of CART.

    Examples
    --------
    >>> from hedgerow.formulas import misclassification
    >>> misclassification([[30, 10], [10, 30]]), round(misclassification([[20, 40], [20, 0]]), 12)
    (0.25, 0.25)
    """
    return _impurity(lambda p: float(1 - p.max()), counts)


def conditional_entropy(table: Any, base: float = 2.0) -> float:
    """H(Y | X) = sum over branches of n_b / n H(Y | b): the remainder of a split.

    See Also
    --------
    hedgerow.formulas.information_gain : What a split gains.

    Examples
    --------
    >>> from hedgerow.formulas import conditional_entropy
    >>> patrons = [[2, 0], [0, 4], [4, 2]]  # none, some, full: no, yes
    >>> round(conditional_entropy(patrons), 3)
    0.459
    """
    return entropy(check_table(table), base)


def information_gain(table: Any, base: float = 2.0) -> float:
    """H(Y) - H(Y | X): what a split tells of the class.

    See Also
    --------
    hedgerow.formulas.conditional_entropy : What a split leaves.
    hedgerow.formulas.gain_ratio : The gain divided by the entropy of the split.

    Examples
    --------
    >>> from hedgerow.formulas import information_gain
    >>> round(information_gain([[2, 0], [0, 4], [4, 2]]), 3)
    0.541
    >>> information_gain([[1, 1], [1, 1], [2, 2], [2, 2]])
    0.0
    """
    counts = check_table(table)
    return entropy(counts.sum(axis=0), base) - conditional_entropy(counts, base)


def gain_ratio(table: Any) -> float:
    """Information gain divided by H(X), the entropy of the branches' sizes; 0 where there is one branch (C4.5).

    See Also
    --------
    hedgerow.formulas.information_gain : What a split gains.

    Examples
    --------
    >>> from hedgerow.formulas import gain_ratio
    >>> round(gain_ratio([[2, 0], [0, 4], [4, 2]]), 3)
    0.371
    """
    counts = check_table(table)
    size = entropy(counts.sum(axis=1))
    return information_gain(counts) / size if size > 0 else 0.0


def check_table(given: Any) -> Float:
    """Branches x classes."""
    table = check_counts(given)
    if table.ndim != 2:
        raise ValueError(
            f"A table has a line of counts for each branch, such as [[2, 0], [0, 4]]; it was {given!r}."
        )
    return table


def check_counts(given: Any) -> Float:
    counts = np.asarray(given, np.float64)
    if counts.ndim not in (1, 2) or not counts.size or not np.isfinite(counts).all() or counts.min() < 0:
        raise ValueError(f"Counts are numbers of at least 0, such as [9, 5]; it was {given!r}.")
    if counts.sum() <= 0:
        raise ValueError(f"{given!r} counts nothing. Give at least one row.")
    return counts


def _impurity(of_shares: Callable[[Float], float], given: Any) -> float:
    counts = check_counts(given)
    if counts.ndim == 1:
        return of_shares(counts / counts.sum())
    sizes = counts.sum(axis=1)
    parts = [n * of_shares(line / n) for line, n in zip(counts, sizes, strict=True) if n > 0]
    return float(sum(parts) / sizes.sum())


def _entropy(p: Float, base: float) -> float:
    if not base > 1:
        raise ValueError(f"base={base!r} is out of range. Give 2 for bits, or e.")
    known = p[p > 0]
    return float(max(0.0, -(known @ np.log(known)) / np.log(base)))
