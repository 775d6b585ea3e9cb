"""A metric over the splits.   In: answers, Data, Splits, a metric.   Out: Measured: its value, and what each row has
to do with it.

All rows of a repeat are judged together, and repeats averaged; metrics that compare rows with each other are taken
fold by fold and averaged by what each fold has to say. `moves` are the pulls of the rows times their shares: the
estimate is off by about their sum, so their spread is its variance. A row tested in several repeats counts once, as a
sum; so does a group.

Of folds the interval speaks of the models that were fitted in them: of the mean of their scores on new rows, as that of
a hold-out speaks of the one model that was tested. Rows are not only tested, they train the models of the other folds
too, so more is added than the spread of the rows says (overlap.py). docs/statistics.md has the figures.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.guess import Guess
from hedgerow.evaluation.judged import judged_rows_of
from hedgerow.evaluation.metrics import ByFold, Judged, Metric, Shares
from hedgerow.evaluation.overlap import overlap_of
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Count, Float

Parts = tuple[tuple[float, float], ...]  # of a mean of shares: each share, and the rows it is taken of


@dataclass(frozen=True, eq=False)
class Measured:
    value: float
    moves: Float  # repeats x units; a unit is a row, or a group
    rests_on: float  # rows that could have made a difference
    parts: Parts
    rows_error: float  # the standard error, if no row knew of another
    overlap: float  # what is added to the variance of the rows, as a share of it

    @property
    def n_units(self) -> float:
        """Rows or groups that count; where a class is rare, its rows."""
        return min(float(self.moves.shape[1]), self.rests_on)

    @property
    def std_error(self) -> float:
        few = _few(self.n_units) / _few(self.moves.shape[1])
        return float(error_of(self.moves, self.overlap) * np.sqrt(few))

    @property
    def design(self) -> float:
        """By how much the variance is larger than that of as many rows that know nothing of each other."""
        if self.rows_error == 0:
            return 1 + self.overlap
        return (error_of(self.moves, self.overlap) / self.rows_error) ** 2

    @property
    def skew(self) -> float:
        """Of the estimate."""
        unit = _unit(self.moves)
        return float(np.sum(unit**3)) if len(unit) else 0.0

    def free(self, tail: float = 0.0) -> float:
        """Degrees of freedom of the variance: 2n / (kurtosis - 1), which is n where pulls are normal. A few rows show
        too little of a heavy tail: `tail` stretches what they show."""
        unit, n = _unit(self.moves), len(self.moves[0])
        if len(unit) < 3:
            return max(1.0, n - 1.0)
        kurtosis = n * float(np.sum(unit**4))
        stretched = kurtosis * (1 + tail * kurtosis / n)
        return min(max(2.0, 2 * n / max(stretched - 1, 1e-12)), n - 1.0)


def _unit(moves: Float) -> Float:
    """The mean of the repeats, of length one; empty where nothing moves."""
    mean: Float = moves.mean(axis=0)
    largest = float(np.abs(mean).max(initial=0.0))
    if largest == 0:
        return mean[:0]
    mean = mean / largest
    return np.asarray(mean / np.sqrt(np.sum(mean**2)))


def error_of(moves: Float, overlap: float) -> float:
    """The standard error of the sum of moves."""
    largest = float(np.abs(moves).max(initial=0.0))
    if largest == 0:
        return 0.0
    moves = moves / largest  # squares of very large or very small numbers would not be numbers any more
    variance = float(np.sum(moves.mean(axis=0) ** 2)) * (1 + overlap)
    return largest * float(np.sqrt(variance * _few(moves.shape[1])))


def _few(n: float) -> float:
    """For the mean that was taken out of so many."""
    return n / (n - 1) if n > 1 else 1.0


def measure(metric: Metric, answers: tuple[Answer, ...], data: Data, splits: Splits) -> Measured | str:
    """Or why there is no such score."""
    with config_context(
        skip_parameter_validation=True, assume_finite=True
    ):  # they were checked on the way in
        return _measured(metric, answers, data, splits)


def by_split(metric: Metric, answers: tuple[Answer, ...], data: Data, splits: Splits) -> Float:
    """The metric of each split alone; NaN where it has none."""
    with config_context(skip_parameter_validation=True, assume_finite=True):
        return np.array(
            [
                np.nan
                if answer.guess is None or getattr(answer.guess, metric.needs) is None
                else metric.value(judged_rows_of(data, part.test, answer.guess))
                for answer, part in zip(answers, splits.parts, strict=True)
            ]
        )


def _measured(metric: Metric, answers: tuple[Answer, ...], data: Data, splits: Splits) -> Measured | str:
    given = [answer.guess for answer in answers if answer.guess is not None]
    if not given:
        return answers[0].failure
    if any(getattr(guess, metric.needs) is None for guess in given):
        wanted = "predict_proba" if metric.needs == "chances" else "predict_proba or decision_function"
        return f"the model has no {wanted}"
    judged = [
        None if answer.guess is None else judged_rows_of(data, part.test, answer.guess)
        for answer, part in zip(answers, splits.parts, strict=True)
    ]
    values, moves, rests_on, parts = [], [], 0.0, []
    for repeat in range(splits.repeats):
        members = [
            (part.test, rows)
            for part, rows in zip(splits.parts, judged, strict=True)
            if part.repeat == repeat and rows is not None
        ]
        found = _of_one_repeat(metric, members, data)
        if found is not None:
            values.append(found[0])
            moves.append(found[1])
            rests_on = max(rests_on, found[2])
            parts.append(found[3])
    if not values:
        return (
            "it means nothing here: no split has test rows of two classes"
            if data.classes is not None
            else ("it means nothing here: the target of the test rows does not vary")
        )
    by_unit = _by_unit(np.array(moves), data, splits)
    return Measured(
        float(np.mean(values)),
        by_unit,
        rests_on,
        parts[0],
        error_of(np.array(moves[:1]), 0.0),
        overlap_of(metric, answers, data, splits, error_of(by_unit, 0.0)),
    )


def _of_one_repeat(
    metric: Metric, members: list[tuple[Count, Judged]], data: Data
) -> tuple[float, Float, float, Parts] | None:
    """The metric, the moves of all rows of the data, what it rests on, and the shares it is made of."""
    if not members:
        return None
    if not metric.by_fold:
        members = [(np.concatenate([rows for rows, _ in members]), joined([one for _, one in members]))]
    masses = np.array([metric.mass(one) for _, one in members])
    moves = np.zeros(data.n_rows)
    if masses.sum() == 0:
        return None
    sound = [
        (rows, one, mass)
        for (rows, one), mass in zip(members, masses / masses.sum(), strict=True)
        if mass > 0
    ]
    values = [metric.value(one) for _, one, _ in sound]
    if np.isnan(values).any():
        return None
    value = float(sum(mass * here for (_, _, mass), here in zip(sound, values, strict=True)))
    for (rows, one, mass), here in zip(sound, values, strict=True):
        moves[rows] += mass * one.share * metric.pulls(one)
        if isinstance(metric, ByFold):  # a fold whose rows gain weight counts for more
            moves[rows] += one.weight * metric.mass_pulls(one) * (here - value) / masses.sum()
    parts = tuple(metric.parts(members[0][1])) if isinstance(metric, Shares) else ()
    return value, moves, _rests_on(metric, members, data), parts


def _rests_on(metric: Metric, members: list[tuple[Count, Judged]], data: Data) -> float:
    if not metric.by_fold:
        return metric.mass(members[0][1])
    truth = np.concatenate([one.truth for _, one in members])
    count = np.bincount(truth)
    return float(count[count > 0].min())


def joined(parts: list[Judged]) -> Judged:
    def both(name: str) -> Float | None:
        found = [getattr(part.guess, name) for part in parts]
        return None if any(one is None for one in found) else np.concatenate(found)

    values: NDArray[np.generic] | None = both("values")
    assert values is not None
    return Judged(
        np.concatenate([part.truth for part in parts]),
        Guess(values, both("chances"), both("order")),
        np.concatenate([part.weight for part in parts]),
        parts[0].n_classes,
    )


def _by_unit(moves: Float, data: Data, splits: Splits) -> Float:
    tested = np.zeros(data.n_rows, bool)
    for part in splits.parts:
        tested[part.test] = True
    if data.groups is None:
        return moves[:, tested]
    units = np.unique(data.groups[tested], return_inverse=True)[1]
    return np.array([np.bincount(units, one[tested]) for one in moves])
