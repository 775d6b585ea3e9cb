"""AdaBoost.R2: boosting for numbers (Drucker 1997).   In: a learner of numbers, rows, values.   Out: NumberRounds.

loss of a row L = |y - h(x)| / the largest of them (or its square, or 1 - exp(-L));   mean loss m = sum w L
beta = m / (1 - m);   weights: w beta^(1 - L), so that rows predicted well matter less;   stop when m >= 1/2
the prediction is the median of the rounds' outputs, weighted by log(1/beta)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.boost.boost import WeakLearnerError
from hedgerow.boost.boost_input import BoostInput
from hedgerow.grow import Limits, Numbers, grow
from hedgerow.tree import predict
from hedgerow.tree.tree import Tree
from hedgerow.types import Float

LOSSES = ("linear", "square", "exponential")


@dataclass(frozen=True, eq=False)
class NumberRound:
    weak: Any
    alpha: float  # log(1/beta), times the learning rate
    mean_loss: float


@dataclass(frozen=True, eq=False)
class NumberRounds:
    rounds: tuple[NumberRound, ...]
    stopped: str
    base: Float
    weight: Float  # of the training rows after the last round, sum one

    def __len__(self) -> int:
        return len(self.rounds)


@dataclass(frozen=True, eq=False)
class TreeNumbers:
    tree: Tree

    def numbers(self, rows: BoostInput) -> Float:
        return predict.values(self.tree, rows.cells, rows.threads)[:, 0]


@dataclass(frozen=True)
class NumberTree:
    """Regression trees, grown from shared codes."""

    max_depth: int | None = 3
    min_rows_leaf: int = 1

    def fit_numbers(
        self, rows: BoostInput, values: Float, weight: Float, rng: np.random.Generator
    ) -> TreeNumbers:
        limits = Limits(
            len(rows.encoded.codes),
            max_depth=self.max_depth or 2**31 - 1,
            min_rows_split=2 * self.min_rows_leaf,
            min_rows_leaf=self.min_rows_leaf,
        )
        target = Numbers(values, weight / rows.share)
        return TreeNumbers(grow(rows.encoded, target, "squared_error", limits, threads=rows.threads))


def boost_numbers(
    learner: Any,
    rows: BoostInput,
    values: Float,
    base: Float,
    rng: np.random.Generator,
    *,
    n_rounds: int,
    loss: str = "linear",
    learning_rate: float = 1.0,
    earlier: NumberRounds | None = None,
) -> NumberRounds:
    """`base` is the weight of each row, above zero, sum one."""
    rounds = list(earlier.rounds) if earlier else []
    weight, stopped = (earlier.weight if earlier else base), ""
    while len(rounds) < n_rounds and not stopped:
        number = len(rounds) + 1
        weak, outputs = _fit_weak(learner, rows, values, weight, rng, number)
        apart = np.abs(values - outputs)
        largest = float(apart.max())
        if largest == 0:
            rounds.append(NumberRound(weak, 1.0 if not rounds else max(r.alpha for r in rounds), 0.0))
            stopped = (
                f"round {number}: the predictor makes no mistake, so that there is nothing left to correct"
            )
            break
        losses = _losses(apart / largest, loss)
        mean = float(weight @ losses)
        if mean >= 0.5:
            stopped = f"round {number}: the mean loss is {mean:.3g}, not below a half"
            if not rounds:
                rounds.append(NumberRound(weak, 1.0, mean))
            break
        beta = mean / (1.0 - mean)
        rounds.append(NumberRound(weak, learning_rate * float(np.log(1.0 / beta)), mean))
        weight = weight * beta ** ((1.0 - losses) * learning_rate)
        weight = weight / weight.sum()
    return NumberRounds(tuple(rounds), stopped or f"all {n_rounds} rounds done", base, weight)


def _fit_weak(
    learner: Any, rows: BoostInput, values: Float, weight: Float, rng: np.random.Generator, number: int
) -> tuple[Any, Float]:
    try:
        weak = learner.fit_numbers(rows, values, weight, rng)
        outputs = np.asarray(weak.numbers(rows), np.float64)
    except Exception as error:
        raise WeakLearnerError(
            f"round {number}: the learner {learner!r} failed: {type(error).__name__}: {error}"
        ) from error
    if outputs.shape != values.shape or not np.isfinite(outputs).all():
        raise WeakLearnerError(
            f"round {number}: the learner {learner!r} did not predict one finite number a row."
        )
    return weak, outputs


def _losses(share: Float, loss: str) -> Float:
    if loss == "square":
        return share**2
    return 1.0 - np.exp(-share) if loss == "exponential" else share


def numbers(rounds: NumberRounds, rows: BoostInput) -> Float:
    outputs = np.column_stack([round.weak.numbers(rows) for round in rounds.rounds])
    return _medians(outputs, np.array([round.alpha for round in rounds.rounds]))


def staged_numbers(rounds: NumberRounds, rows: BoostInput) -> Iterator[Float]:
    """The prediction after each round."""
    outputs = np.column_stack([round.weak.numbers(rows) for round in rounds.rounds])
    alphas = np.array([round.alpha for round in rounds.rounds])
    for k in range(1, len(alphas) + 1):
        yield _medians(outputs[:, :k], alphas[:k])


def _medians(outputs: Float, alphas: Float) -> Float:
    """The first output, in rising order, by which at least half of the weight is reached."""
    order = np.argsort(outputs, axis=1, kind="stable")
    reached = np.cumsum(alphas[order], axis=1)
    middle = np.argmax(reached >= 0.5 * reached[:, -1:], axis=1)
    return np.asarray(np.take_along_axis(outputs, order, axis=1)[np.arange(len(outputs)), middle])
