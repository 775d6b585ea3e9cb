"""The kernels of support vector machines this build has.   In: the native core's list.   Out: name -> what it is.

A kernel is one file, native/svm/kernels/<name>.hpp, which the build finds; nothing in Python lists their names.
"""

from dataclasses import dataclass

from hedgerow.core import _native as native


@dataclass(frozen=True)
class KernelTraits:
    gamma: bool  # whether it has this parameter
    coef0: bool
    degree: bool
    movable: bool  # it looks at differences of rows only
    positive: bool  # positive semidefinite for every coef0 of at least zero
    linear: bool  # its value is x.z itself
    text: str  # how it is shown, such as "gamma {gamma}"


KERNEL_TRAITS = {name: KernelTraits(**traits) for name, traits in native.kernel_names().items()}
KERNELS = tuple(KERNEL_TRAITS)
GAMMA_KERNELS = tuple(name for name, it in KERNEL_TRAITS.items() if it.gamma)
DEGREE_KERNELS = tuple(name for name, it in KERNEL_TRAITS.items() if it.degree)
