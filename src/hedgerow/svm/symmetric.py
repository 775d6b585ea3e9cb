"""Is a kernel matrix symmetric?   In: a square matrix.   Out: nothing, or an error that names two different values.

Block by block, so that Ctrl-C is never far away and nothing of the matrix' size is made.
"""

import numpy as np

from hedgerow.types import Float

BLOCK = 512
OFF = 1e-4  # of the largest value: more than rounding of float32


def check_symmetric(matrix: Float, words: str) -> None:
    """`words`: what gave it."""
    largest = max(
        (float(np.abs(matrix[i : i + BLOCK]).max()) for i in range(0, len(matrix), BLOCK)), default=0.0
    )
    for i in range(0, len(matrix), BLOCK):
        for j in range(0, i + BLOCK, BLOCK):
            off = np.abs(matrix[i : i + BLOCK, j : j + BLOCK] - matrix[j : j + BLOCK, i : i + BLOCK].T)
            if off.size and off.max() > OFF * largest:
                at = np.unravel_index(int(off.argmax()), off.shape)
                a, b = int(at[0]) + i, int(at[1]) + j
                raise ValueError(
                    f"{words} is not symmetric: the value of rows {a} and {b} is {matrix[a, b]:.6g}, that of rows {b} "
                    f"and {a} is {matrix[b, a]:.6g}. A kernel does not depend on the order of its rows; "
                    "(K + K.T) / 2 is one that does not."
                )
