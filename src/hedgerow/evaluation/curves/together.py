"""How scores move together.   In: answers of several fits about the same rows.   Out: their correlation.

The points of a learning curve are tested on the same rows: a hard row is hard for all of them. Each score is moved by
each row (its pull times its share); points whose moves go together rise and fall together.
"""

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.judged import judged_rows_of
from hedgerow.evaluation.metrics import Metric
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Float


def correlation(moves: list[Float]) -> Float:
    """Of scores, by the moves of their rows; one that nothing moves goes with no other."""
    lengths = np.array([float(np.sqrt(np.sum(one**2))) for one in moves])
    units = np.array(moves) / np.where(lengths > 0, lengths, 1.0)[:, None]
    found = np.asarray(units @ units.T)
    np.fill_diagonal(found, 1.0)
    return found


def moves_of(metric: Metric, answers: tuple[Answer, ...], data: Data, splits: Splits) -> Float:
    """How each row (or group) moves the metric, over all splits."""
    moves = np.zeros(data.n_rows)
    for part, answer in zip(splits.parts, answers, strict=True):
        if answer.guess is None or getattr(answer.guess, metric.needs) is None:
            continue
        rows = judged_rows_of(data, part.test, answer.guess)
        if not metric.by_fold or metric.mass(rows) > 0:
            moves[part.test] += rows.weight * metric.pulls(rows) / rows.weight.sum()
    return moves if data.groups is None else np.asarray(np.bincount(data.groups, moves), np.float64)
