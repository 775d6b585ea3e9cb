"""What a test of two models is.   In: a Pair: both models on the same splits.   Out: an Outcome.

A new test is one file in comparison_tests/: copy comparison_tests/corrected_t.py. It declares the design it is made
for, and `compare` draws such splits if the caller gives none.
"""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from scipy.special import stdtr, stdtrit

from hedgerow import plugins
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

COMPARISON_TESTS = "hedgerow.evaluation.comparison_tests"


@dataclass(frozen=True)
class Design:
    """The splits a test is made for."""

    cv: int | float  # folds, or the share of a hold-out
    repeats: int
    required: bool = False  # the test is wrong on any other number of folds and repeats

    @property
    def is_hold_out(self) -> bool:
        return isinstance(self.cv, float)


FOLDS = Design(10, 3)
HOLD_OUT = Design(0.3, 1)


@dataclass(frozen=True, eq=False)
class PairedDifference:
    """The difference in the score, from the differences of single rows."""

    value: float  # above zero: the first model is better
    variance: float  # of the value, if rows tested once were independent
    dof: float  # degrees of freedom of that variance
    splits_variance: float  # the same variance, estimated from the spread of the splits
    splits_dof: float
    fold_covariance: float  # of the folds, through their training rows: overlap.py


@dataclass(frozen=True, eq=False)
class Pair:
    """Two models, first and second. A difference above zero means that the first is better."""

    differences: Float  # of the score, one a split; splits where one of the two failed are left out
    test_train_ratio: float  # test rows / training rows
    first: ScoringData  # all test rows of one repeat
    second: ScoringData
    paired: PairedDifference | None
    rope: float  # region of practical equivalence: smaller differences do not matter in practice
    confidence_level: float


@dataclass(frozen=True)
class Outcome:
    difference: float
    low: float
    high: float
    statistic: float
    p_value: float  # NaN for a Bayesian test
    probabilities: tuple[float, float, float] | None = None  # second better, practically equal, first better


@runtime_checkable
class ComparisonTest(Protocol):
    """A file of comparison_tests/; its name is the test's."""

    title: str
    design: Design
    metrics: tuple[str, ...]  # the metrics it can compare; () for any

    def compare(self, pair: Pair) -> Outcome: ...


def comparison_tests() -> dict[str, ComparisonTest]:
    return plugins.load_plugins(COMPARISON_TESTS, ComparisonTest)  # type: ignore[type-abstract]


def load_comparison_test(name: Any) -> ComparisonTest:
    return plugins.load_plugin(COMPARISON_TESTS, ComparisonTest, name, "test")  # type: ignore[type-abstract]


# for the files of comparison_tests/


def t_outcome(difference: float, error: float, dof: float, confidence_level: float) -> Outcome:
    """A difference, its standard error and Student's distribution."""
    if error == 0:
        return Outcome(difference, difference, difference, float("nan"), 1.0 if difference == 0 else 0.0)
    half = float(stdtrit(dof, (1 + confidence_level) / 2)) * error
    statistic = difference / error
    p_value = float(2 * stdtr(dof, -abs(statistic)))
    return Outcome(difference, difference - half, difference + half, statistic, p_value)


def undecided(difference: float) -> Outcome:
    """Too few splits: a difference, and nothing known about its error."""
    nan = float("nan")
    return Outcome(difference, nan, nan, nan, nan)
