"""How a command reads its table.   In: Asked.   Out: a Source; what was done to its rows and columns, told."""

from typing import Any

from hedgerow.cli.asked import Asked
from hedgerow.intake.columns import Rows
from hedgerow.intake.source import Source, open_source
from hedgerow.table.words import show as safe

MOST_LINES = 8  # of a kind


def opened(asked: Asked) -> Source:
    return open_source(asked.data, memory=asked.memory, seed=asked.seed)


def reading_told(rows: Rows) -> list[tuple[str, str]]:
    """For a page: a word, and what it says."""
    notice = [("note", rows.notice)] if rows.notice else []
    return [*notice, *_some("read as", rows.remarks), *_some("left out", rows.left_out)]


def _some(word: str, pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    told = [(word, f"{safe(what)}: {safe(why, 100)}") for what, why in pairs[:MOST_LINES]]
    return told + ([("", f"and {len(pairs) - MOST_LINES:,} more")] if len(pairs) > MOST_LINES else [])


def reading_plain(rows: Rows) -> dict[str, Any]:
    """For JSON."""
    return {
        "notice": rows.notice,
        "read_as": [{"column": name, "words": words} for name, words in rows.remarks],
        "left_out": [{"what": what, "why": why} for what, why in rows.left_out],
    }
