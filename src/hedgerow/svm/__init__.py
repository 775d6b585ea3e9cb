"""Margins: the problem in the solver's one form, kernels, solving, certificates.

`solve(Problem, Kernel, KernelInput) -> Solution`, `certificate(problem, solution) -> Certificate`. No scikit-learn.
"""

from hedgerow.svm.certificate import Certificate, certificate
from hedgerow.svm.kernel import Kernel
from hedgerow.svm.kernel_input import KernelInput, rows_of
from hedgerow.svm.problem import Problem, classes_problem, numbers_problem
from hedgerow.svm.solution import Solution, SolverOptions
from hedgerow.svm.solve import solve

__all__ = [
    "Certificate",
    "Kernel",
    "KernelInput",
    "Problem",
    "Solution",
    "SolverOptions",
    "certificate",
    "classes_problem",
    "numbers_problem",
    "rows_of",
    "solve",
]
