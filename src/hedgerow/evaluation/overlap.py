"""How much the rows of a cross-validation have to do with each other.   In: what the models of the folds say of each
other's training rows.   Out: what must be added to the variance of the rows, as a share of it.

The rows of fold f are tested, and they train the models that test fold g; the rows of g train the one that tests f. If
both pull each other the same way (rows that by chance favour one split of a tree are tested on trees that chose that
split because of them), errors of different folds go together, and the rows alone look surer than they are. How fold g
acts on fold f can be seen: let all models but the one without f judge the rows of f, and see how the one without g
differs from their mean. The products of the two directions, summed over all pairs of folds, estimate what is missing;
what chance does to one direction has nothing to do with what it does to the other, so it cancels.

AT_LEAST and TIMES were chosen by simulation, and judged on other models and populations: docs/statistics.md.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.judged import judged_rows_of
from hedgerow.evaluation.metrics import Judged, Losses, Metric, Shares
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Count, Float

AT_LEAST = 0.15  # models that know their training rows by heart show nothing, and need this
TIMES = 1.25
AT_MOST = 1.0  # of what is seen; it is a noisy number
UNKNOWN = 0.3  # where nothing can be seen: the middle of what simulations found
FEWEST_FOLDS = 4
MOST_ROWS = 1000  # that are judged by all models


def looked_at(data: Data, splits: Splits) -> Count | None:
    """The rows that the models of all folds should judge; None where they have nothing to say of it."""
    if splits.kind != "folds" or splits.folds < FEWEST_FOLDS:
        return None
    if data.n_rows <= MOST_ROWS:
        return np.arange(data.n_rows)
    return np.sort(np.random.default_rng(0).permutation(data.n_rows)[:MOST_ROWS])


def overlap_of(
    metric: Metric, answers: tuple[Answer, ...], data: Data, splits: Splits, rows_error: float
) -> float:
    """Nothing for a single split."""
    if splits.is_hold_out:
        return 0.0
    seen = seen_by_folds(metric, answers, data, splits)
    if not seen or rows_error == 0:
        return UNKNOWN
    known = [mutual(one.said / rows_error, one.fold) for one in seen]
    return AT_LEAST + float(np.clip(TIMES * np.mean(known), 0.0, AT_MOST))


@dataclass(frozen=True, eq=False)
class Seen:
    """One repeat: what each row adds to the metric of all rows that are looked at, judged by the model of each fold."""

    said: Float  # models x rows
    fold: Count  # of each row


def seen_by_folds(
    metric: Metric, answers: tuple[Answer, ...], data: Data, splits: Splits
) -> tuple[Seen, ...]:
    """One a repeat; nothing at all where a model failed, or has nothing to say of this metric."""
    rows = looked_at(data, splits)
    if rows is None:
        return ()
    said = [_contributions(metric, answer, data, rows) for answer in answers]
    known = [one for one in said if one is not None]
    if len(known) < len(said):
        return ()
    seen = []
    for repeat in range(splits.repeats):
        mine = [k for k, part in enumerate(splits.parts) if part.repeat == repeat]
        fold = np.full(data.n_rows, -1)
        for place, k in enumerate(mine):
            fold[splits.parts[k].test] = place
        seen.append(Seen(np.array([known[k] for k in mine]), fold[rows]))
    return tuple(seen)


def _contributions(metric: Metric, answer: Answer, data: Data, rows: Count) -> Float | None:
    if answer.others is None or getattr(answer.others, metric.needs) is None:
        return None
    judged = judged_rows_of(data, rows, answer.others)
    value = _quickly(metric, judged)
    return None if np.isnan(value) else judged.share * (value + metric.pulls(judged))


def _quickly(metric: Metric, judged: Judged) -> float:
    """The metric, without scikit-learn's checks where it is a mean: it is asked for often."""
    if isinstance(metric, Shares):
        return float(np.mean([share for share, _ in metric.parts(judged)]))
    if isinstance(metric, Losses):
        return float(metric.losses(judged) @ judged.share)
    return metric.value(judged)


def mutual(said: Float, fold: Count) -> float:
    """The sum over all pairs of folds of how each acts on the other."""
    n = len(said)
    of_fold = np.array([np.bincount(fold, one, minlength=n) for one in said]).T  # fold f, model without g
    np.fill_diagonal(of_fold, 0.0)
    acts = of_fold - of_fold.sum(axis=1, keepdims=True) / (n - 1)
    np.fill_diagonal(acts, 0.0)
    return float(np.sum(acts * acts.T))
