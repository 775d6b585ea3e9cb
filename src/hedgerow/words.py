"""Words for messages.   In: names and cells as they came.   Out: text that is safe to print, and suggestions.

A column name may hold a newline, a terminal escape or a right-to-left mark; none of them may reach a
terminal raw. `escape` is what all that is printed goes through, last of all where it is printed.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

LONGEST = 40


def escape(text: str, keep: str = "") -> str:
    """What is not printable (control characters, marks that turn the direction) as its escape, but for `keep`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def show(text: str, longest: int = LONGEST) -> str:
    """The text on one line: what is not printable is written as its escape, what is long is shortened."""
    safe = escape(text)
    return safe if len(safe) <= longest else safe[: longest - 1] + "…"


def quote(value: object) -> str:
    """What was given, as it would be written in Python, short enough for a message."""
    return show(repr(value), 80)


def quote_path(path: object) -> str:
    """A path, whole: its end is what one looks for."""
    return show(repr(str(path)), 1000)


def quote_shell(text: str) -> str:
    """One word of a command, to paste into a shell and safe to print: $'a\\x1bb' for one with a control character."""
    if text.isprintable():
        return shlex.quote(text)
    known = {"'": "\\'", "\\": "\\\\"}
    parts = (known.get(c, c) if c.isprintable() else _bytes_in_shell(c) for c in text)
    return f"$'{''.join(parts)}'"


def _bytes_in_shell(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode(errors="surrogateescape"))


def to_json(content: Any, indent: int = 2, default: Callable[[Any], Any] | None = None) -> str:
    """JSON that can be printed: what is not printable in its texts is escaped, other letters stand as they are."""
    text = json.dumps(content, indent=indent, ensure_ascii=False, allow_nan=False, default=default)
    return re.sub(
        r"[^\n -~]", lambda found: found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1], text
    )


def listing(values: Iterable[object], most: int = 8) -> str:
    """'a', 'b', 'c' and 4 more"""
    items = list(values)
    text = ", ".join(quote(item) for item in items[:most])
    return text if len(items) <= most else f"{text} and {len(items) - most} more"


def probability_column(label: object) -> str:
    """Its name beside predictions; a boolean is written as CSV and SQL write it."""
    return f"probability_{str(label).lower() if isinstance(label, bool) else label}"


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The question to end a message with, or nothing when no known word is near."""
    by_folded = {word.casefold(): word for word in known}
    near = get_close_matches(given.casefold(), by_folded, n=1, cutoff=0.6)
    return f" Did you mean {quote(by_folded[near[0]])}?" if near else ""
