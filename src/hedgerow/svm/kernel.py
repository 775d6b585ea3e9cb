"""Kernels by name.   In: rows.   Out: kernel values, or their weighted sums, from the native core.

linear x.z; poly (gamma x.z + coef0)^degree; rbf exp(-gamma |x - z|^2); sigmoid tanh(gamma x.z + coef0);
precomputed: the rows are a kernel matrix already. The formulas stand once, in native/svm/kernels.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.types import Float, FloatAny, Index

KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")


@dataclass(frozen=True)
class Kernel:
    name: str = "rbf"
    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 3

    @property
    def native_args(self) -> tuple[str, float, float, int]:
        return self.name, self.gamma, self.coef0, self.degree


def kernel_matrix(kernel: Kernel, rows: KernelInput, columns: KernelInput, threads: int = 1) -> Float:
    """rows x columns."""
    if rows.gram is not None:
        return rows.gram if rows.chosen is None else rows.gram[np.ix_(rows.chosen, rows.chosen)]
    return native.svm_matrix(*kernel.native_args, rows.native_args, columns.native_args, threads)


def products(kernel: Kernel, rows: KernelInput, *, wide: bool, threads: int = 1) -> FloatAny:
    """Of all rows with all: what kernel values are made of, whatever gamma is."""
    return native.svm_products(kernel.name, rows.native_args, wide, threads)


def bent(kernel: Kernel, products: FloatAny, threads: int = 1) -> FloatAny:
    """Kernel values from products of rows."""
    return native.svm_bend(*kernel.native_args, products, threads)


def kernel_sums(
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
    return native.svm_sums(*kernel.native_args, rows.native_args, coef, columns.native_args, wide, threads)


def diagonal(kernel: Kernel, rows: KernelInput, which: Index | None = None) -> Float:
    """The kernel of each row with itself."""
    if rows.gram is not None:
        values = np.diagonal(rows.gram)
        values = values if rows.chosen is None else values[rows.chosen]
        return np.array(values if which is None else values[which])
    if kernel.name == "rbf":
        return np.ones(rows.n_rows if which is None else len(which))
    if rows.dense is not None:
        some = rows.dense if which is None else rows.dense[which]
        squares: Float = np.einsum("ij,ij->i", some, some)
    else:
        squares = np.asarray(rows.sparse().power(2).sum(axis=1)).ravel()
        squares = squares if which is None else squares[which]
    if kernel.name == "linear":
        return squares
    inner = kernel.gamma * squares + kernel.coef0
    values = inner**kernel.degree if kernel.name == "poly" else np.tanh(inner)
    return np.asarray(values, np.float64)
