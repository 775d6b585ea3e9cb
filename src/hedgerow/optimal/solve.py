"""Solving.   In: Questions, a target, costs, a size.   Out: Solution: the best tree found, and how good it is.

`cost` is that of the tree, `bound` what no tree of the size costs less than; both without the price of leaves.
"""

from dataclasses import dataclass, fields
from time import perf_counter

import numpy as np

from hedgerow.core import native
from hedgerow.grow import Target
from hedgerow.optimal.problem import Costs, Problem, Size, make_problem
from hedgerow.optimal.questions import Questions
from hedgerow.types import Index


@dataclass(frozen=True, eq=False)
class Solution:
    question: Index  # by node, parents before children; -1 at a leaf
    first_child: Index  # where the answer is yes; the no side follows
    cost: float  # of the rows, without the price of leaves
    objective: float  # with it
    bound: float  # no tree has a smaller objective
    proved: bool
    n_sets: int  # of rows, that were solved
    seconds: float
    interrupt: BaseException | None = None  # what ended the search, for the caller to raise

    @property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.question < 0))


_GIVEN = tuple(f.name for f in fields(Problem) if f.name not in ("unit", "offset"))


def solve(
    questions: Questions,
    target: Target,
    costs: Costs,
    size: Size,
    *,
    time_limit: float = np.inf,
    threads: int = 1,
) -> Solution:
    begin = perf_counter()
    problem = make_problem(questions.answers, questions.column, target, costs, size)
    found = native.optimal_tree(
        **{name: getattr(problem, name) for name in _GIVEN}, seconds=time_limit, threads=threads
    )
    n_leaves = int(np.count_nonzero(found["question"] < 0))
    cost = problem.cost(found["cost"], n_leaves)
    objective = cost + n_leaves * size.leaf_price
    proved = found["lower"] >= found["cost"]
    bound = objective if proved else problem.offset + found["lower"] * problem.unit
    return Solution(
        question=found["question"],
        first_child=found["first_child"],
        cost=cost,
        objective=objective,
        bound=min(bound, objective),
        proved=proved,
        n_sets=found["n_sets"],
        seconds=perf_counter() - begin,
        interrupt=found["interrupt"],
    )
