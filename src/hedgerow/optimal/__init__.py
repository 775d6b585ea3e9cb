"""optimal: the best small tree of yes-no questions, with a proof."""

from hedgerow.optimal.certificate import Certificate
from hedgerow.optimal.problem import Costs, Size
from hedgerow.optimal.questions import Questions, make_questions
from hedgerow.optimal.solve import Solution, solve
from hedgerow.optimal.to_tree import to_tree

__all__ = ["Certificate", "Costs", "Questions", "Size", "Solution", "make_questions", "solve", "to_tree"]
