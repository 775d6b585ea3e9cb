"""Kernels by name.   In: rows.   Out: kernel values, or their weighted sums, from the native core.

The formulas stand once, in native/svm/kernels, a file each (core/kernels.py); "precomputed": the rows are a kernel
matrix already.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.core.kernels import KERNEL_TRAITS
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.types import Float, FloatAny

KERNELS = (*KERNEL_TRAITS, "precomputed")


@dataclass(frozen=True)
class Kernel:
    name: str = "rbf"
    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 3

    @property
    def native_args(self) -> tuple[str, float, float, int]:
        return self.name, self.gamma, self.coef0, self.degree

    @property
    def has_gamma(self) -> bool:
        return self.name in KERNEL_TRAITS and KERNEL_TRAITS[self.name].gamma

    @property
    def is_linear(self) -> bool:
        return self.name in KERNEL_TRAITS and KERNEL_TRAITS[self.name].linear

    @property
    def is_positive(self) -> bool:
        """Positive semidefinite by its formula, whatever the rows are."""
        traits = KERNEL_TRAITS.get(self.name)
        return traits is not None and traits.positive and (not traits.coef0 or self.coef0 >= 0)

    def __str__(self) -> str:
        """Name and parameters, as shown to people."""
        text = KERNEL_TRAITS[self.name].text if self.name in KERNEL_TRAITS else ""
        shown = text.format(gamma=f"{self.gamma:.4g}", coef0=f"{self.coef0:g}", degree=self.degree)
        return f"{self.name}, {shown}" if shown else self.name


def kernel_matrix(kernel: Kernel, rows: KernelInput, columns: KernelInput, threads: int = 1) -> Float:
    """rows x columns."""
    if rows.gram is not None:
        return rows.gram if rows.chosen is None else rows.gram[np.ix_(rows.chosen, rows.chosen)]
    return native.svm_matrix(*kernel.native_args, rows.native_args, columns.native_args, threads)


def gram(kernel: Kernel, rows: KernelInput, *, wide: bool, threads: int = 1) -> FloatAny:
    """Products of all rows with all: what kernel values are made of, whatever gamma is."""
    return native.svm_gram(kernel.name, rows.native_args, wide, threads)


def apply_kernel(kernel: Kernel, gram: FloatAny, threads: int = 1) -> FloatAny:
    """Kernel values from products of rows."""
    return native.svm_apply_kernel(*kernel.native_args, gram, threads)


def kernel_dot(
    kernel: Kernel,
    rows: KernelInput,
    coef: Float,
    columns: KernelInput,
    *,
    threads: int = 1,
    wide: bool = True,
) -> Float:
    """For each of `columns`, the sum over `rows` of coef times kernel: columns x outputs. `coef`: rows x outputs.

    `wide`: in float64; else kernel values in float32, twice as fast. Of a kernel matrix, `columns` holds the values.
    """
    coef = np.ascontiguousarray(coef, np.float64)
    if columns.gram is not None:
        return columns.gram @ coef
    return native.svm_kernel_dot(
        *kernel.native_args, rows.native_args, coef, columns.native_args, wide, threads
    )


def diagonal(kernel: Kernel, rows: KernelInput) -> Float:
    """The kernel of each row with itself."""
    if rows.gram is not None:
        values = np.diagonal(rows.gram)
        return np.array(values if rows.chosen is None else values[rows.chosen])
    if rows.dense is not None:
        squares: Float = np.einsum("ij,ij->i", rows.dense, rows.dense)
    else:
        squares = np.asarray(rows.sparse().power(2).sum(axis=1)).ravel()
    return native.svm_diagonal(*kernel.native_args, np.ascontiguousarray(squares, np.float64))
