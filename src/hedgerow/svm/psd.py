"""Kernel matrices that are no inner products.   In: the curvature the solver met.   Out: words, or none.

A kernel matrix is positive semidefinite: c'Kc >= 0 for all c. The solver moves two variables at a time and so sees
K_ii + K_jj - 2 K_ij, the squared distance of two rows, and at the end b'Kb, the squared length of the solution: either
below zero proves that K is not. Each step still lowers
the objective, so the solver ends, at a point that no pair can improve; but it need not be the only one, and the duality
gap bounds nothing.
"""

CLEARLY = -1e-6  # relative to the two diagonal values; closer to zero is rounding


class KernelWarning(UserWarning):
    """The kernel matrix is not positive semidefinite, or holds nothing."""


def explain(curvature: float) -> str | None:
    if curvature >= CLEARLY:
        return None
    return (
        "the kernel matrix is not positive semidefinite: a squared distance or length in its space is below zero "
        f"({curvature:.2g} of what it is made of), so that it is no inner product. The solution is a local optimum and "
        "its duality gap bounds nothing. For sigmoid, try a smaller gamma or a larger coef0, or use rbf."
    )
