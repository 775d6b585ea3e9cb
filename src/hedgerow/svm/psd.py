"""Kernel matrices that are no inner products.   In: kernel values.   Out: KernelCheck: the smallest eigenvalue and,
where it is below zero, a vector c with c'Kc < 0; a warning in words.

A kernel matrix is positive semidefinite: c'Kc >= 0 for all c. Where it is not, each step of the solver still lowers the
objective, so that it ends, at a point that no pair of variables can improve; but there may be better ones, and the
duality gap bounds nothing. The solver meets K_ii + K_jj - 2 K_ij, the squared distance of two rows, and at the end
b'Kb: either below zero proves it, but neither need be. So kernels that are not semidefinite by their formula are
factorised (Cholesky): all rows of small tables, a sample of large ones, support vectors first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.docstrings import document
from hedgerow.svm.kernel import Kernel, kernel_matrix
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.types import Count, Float

CLEARLY = -1e-6  # relative to the two diagonal values; closer to zero is rounding
ROUNDING = 1e-9  # an eigenvalue closer to zero, relative to the largest value of the matrix, counts as zero
MOST_ROWS = 2000  # that are factorised in a fit


class KernelWarning(UserWarning):
    """The kernel matrix is not positive semidefinite, or holds nothing."""


@dataclass(frozen=True, eq=False, repr=False)
class KernelCheck(Result):
    """Whether a matrix can be one of inner products.

    As a truth value, the answer.

    Attributes
    ----------
    positive :
        Whether it is positive semidefinite and symmetric.
    eigenvalue :
        The smallest.
    witness :
        A vector c of length one with c'Kc = eigenvalue, where that is below zero.

    See Also
    --------
    hedgerow.is_kernel : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import is_kernel
    >>> round(float(is_kernel(np.array([[1.0, 2.0], [2.0, 1.0]])).eigenvalue), 6)
    -1.0
    """

    positive: bool
    eigenvalue: float
    witness: Float | None

    def __bool__(self) -> bool:
        return self.positive

    def to_dict(self) -> dict[str, Any]:
        witness = None if self.witness is None else self.witness.tolist()
        return {"positive": self.positive, "eigenvalue": self.eigenvalue, "witness": witness}

    def tables(self) -> list[DisplayTable]:
        answer = "yes" if self.positive else "no: c'Kc is below zero for c = witness"
        lines = [
            ("positive semidefinite", answer),
            ("smallest eigenvalue", f"{self.eigenvalue:.6g}"),
        ]
        return [DisplayTable((), lines, words=(0, 1))]


@document()
def is_kernel(K: Any) -> KernelCheck:
    """Whether K is a kernel matrix: symmetric and positive semidefinite (Mercer's condition for these rows).

    Parameters
    ----------
    K : array of shape (n, n)
        Kernel values of n rows with each other.

    Returns
    -------
    KernelCheck
        True or false as a truth value; `eigenvalue`, the smallest one, and `witness`, a vector c with c'Kc < 0 where
        there is one. Eigenvalues closer to zero than 1e-9 of the largest value of K count as zero.

    See Also
    --------
    SVC : Takes such a matrix with `kernel="precomputed"`.

    Examples
    --------
    >>> from hedgerow import is_kernel
    >>> bool(is_kernel([[1.0, 0.5], [0.5, 1.0]])), bool(is_kernel([[1.0, 2.0], [2.0, 1.0]]))
    (True, False)
    """
    from scipy.linalg import eigh

    matrix = np.asarray(K, np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(f"K has the shape {matrix.shape}; wanted a square matrix of kernel values.")
    if not np.isfinite(matrix).all():
        raise ValueError("K holds NaN or infinity; kernel values are finite numbers.")
    size = float(np.abs(matrix).max())
    if not np.allclose(matrix, matrix.T, rtol=0, atol=ROUNDING * size):
        i, j = np.unravel_index(np.argmax(np.abs(matrix - matrix.T)), matrix.shape)
        raise ValueError(
            f"K is not symmetric: K[{i}, {j}] is {matrix[i, j]:g}, K[{j}, {i}] is {matrix[j, i]:g}. A kernel is."
        )
    values, vectors = eigh((matrix + matrix.T) / 2, subset_by_index=[0, 0])
    smallest = float(values[0])
    if smallest >= -ROUNDING * size:
        return KernelCheck(True, smallest, None)
    return KernelCheck(False, smallest, vectors[:, 0])


def measure_curvature(kernel: Kernel, rows: KernelInput, support: Count, threads: int) -> float:
    """The smallest eigenvalue of the kernel matrix relative to its largest value, if that is below zero; else 0. Of at
    most MOST_ROWS rows, the support vectors among them first: a part that is not semidefinite proves it for all."""
    if kernel.is_positive:
        return 0.0
    if rows.n_rows > MOST_ROWS:
        others = np.setdiff1d(np.arange(rows.n_rows), support)
        rows = rows.take(np.sort(np.concatenate([_spread(support), _spread(others)])[:MOST_ROWS]))
    matrix = kernel_matrix(kernel, rows, rows, threads)
    size = float(np.abs(matrix).max())
    if size == 0 or _factorises(matrix, ROUNDING * size):
        return 0.0
    found = is_kernel((matrix + matrix.T) / 2)
    return 0.0 if found else found.eigenvalue / size


def _spread(which: Count) -> Count:
    """At most MOST_ROWS of them, evenly."""
    if len(which) <= MOST_ROWS:
        return which
    return which[np.linspace(0, len(which) - 1, MOST_ROWS).astype(np.int64)]


def _factorises(matrix: Float, shift: float) -> bool:
    from scipy.linalg import LinAlgError, cholesky

    shifted = matrix.copy()
    shifted[np.diag_indices_from(shifted)] += shift
    try:
        cholesky(shifted, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return False
    return True


def explain(curvature: float) -> str | None:
    if curvature >= CLEARLY:
        return None
    return (
        "the kernel matrix is not positive semidefinite: a squared distance or length in its space is below zero "
        f"({curvature:.2g} of what it is made of), so that it is no inner product. The solution is a local optimum and "
        "its duality gap bounds nothing. For sigmoid, try a smaller gamma or a larger coef0, or use rbf."
    )
