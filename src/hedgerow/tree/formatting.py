"""Plain text for numbers and names.   In: a float, or any string.   Out: something safe and short to print.

A threshold is rounded DOWN, never up: a row holding exactly the number printed then goes where the text says.

    0.30000000000000004 -> 0.3      1234567.5 -> 1234567.5      2.4999999 -> 2.49999 (2.5 would be a lie)

A name may come from anywhere: line breaks and control characters become spaces, invisible and text-reversing
characters go. What is left is valid in XML, in a terminal and in a drawing.
"""

import math
import unicodedata
from collections.abc import Callable, Iterable
from decimal import ROUND_FLOOR, Context, Decimal

import numpy as np

from hedgerow.types import Float, Index

SET_APART = 10_000  # the least number whose thousands are set apart
_BREAKS = frozenset({"Cc", "Zl", "Zp", "Zs"})
_HIDDEN = frozenset({"Cf", "Cs", "Co", "Cn"})
_MARKS = frozenset({"Mn", "Me"})


def threshold_in_words(x: float, digits: int = 6) -> str:
    """`x` rounded down to so many significant digits, at least one after the point; rarely an exponent."""
    if not math.isfinite(x):
        return str(x)
    exact = Decimal(repr(float(x)))
    whole = exact.adjusted() + 2 if -5 <= exact.adjusted() < 15 else 0
    short = Context(prec=max(digits, whole), rounding=ROUND_FLOOR).create_decimal(exact)
    return _written(short)


def number(x: float, digits: int = 4) -> str:
    """`x` rounded to the nearest of so many significant digits; thousands set apart from 10,000 on: 1990 is a year."""
    if not math.isfinite(x):
        return str(x)
    exact = Decimal(repr(float(x)))
    whole = exact.adjusted() + 1 if 0 <= exact.adjusted() < 9 else 0
    rounded = Context(prec=max(digits, whole)).create_decimal(exact)
    return _written(rounded, "," if abs(rounded) >= SET_APART else "")


def places_for(values: Iterable[float]) -> int:
    """Places after the point that show four significant digits of the largest: numbers that add up have the same."""
    largest = max((abs(x) for x in values if math.isfinite(x)), default=0.0)
    return min(12, max(0, 3 - math.floor(math.log10(largest)))) if largest else 0


def fixed(x: float, places: int, sign: str = "") -> str:
    """`x` with so many places after the point; `sign="+"`: also of numbers above zero. Never -0."""
    rounded = round(x, places) + 0.0
    grouping = "," if abs(rounded) >= SET_APART else ""
    return f"{rounded:{sign}{grouping}.{places}f}"


def _written(x: Decimal, grouping: str = "") -> str:
    if not x:
        return "0"
    x = x.normalize()
    return f"{x:{grouping}f}" if -5 <= x.adjusted() < 15 else f"{x:e}"


def digits_apart(threshold: Float, feature: Index) -> Index:
    """Significant digits (6 to 17) that keep each threshold apart from the others of its column."""
    digits = np.full(len(threshold), 6, np.int32)
    order = np.lexsort((threshold, feature))
    t, same = threshold[order], feature[order][1:] == feature[order][:-1]
    with np.errstate(all="ignore"):  # leaves have NaN here; two huge numbers an infinite gap
        gap = np.where(same, t[1:] - t[:-1], np.inf)
        gap = np.where(gap > 0, gap, np.inf)  # equal thresholds need no telling apart
        nearest = np.minimum(np.append(gap, np.inf), np.insert(gap, 0, np.inf))
        needed = np.floor(np.log10(np.abs(t))) + 1 + np.ceil(1e-9 - np.log10(nearest))
    digits[order] = np.clip(np.nan_to_num(needed, nan=6, posinf=17, neginf=6), 6, 17)
    return digits


def share(p: float) -> str:
    """0.38; never 0.00 or 1.00 unless it is exactly so."""
    if 0 < p < 0.005:
        return "<.01"
    return ">.99" if 0.995 <= p < 1 else f"{p:.2f}"


def percent(p: float) -> str:
    """65%; never 0% or 100% unless it is exactly so."""
    if 0 < p < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= p < 1 else f"{100 * p:.0f}%"


def safe(name: str, most: int = 200) -> str:
    """`name` without anything that breaks a line, hides, reverses or piles up; at most so many characters."""
    kept: list[str] = []
    marks = 0
    for character in name[: 4 * most]:
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARKS else 0
        if category not in _HIDDEN and marks <= 2:
            kept.append(" " if category in _BREAKS else character)
    text = " ".join("".join(kept).split())
    return elide(text, most) if text else "(blank)"


def cells(text: str) -> int:
    """Width of `text` in a terminal: wide characters take two cells, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.category(c) in _MARKS for c in text)


def elide(text: str, most: float, width: Callable[[str], float] = cells) -> str:
    """`text`, its end replaced by an ellipsis when it is wider than `most`."""
    return text if width(text) <= most else _head(text, most - width("…"), width).rstrip() + "…"


def squeeze(text: str, most: float, width: Callable[[str], float] = cells) -> str:
    """`text`, its middle replaced by an ellipsis when it is wider than `most`: a test keeps its end."""
    if width(text) <= most:
        return text
    room = most - width("…")
    tail = _head(text[::-1], 0.4 * room, width)[::-1]
    return _head(text, room - width(tail), width) + "…" + tail


def _head(text: str, most: float, width: Callable[[str], float]) -> str:
    """The longest start of `text` that is no wider than `most`, found by halving."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width(text[:middle]) <= most else (low, middle - 1)
    return text[:low]
