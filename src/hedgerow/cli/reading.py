"""How a command reads its table.   In: Asked.   Out: a Source; what was done to its rows and columns, told."""

from collections.abc import Sequence
from typing import Any

from hedgerow.cli.asked import Asked
from hedgerow.errors import render, spell_as_option
from hedgerow.intake import PreparedData, Source, read_source
from hedgerow.words import show as safe

MOST_LINES = 8  # of a kind


def opened(asked: Asked) -> Source:
    return read_source(asked.data, memory=asked.memory, random_state=asked.seed)


def reading_told(rows: PreparedData) -> list[tuple[str, str]]:
    """For a page: a word, and what it says."""
    notice = [("note", render(rows.notice, spell_as_option))] if rows.notice else []
    return [*notice, *_some("read as", rows.remarks), *_some("left out", rows.left_out)]


def _some(word: str, pairs: Sequence[tuple[str, object]]) -> list[tuple[str, str]]:
    told = [
        (word, f"{safe(what)}: {safe(render(why, spell_as_option), 100)}") for what, why in pairs[:MOST_LINES]
    ]
    return told + ([("", f"and {len(pairs) - MOST_LINES:,} more")] if len(pairs) > MOST_LINES else [])


def reading_plain(rows: PreparedData) -> dict[str, Any]:
    """For JSON."""
    return {
        "notice": render(rows.notice, spell_as_option),
        "read_as": [{"column": name, "words": words} for name, words in rows.remarks],
        "left_out": [{"what": what, "why": render(why, spell_as_option)} for what, why in rows.left_out],
    }
