"""What a method check is.   In: Data and Splits, before anything is fitted.   Out: Findings; none if all is well.

A new check is one file in checks/: copy checks/constant_column.py. What only the fits can show (failed splits, rows
without a prediction) is found here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from hedgerow import plugins
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult, accepts_weights
from hedgerow.evaluation.splits import Splits
from hedgerow.words import show

CHECKS = "hedgerow.evaluation.checks"


@dataclass(frozen=True)
class Finding:
    check: str  # the file that found it
    message: str
    severe: bool  # the scores may be wrong, not only poor
    columns: tuple[str, ...] = ()
    n_rows: int = 0  # how many are concerned

    def __str__(self) -> str:
        return f"{'!' if self.severe else '-'} {self.message}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "check": self.check,
            "message": self.message,
            "severe": self.severe,
            "columns": list(self.columns),
            "n_rows": self.n_rows,
        }


@runtime_checkable
class Check(Protocol):
    """A file of checks/."""

    def find(self, data: Data, splits: Splits) -> list[Finding]: ...


def checks() -> dict[str, Check]:
    return plugins.load_plugins(CHECKS, Check)  # type: ignore[type-abstract]


def run_checks(data: Data, splits: Splits) -> tuple[Finding, ...]:
    """The findings of all checks, the severe ones first."""
    found = [one for name, check in checks().items() for one in _run_check(name, check, data, splits)]
    return tuple(sorted(found, key=lambda one: not one.severe))


def _run_check(name: str, check: Check, data: Data, splits: Splits) -> list[Finding]:
    """A check that fails takes nothing else down."""
    try:
        return check.find(data, splits)
    except Exception as error:
        reason = show(f"{type(error).__name__}: {error}", 200)
        return [
            Finding(name, f"the check {name} failed ({reason}): it cannot say whether all is well.", True)
        ]


def find_failures(results: tuple[FoldResult, ...]) -> tuple[Finding, ...]:
    failed = [result.failure for result in results if result.predictions is None]
    if not failed:
        return ()
    message = f"the model failed in {len(failed)} of {len(results)} splits ({failed[0]}); the scores are of the others."
    return (Finding("failed_splits", message, True),)


def find_unpredicted(results: tuple[FoldResult, ...], data: Data) -> tuple[Finding, ...]:
    """Rows for which the model predicted no class of y."""
    if data.classes is None:
        return ()
    values = [result.predictions.values for result in results if result.predictions is not None]
    n, every = sum(int((some < 0).sum()) for some in values), sum(len(some) for some in values)
    if not n:
        return ()
    message = f"for {n:,} of {every:,} test rows the model named no class of y: it abstained, or knows other classes."
    return (Finding("unanswered", message, n == every, n_rows=n),)


def find_unweighted(models: Mapping[str, Any], data: Data) -> tuple[Finding, ...]:
    if data.weight is None:
        return ()
    without = [name for name, model in models.items() if not accepts_weights(model)]
    message = "cannot be fitted with weights; only the scores are weighted."
    return tuple(Finding("unweighted", f"{name} {message}", False) for name in without)
