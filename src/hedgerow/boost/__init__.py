"""boost: weak learners -> Rounds, whose weighted sum is strong."""

from hedgerow.boost.boost import BoostOptions, boost
from hedgerow.boost.boost_input import BoostInput, SparseColumns, rows_of_matrix
from hedgerow.boost.combine import classes_of_scores, scores, staged_scores
from hedgerow.boost.early_stopping import ValidationRows
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.target import Signs, Target, Votes, signs_of

__all__ = [
    "BoostInput",
    "BoostOptions",
    "Round",
    "Rounds",
    "Signs",
    "SparseColumns",
    "Target",
    "ValidationRows",
    "Votes",
    "boost",
    "classes_of_scores",
    "rows_of_matrix",
    "scores",
    "signs_of",
    "staged_scores",
]
