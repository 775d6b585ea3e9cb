"""Attempts: parts of a result that may fail.   In: what to compute, and what stands in its place.   Out: one of them.

No summary or explanation takes down a study: one that fails becomes a note, and everything else is written.
"""

from collections.abc import Callable
from typing import TypeVar

from hedgerow.studies.records import Note
from hedgerow.words import show

T = TypeVar("T")
D = TypeVar("D")


class Attempts:
    def __init__(self) -> None:
        self.notes: list[Note] = []

    def attempt(self, part: str, work: Callable[[], T], default: D) -> T | D:
        """What `work` returns; if it fails, `default`, and a note: `part` of the result is missing, and why."""
        try:
            return work()
        except Exception as error:
            reason = show(f"{type(error).__name__}: {error}", 200)
            self.notes.append(Note(f"A part of the result is missing: {part} failed ({reason}).", True))
            return default
