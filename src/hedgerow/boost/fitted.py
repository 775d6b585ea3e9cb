"""Fitting one round's weak predictors.   In: a learner and weighted rows.   Out: predictors and their answers, or
WeakLearnerError that says which round, which learner and what went wrong.
"""

from typing import Any

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.combine import predict_weak
from hedgerow.boost.target import Signs, Target
from hedgerow.types import Float


class WeakLearnerError(ValueError):
    """A weak learner that failed, or that gave answers nobody can use."""


def fitted(
    learner: Any, rows: BoostInput, target: Target, weight: Float, rng: np.random.Generator, number: int
) -> tuple[tuple[Any, ...], Float]:
    """Weak predictors (one, or one for each class), and their answers for the training rows: rows x columns."""
    try:
        weaks, answers = _fitted(learner, rows, target, weight, rng)
    except Exception as error:
        raise WeakLearnerError(
            f"round {number}: the weak learner {learner!r} failed: {type(error).__name__}: {error}"
        ) from error
    wanted = (rows.n_rows, target.width if isinstance(target, Signs) else 1)
    if answers.shape != wanted:
        raise WeakLearnerError(
            f"round {number}: the weak learner {learner!r} gave answers of shape {answers.shape}; "
            f"wanted one a row, {wanted}."
        )
    if not np.isfinite(answers).all():
        row = int(np.flatnonzero(~np.isfinite(answers).all(axis=1))[0])
        raise WeakLearnerError(
            f"round {number}: the weak learner {learner!r} answered {answers[row].tolist()} in row {row}; "
            "wanted finite numbers. (A leaf of one class is infinitely sure where smoothing is 0.)"
        )
    return weaks, answers


def _fitted(
    learner: Any, rows: BoostInput, target: Target, weight: Float, rng: np.random.Generator
) -> tuple[tuple[Any, ...], Float]:
    if not isinstance(target, Signs):
        weak = learner.fit_classes(rows, target.codes, target.n_classes, weight, rng)
        return (weak,), predict_weak((weak,), rows, "votes")
    if target.width == 1:
        weak, answers = _column(learner, rows, target.values[:, 0], weight, rng)
        return (weak,), answers[:, None]
    cells = weight.reshape(-1, target.width)
    columns = [
        _column(learner, rows, target.values[:, k], _share(cells[:, k]), rng) for k in range(target.width)
    ]
    return tuple(weak for weak, _ in columns), np.column_stack([answers for _, answers in columns])


def _share(weight: Float) -> Float:
    return np.ascontiguousarray(weight / weight.sum())


def _column(
    learner: Any, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator
) -> tuple[Any, Float]:
    """A learner that knows its answers for the training rows already is not asked twice."""
    if hasattr(learner, "fit_answered"):
        return learner.fit_answered(rows, signs, weight, rng)  # type: ignore[no-any-return]
    weak = learner.fit(rows, signs, weight, rng)
    return weak, np.asarray(weak.answers(rows), np.float64)
