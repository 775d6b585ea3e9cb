"""What a comparison of two models is made of.   In: the answers of both on the same splits.   Out: a Pair; a test of it
gives an Outcome.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from hedgerow.evaluation.metrics import Judged
from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class Apart:
    """What the single rows say of the difference."""

    value: float  # of the score; above zero: the first is better
    variance: float  # of it, if rows tested once knew nothing of each other
    free: float  # degrees of freedom of that
    of_splits: float  # the same variance, as the spread of the splits tells it
    splits_free: float
    mutual: float  # how the folds act on each other: overlap.py


@dataclass(frozen=True, eq=False)
class Pair:
    """Two models, first and second. A difference above zero means that the first is better."""

    differences: Float  # of the score, one a split; splits where one of the two failed are left out
    overlap: float  # test rows / training rows
    first: Judged  # all test rows of one repeat
    second: Judged
    apart: Apart | None
    rope: float  # differences up to this are of no practical meaning
    level: float


@dataclass(frozen=True)
class Outcome:
    difference: float
    low: float
    high: float
    statistic: float
    p_value: float  # NaN where the test speaks of chances instead
    chances: tuple[float, float, float] | None = None  # second better, practically equal, first better


@runtime_checkable
class PairTest(Protocol):
    """A file of this folder; its name is the test's."""

    title: str
    design: str  # what it is made for: "folds", "five_two" or "hold_out"
    scores: tuple[str, ...]  # the scores it can compare; () for any

    def compare(self, pair: Pair) -> Outcome: ...


@runtime_checkable
class ManyTest(Protocol):
    """A file of this folder that compares many models over many data sets."""

    title: str

    def over_data_sets(self, scores: Float, level: float) -> object:
        """scores: data sets x models, higher = better."""
        ...
