"""Attempts: parts of a result that may fail, or for which there may be no time.   In: what to compute, and what
stands in its place.   Out: one of them.

No summary or explanation takes down a study: one that fails becomes a note, and everything else is written. A budget is
for the whole study:

    0 ------------- comparison ------------- 3/4 --- fit on all rows, explanations, hold-out --- 1
    no fit is begun after the first mark, no explanation after the second; what has begun is finished
"""

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

from hedgerow.display.sentences import join_words
from hedgerow.studies.records import Note
from hedgerow.words import show

T = TypeVar("T")
D = TypeVar("D")
COMPARISON = 0.75  # of the budget


class Attempts:
    def __init__(self, budget: float | None = None) -> None:
        """`budget`: seconds from now on."""
        seconds, begin = float("inf") if budget is None else budget, perf_counter()
        self.compare_until = begin + COMPARISON * seconds
        self.explain_until = begin + seconds
        self.failures: list[Note] = []
        self.late: list[str] = []  # parts for which there was no time

    @property
    def is_comparison_late(self) -> bool:
        return perf_counter() > self.compare_until

    @property
    def notes(self) -> list[Note]:
        if not self.late:
            return self.failures
        parts = join_words(list(dict.fromkeys(self.late)))
        return [*self.failures, Note(f"Left out, because the time was used up: {parts}.", True)]

    def attempt(self, part: str, work: Callable[[], T], default: D) -> T | D:
        """What `work` returns; if it fails, `default`, and a note: `part` of the result is missing, and why."""
        try:
            return work()
        except Exception as error:
            reason = show(f"{type(error).__name__}: {error}", 200)
            self.failures.append(Note(f"A part of the result is missing: {part} failed ({reason}).", True))
            return default

    def attempt_in_time(self, part: str, work: Callable[[], T], default: D, kind: str = "") -> T | D:
        """The same, for a part that takes time: after the budget, `default` at once, and a note that names its kind."""
        if perf_counter() > self.explain_until:
            self.late.append(kind or part)
            return default
        return self.attempt(part, work, default)
