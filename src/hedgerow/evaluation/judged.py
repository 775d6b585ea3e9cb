"""Rows to be judged.   In: Data, row numbers, what a model guessed of them.   Out: Judged."""

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.guess import Guess
from hedgerow.evaluation.metrics import Judged
from hedgerow.types import Count


def judged_rows_of(data: Data, rows: Count, guess: Guess) -> Judged:
    weight = np.ones(len(rows)) if data.weight is None else data.weight[rows]
    return Judged(data.y[rows], guess, weight, 0 if data.classes is None else len(data.classes))
