"""What a weak learner is.   In: rows, what to learn, how much each row matters.   Out: a weak predictor.

One file a learner in this folder. A learner is its settings, frozen, and says what its predictors answer:

    "signs"       -1 or +1
    "abstaining"  -1, 0 or +1; 0 is "I do not know"
    "confident"   a number; its sign is the answer, its size how sure
    "calibrated"  a number that is already 1/2 log(mu+/mu-): it needs no alpha
"""

from typing import Literal, Protocol, runtime_checkable

import numpy as np

from hedgerow.boost.rows import Rows
from hedgerow.types import Float, Index

Answers = Literal["signs", "abstaining", "confident", "calibrated"]


class Weak(Protocol):
    """A weak predictor of two sides."""

    def answers(self, rows: Rows) -> Float:
        """One number a row: its sign is the side, zero abstains."""


@runtime_checkable
class WeakLearner(Protocol):
    @property
    def gives(self) -> Answers: ...

    def fit(self, rows: Rows, signs: Float, weight: Float, rng: np.random.Generator) -> Weak:
        """`signs` are -1 and +1; `weight` sums to one, and a row of weight zero is not there."""


class ClassWeak(Protocol):
    """A weak predictor of classes."""

    def choices(self, rows: Rows) -> Index:
        """One class number a row; -1 abstains."""


@runtime_checkable
class ClassLearner(Protocol):
    """A learner that can choose among any number of classes at once. Others take part one class against the rest."""

    def fit_classes(
        self, rows: Rows, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> ClassWeak: ...
