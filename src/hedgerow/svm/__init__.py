"""Margins: the problem in the solver's one form, kernels, solving, certificates.

`solve(Problem, Kernel, Rows) -> Solution`, `certificate(problem, solution) -> Certificate`. No scikit-learn here.
"""

from hedgerow.svm.certificate import Certificate, certificate
from hedgerow.svm.kernel import Kernel
from hedgerow.svm.problem import Problem, classes_problem, numbers_problem
from hedgerow.svm.rows import Rows, rows_of
from hedgerow.svm.solution import Effort, Solution
from hedgerow.svm.solve import solve

__all__ = [
    "Certificate",
    "Effort",
    "Kernel",
    "Problem",
    "Rows",
    "Solution",
    "certificate",
    "classes_problem",
    "numbers_problem",
    "rows_of",
    "solve",
]
