"""Columns as a model can take them.   In: a frame as it was read.   Out: the same, dates and numbers as numbers,
infinite cells missing; and a remark for each column that was changed.

`hedgerow predict` reads new rows by the same path, so that what a study understood is understood again.
"""

from typing import TYPE_CHECKING

from hedgerow.intake.dates import without_dates
from hedgerow.intake.infinite import without_infinities
from hedgerow.intake.numbers import without_text_numbers

if TYPE_CHECKING:
    import polars as pl


def understood(
    frame: "pl.DataFrame", categories: tuple[str, ...] = ()
) -> tuple["pl.DataFrame", dict[str, str]]:
    """By what the cells look like. `categories`: columns that are none of these."""
    frame, dates = without_dates(frame, categories)
    frame, numbers = without_text_numbers(frame, categories)
    frame, infinite = without_infinities(frame)
    return frame, infinite | numbers | dates


def understood_as(frame: "pl.DataFrame", numbers: frozenset[str]) -> "pl.DataFrame":
    """By what a model knows: `numbers` are its columns of numbers."""
    frame, _ = without_dates(frame, texts=numbers)
    frame, _ = without_text_numbers(frame, texts=numbers)
    return without_infinities(frame)[0]
