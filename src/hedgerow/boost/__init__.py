"""boost: weak learners -> Rounds, whose weighted sum is strong."""

from hedgerow.boost.boost import Choices, boost
from hedgerow.boost.combine import classes_of_scores, scores, staged_scores
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.rows import Rows, SparseColumns, rows_of_matrix
from hedgerow.boost.target import Signs, Target, Votes, signs_of
from hedgerow.boost.watch import Watch

__all__ = [
    "Choices",
    "Round",
    "Rounds",
    "Rows",
    "Signs",
    "SparseColumns",
    "Target",
    "Votes",
    "Watch",
    "boost",
    "classes_of_scores",
    "rows_of_matrix",
    "scores",
    "signs_of",
    "staged_scores",
]
