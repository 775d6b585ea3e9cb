"""What prunings compare.   In: counts of a node, or of its branches.   Out: a test, an error, a number of bits."""

from typing import Any, NamedTuple

import numpy as np

from hedgerow.formulas.impurity import check_counts, check_table
from hedgerow.prune.methods.minimum_description_length import bits_of_rows
from hedgerow.prune.methods.pessimistic import upper_limit


class ChiSquareTest(NamedTuple):
    """What `chi_square` finds.

    Parameters
    ----------
    statistic : float
        The sum over branches and classes.
    degrees_of_freedom : int
        Number of (branches - 1)(classes - 1).
    p_value : float
        Probability of branches at least as different, if classes and branches have nothing to do with each other.

    See Also
    --------
    hedgerow.formulas.chi_square : The test of a split.
    """

    statistic: float
    degrees_of_freedom: int
    p_value: float


def chi_square(table: Any) -> ChiSquareTest:
    """The statistic sum (n_bc - e_bc)^2 / e_bc with e_bc = n_b n_c / n, over branches b and classes c that have rows.

    Its degrees of freedom are (branches - 1)(classes - 1).

    See Also
    --------
    hedgerow.formulas.critical_value : The value a test must exceed.

    Examples
    --------
    >>> from hedgerow.formulas import chi_square
    >>> test = chi_square([[2, 0], [0, 4], [4, 2]])
    >>> round(test.statistic, 3), test.degrees_of_freedom, round(test.p_value, 3)
    (6.667, 2, 0.036)
    """
    from scipy.special import chdtrc

    counts = check_table(table)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    statistic = float(((counts - expected) ** 2 / expected).sum())
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    return ChiSquareTest(statistic, freedom, float(chdtrc(freedom, statistic)) if freedom else 1.0)


def critical_value(degrees_of_freedom: int, significance: float = 0.05) -> float:
    """The statistic that chance exceeds with this probability: a split below it is pruned.

    See Also
    --------
    hedgerow.formulas.chi_square : The test of a split.

    Examples
    --------
    >>> from hedgerow.formulas import critical_value
    >>> round(critical_value(3), 2)
    7.81
    """
    from scipy.special import chdtri

    if degrees_of_freedom < 1 or not 0 < significance < 1:
        raise ValueError(
            f"degrees_of_freedom={degrees_of_freedom!r} and significance={significance!r}: give at least 1, and a "
            "probability such as 0.05."
        )
    return float(chdtri(degrees_of_freedom, significance))


def pessimistic_error(wrong: float, rows: float, confidence: float = 0.25) -> float:
    """U(E, N): the upper limit of the error rate of a leaf with E of N rows wrong, as C4.5 computes it.

    Without errors 1 - confidence^(1 / N); else the normal approximation with continuity correction.

    See Also
    --------
    hedgerow.formulas.description_length : Bits to describe the classes of a leaf.

    Examples
    --------
    >>> from hedgerow.formulas import pessimistic_error
    >>> [round(pessimistic_error(0, n), 3) for n in (6, 9, 1)]
    [0.206, 0.143, 0.75]
    """
    if not 0 <= wrong <= rows or rows <= 0 or not 0 < confidence <= 0.5:
        raise ValueError(
            f"wrong={wrong!r} of rows={rows!r} at confidence={confidence!r}: give 0 to all of the rows, and a "
            "confidence of at most 0.5."
        )
    return upper_limit(wrong, rows, confidence)


def description_length(counts: Any) -> float:
    """The bits that tell the classes of n rows of k classes, n_i each.

    Rissanen's stochastic complexity,
    sum n_i log2(n / n_i) + (k - 1)/2 log2(n / 2) + log2(pi^(k/2) / Gamma(k/2))

    See Also
    --------
    hedgerow.formulas.pessimistic_error : The estimate of C4.5's pruning.

    Examples
    --------
    >>> from hedgerow.formulas import description_length
    >>> round(description_length([6, 6]), 2), round(description_length([12, 0]), 2)
    (14.94, 2.94)
    """
    known = check_counts(counts)
    if known.ndim != 1:
        raise ValueError(f"Give the counts of one node, such as [9, 5]; it was {counts!r}.")
    return float(bits_of_rows(known[None])[0])
