"""Words for messages.   In: names and cells as they came.   Out: text that is safe to print, and suggestions.

A column name may hold a newline, a terminal escape or a right-to-left mark; none of them may reach a
terminal raw.
"""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 40


def show(text: str, longest: int = LONGEST) -> str:
    """The text on one line: what is not printable is written as its escape, what is long is shortened."""
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return safe if len(safe) <= longest else safe[: longest - 1] + "…"


def quote(value: object) -> str:
    """What was given, as it would be written in Python, short enough for a message."""
    return show(repr(value), 80)


def quote_path(path: object) -> str:
    """A path, whole: its end is what one looks for."""
    return show(repr(str(path)), 1000)


def listing(values: Iterable[object], most: int = 8) -> str:
    """'a', 'b', 'c' and 4 more"""
    items = list(values)
    text = ", ".join(quote(item) for item in items[:most])
    return text if len(items) <= most else f"{text} and {len(items) - most} more"


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The question to end a message with, or nothing when no known word is near."""
    by_folded = {word.casefold(): word for word in known}
    near = get_close_matches(given.casefold(), by_folded, n=1, cutoff=0.6)
    return f" Did you mean {quote(by_folded[near[0]])}?" if near else ""
