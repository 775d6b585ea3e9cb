"""What a check is.   In: Data and Splits, before anything is fitted.   Out: Findings, in words; none if all is well."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits


@dataclass(frozen=True)
class Finding:
    check: str  # the file that found it
    words: str
    severe: bool  # the scores may be wrong, not only poor
    columns: tuple[str, ...] = ()
    rows: int = 0  # how many are concerned


@runtime_checkable
class Check(Protocol):
    """A file of this folder."""

    def find(self, data: Data, splits: Splits) -> list[Finding]: ...
