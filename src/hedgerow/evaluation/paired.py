"""Two models side by side.   In: the answers of each on the same splits.   Out: a Pair, for a test.

A Side is what one model brings, made once however many others it meets.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.evaluation.comparison_tests import Apart, Pair
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.judged import judged_rows_of
from hedgerow.evaluation.measure import Measured, by_split, error_of, joined, measure
from hedgerow.evaluation.metrics import Judged, Metric
from hedgerow.evaluation.overlap import Seen, mutual, seen_by_folds
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Float

UNSEEN = 0.4  # of the variance of the rows, where nothing can be seen of how folds act on each other


@dataclass(frozen=True, eq=False)
class Side:
    answers: tuple[Answer, ...]
    values: Float  # the metric of each split
    rows: Judged | None  # all test rows of one repeat; None where the model has failed throughout
    measured: Measured | str
    seen: tuple[Seen, ...]


def side_of(metric: Metric, answers: tuple[Answer, ...], data: Data, splits: Splits) -> Side:
    return Side(
        answers,
        by_split(metric, answers, data, splits),
        _first_repeat(answers, data, splits),
        measure(metric, answers, data, splits),
        seen_by_folds(metric, answers, data, splits),
    )


def pair_of(
    one: Side, two: Side, metric: Metric, data: Data, splits: Splits, rope: float, level: float
) -> Pair | None:
    """None where the two have no split in common."""
    sign = 1.0 if metric.higher_is_better else -1.0
    differences = sign * (one.values - two.values)
    differences = differences[~np.isnan(differences)]
    if not len(differences) or one.rows is None or two.rows is None:
        return None
    overlap = float(np.mean([len(part.test) / max(1, len(part.train)) for part in splits.parts]))
    apart = _apart(*_on_common_splits(one, two, metric, data, splits), metric, data, splits, differences)
    return Pair(differences, overlap, one.rows, two.rows, apart, rope, level)


def _on_common_splits(one: Side, two: Side, metric: Metric, data: Data, splits: Splits) -> tuple[Side, Side]:
    """Where one of the two failed, the other is not heard either."""
    failed = [a.guess is None or b.guess is None for a, b in zip(one.answers, two.answers, strict=True)]
    if not any(failed):
        return one, two
    silent = next(a for side in (one, two) for a in side.answers if a.guess is None)
    return tuple(  # type: ignore[return-value]
        side_of(
            metric,
            tuple(silent if gone else a for gone, a in zip(failed, side.answers, strict=True)),
            data,
            splits,
        )
        for side in (one, two)
    )


def _apart(
    one: Side, two: Side, metric: Metric, data: Data, splits: Splits, differences: Float
) -> Apart | None:
    first, second = one.measured, two.measured
    if isinstance(first, str) or isinstance(second, str) or first.moves.shape != second.moves.shape:
        return None
    sign = 1.0 if metric.higher_is_better else -1.0
    moves = first.moves - second.moves
    tested = np.array([len(part.test) for part in splits.parts])
    ever = len(np.unique(np.concatenate([part.test for part in splits.parts])))
    once = (
        tested.sum() / splits.repeats / ever
    )  # 1 for folds; what a repeat tests of all rows that are tested
    variance = float(np.mean([error_of(line[None], 0.0) ** 2 for line in moves])) * once
    spread = float(differences.var(ddof=1)) * float(tested.mean()) / ever if len(differences) > 1 else 0.0
    pairs = zip(one.seen, two.seen, strict=True)
    known = [mutual(a.said - b.said, a.fold) for a, b in pairs] if one.seen and two.seen else None
    return Apart(
        value=sign * (first.value - second.value),
        variance=variance,
        free=min(first.n_units, second.n_units) - 1,
        of_splits=spread,
        splits_free=max(1, (splits.folds if splits.folds > 1 else len(differences)) - 1),
        mutual=UNSEEN * variance if known is None else float(np.mean(known)),
    )


def _first_repeat(answers: tuple[Answer, ...], data: Data, splits: Splits) -> Judged | None:
    found = [
        judged_rows_of(data, part.test, answer.guess)
        for part, answer in zip(splits.parts, answers, strict=True)
        if part.repeat == 0 and answer.guess is not None
    ]
    return joined(found) if found else None
