"""An axis-parallel plot.   In: the ranges of x and y.   Out: Frame, which places points, lines and axes, as SVG."""

from collections.abc import Sequence
from datetime import MAXYEAR, MINYEAR, date
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from hedgerow.core.dates import write_date
from hedgerow.tree.formatting import SET_APART

if TYPE_CHECKING:
    from hedgerow.studies.records import Curve

WIDE, HIGH = 360, 260
BOTTOM, TOP, RIGHT = 42, 12, 14
LETTER = 6.3  # width of one in a tick's text
EPOCH, DAYS_OF_MONTH, SHORTEST_MONTHS = date(1970, 1, 1), 365.25 / 12, 70.0
MONTHS_BETWEEN = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
MOST_DATES = 5


class Frame:
    def __init__(self, x: Sequence[float], y: Sequence[float], wide: int = WIDE, high: int = HIGH) -> None:
        self.x0, self.x1 = room(x)
        self.y0, self.y1 = room(y)
        self.wide, self.high = wide, high
        self.left = 30 + max(22.0, LETTER * max(len(tick_text(tick)) for tick in ticks(self.y0, self.y1)))

    def at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.x0) / (self.x1 - self.x0) * (self.wide - self.left - RIGHT)
        up = (y - self.y0) / (self.y1 - self.y0) * (self.high - TOP - BOTTOM)
        return self.left + across, self.high - BOTTOM - up

    def line(self, x: Sequence[float], y: Sequence[float], kind: str) -> str:
        points = " ".join("{:.1f},{:.1f}".format(*self.at(a, b)) for a, b in zip(x, y, strict=True))
        return f'<polyline class="{kind}" points="{points}"/>'

    def band(self, curve: "Curve") -> str:
        return self.between(curve.x, curve.low, curve.high) if curve.low else ""

    def between(self, x: Sequence[float], low: Sequence[float], high: Sequence[float]) -> str:
        there = [self.at(a, b) for a, b in zip(x, high, strict=True)]
        back = [self.at(a, b) for a, b in zip(x, low, strict=True)][::-1]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in there + back)
        return f'<polygon class="band" points="{points}"/>'

    def dots(self, x: Sequence[float], y: Sequence[float], radius: float = 3.0, kind: str = "dot") -> str:
        places = (self.at(a, b) for a, b in zip(x, y, strict=True))
        return "".join(f'<circle class="{kind}" cx="{a:.1f}" cy="{b:.1f}" r="{radius}"/>' for a, b in places)

    def axes(self, across: str, up: str, *, is_date: bool = False) -> str:
        """`is_date`: x counts days since 1970."""
        out = []
        ground = self.high - BOTTOM
        room_for_text = self.wide - self.left - RIGHT
        found = date_ticks(self.x0, self.x1) if is_date else number_ticks(self.x0, self.x1, room_for_text)
        for tick, text in found:
            a, _ = self.at(tick, self.y0)
            out.append(f'<line class="grid" x1="{a:.1f}" y1="{TOP}" x2="{a:.1f}" y2="{ground}"/>')
            middle = min(a, self.wide - LETTER * len(text) / 2)  # the last one is not cut off
            out.append(f'<text x="{middle:.1f}" y="{ground + 15}" text-anchor="middle">{text}</text>')
        for tick in ticks(self.y0, self.y1):
            _, b = self.at(self.x0, tick)
            out.append(
                f'<line class="grid" x1="{self.left:.1f}" y1="{b:.1f}" x2="{self.wide - RIGHT}" y2="{b:.1f}"/>'
            )
            out.append(
                f'<text x="{self.left - 6:.1f}" y="{b + 4:.1f}" text-anchor="end">{tick_text(tick)}</text>'
            )
        middle, centre = (self.left + self.wide - RIGHT) / 2, (TOP + ground) / 2
        out.append(_axis(middle, self.high - 6, short(across, 44)))
        out.append(_axis(13, centre, short(up, 30), f' transform="rotate(-90 13 {centre:.1f})"'))
        return "".join(out)

    def picture(self, title: str, *parts: str) -> Markup:
        return svg(self.wide, self.high, title, *parts)


def _axis(x: float, y: float, words: str, turned: str = "") -> str:
    return f'<text class="axis" x="{x:.1f}" y="{y:.1f}" text-anchor="middle"{turned}>{escape(words)}</text>'


def svg(wide: float, high: float, title: str, *parts: str) -> Markup:
    return Markup(
        f'<svg class="chart" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def room(values: Sequence[float]) -> tuple[float, float]:
    """A little more than the values take."""
    known = [v for v in values if isfinite(v)] or [0.0, 1.0]
    low, high = min(known), max(known)
    if {low, high} <= {0.0, 1.0} or (low == -1 and high == 1):
        return (low, high) if low < high else (low - 0.5, high + 0.5)
    pad = (high - low) * 0.06 or max(abs(high) * 0.1, 1e-6)
    return (low if low == 0 else low - pad), high + pad


def ticks(low: float, high: float, about: int = 5, steps: Sequence[float] = (1, 2, 5)) -> list[float]:
    unit = 10 ** floor(log10((high - low) / about))
    step = next((k * unit for k in steps if (high - low) / (k * unit) <= about), 10 * unit)
    first = ceil(low / step - 1e-9)
    return [k * step for k in range(first, floor(high / step + 1e-9) + 1)]


def number_ticks(low: float, high: float, wide: float) -> list[tuple[float, str]]:
    """As many as there is room for."""
    for about in (5, 4, 3, 2):
        found = ticks(low, high, about, (1, 2, 5) if about == 5 else (1, 2, 2.5, 5))
        texts = [tick_text(tick) for tick in found]
        between = wide * (found[1] - found[0]) / (high - low) if len(found) > 1 else wide
        if LETTER * (max(map(len, texts), default=0) + 1) <= between:
            break
    return list(zip(found, texts, strict=True))


def date_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Days since 1970 at the start of years or months, with their names; of a shorter time, days."""
    if high - low < SHORTEST_MONTHS:
        days = sorted({round(tick) for tick in ticks(low, high, 3)})
        return [(float(day), write_date(day)) for day in days if low <= day <= high]
    step = next((k for k in MONTHS_BETWEEN if (high - low) / (k * DAYS_OF_MONTH) <= MOST_DATES), 12_000)
    months = range(floor(low / DAYS_OF_MONTH / step) * step, ceil(high / DAYS_OF_MONTH) + step, step)
    starts = [(1970 + month // 12, month % 12 + 1) for month in months]
    found = [
        (float((date(year, month, 1) - EPOCH).days), f"{year}" if step >= 12 else f"{year}-{month:02}")
        for year, month in starts
        if MINYEAR <= year <= MAXYEAR
    ]
    return [(day, text) for day, text in found if low <= day <= high]


def tick_text(value: float) -> str:
    """20,000; 1.5M is a million and a half, 2B two thousand millions."""
    size = abs(value)
    for unit, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M")):
        if unit <= size < 1e15:
            return f"{round(value / unit, 6):g}{letter}"
    return f"{value:,.0f}" if SET_APART <= size < 1e6 else f"{round(value, 10):g}"
