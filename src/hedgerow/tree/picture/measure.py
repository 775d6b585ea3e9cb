"""How wide text will be, without a font.   In: text, size.   Out: pixels, rather too many than too few.

The widths are those of DejaVu Sans, wider than the fonts browsers use: what fits here fits there.
"""

import unicodedata
from functools import partial

from hedgerow.tree.formatting import elide, squeeze

_GROUPS = {
    0.29: "ijlI|'",
    0.34: " .,:;!/\\",
    0.42: 'frt()[]"-',
    0.62: "aceghknopqsuvxyzbdJ0123456789_?$*L…",
    0.70: "ABCDEFGHKNPRSTUVXYZ&{}",
    0.84: "wOQ+<=>~^#",
    1.00: "mMW@%→",
}
_EM = {character: width for width, group in _GROUPS.items() for character in group}
_OTHER, _WIDE, _BOLD = 0.75, 1.05, 1.12


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimated width of `text` in pixels."""
    ems = sum(_EM.get(character) or _unlisted(character) for character in text)
    return ems * size * (_BOLD if bold else 1.0)


def fit(text: str, room: float, size: float, bold: bool = False) -> str:
    """`text` with its end cut to fit the room."""
    return elide(text, room, partial(text_width, size=size, bold=bold))


def fit_test(text: str, room: float, size: float) -> str:
    """`text` with its middle cut to fit the room: a test keeps its name and its number."""
    return squeeze(text, room, partial(text_width, size=size))


def _unlisted(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    return 0.0 if unicodedata.category(character) in ("Mn", "Me") else _OTHER
