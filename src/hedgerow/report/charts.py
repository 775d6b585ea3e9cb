"""Pictures for the page.   In: plain data of a result.   Out: SVG as markup; colours are those of the style sheet.

Every picture says in its title what it shows, for those who hear the page. Texts from the data are escaped here.
"""

from collections.abc import Sequence
from math import ceil, floor, isfinite, log10

from markupsafe import Markup, escape

from hedgerow.study.result import Curve, Importance, Rounds, ScoreTold, Share, StudyResult
from hedgerow.study.words import figure, span, told

WIDE, HIGH = 340, 260
LEFT, BOTTOM, TOP, RIGHT = 52, 40, 10, 12
MOST_BARS = 20
MOST_CELLS = 12


class Frame:
    """An axis-parallel plot: data -> points of the picture."""

    def __init__(self, x: Sequence[float], y: Sequence[float], wide: int = WIDE, high: int = HIGH) -> None:
        self.x0, self.x1 = _room(x)
        self.y0, self.y1 = _room(y)
        self.wide, self.high = wide, high

    def at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.x0) / (self.x1 - self.x0) * (self.wide - LEFT - RIGHT)
        up = (y - self.y0) / (self.y1 - self.y0) * (self.high - TOP - BOTTOM)
        return LEFT + across, self.high - BOTTOM - up

    def line(self, x: Sequence[float], y: Sequence[float], kind: str) -> str:
        points = " ".join("{:.1f},{:.1f}".format(*self.at(a, b)) for a, b in zip(x, y, strict=True))
        return f'<polyline class="{kind}" points="{points}"/>'

    def band(self, curve: Curve) -> str:
        if not curve.low:
            return ""
        there = [self.at(a, b) for a, b in zip(curve.x, curve.high, strict=True)]
        back = [self.at(a, b) for a, b in zip(curve.x, curve.low, strict=True)][::-1]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in there + back)
        return f'<polygon class="band" points="{points}"/>'

    def dots(self, x: Sequence[float], y: Sequence[float], radius: float = 3.0) -> str:
        places = (self.at(a, b) for a, b in zip(x, y, strict=True))
        return "".join(f'<circle class="dot" cx="{a:.1f}" cy="{b:.1f}" r="{radius}"/>' for a, b in places)

    def axes(self, across: str, up: str) -> str:
        out = []
        floor_y = self.high - BOTTOM
        for tick in _ticks(self.x0, self.x1):
            a, _ = self.at(tick, self.y0)
            out.append(f'<line class="grid" x1="{a:.1f}" y1="{TOP}" x2="{a:.1f}" y2="{floor_y}"/>')
            out.append(f'<text x="{a:.1f}" y="{floor_y + 15}" text-anchor="middle">{_tick(tick)}</text>')
        for tick in _ticks(self.y0, self.y1):
            _, b = self.at(self.x0, tick)
            out.append(f'<line class="grid" x1="{LEFT}" y1="{b:.1f}" x2="{self.wide - RIGHT}" y2="{b:.1f}"/>')
            out.append(f'<text x="{LEFT - 6}" y="{b + 4:.1f}" text-anchor="end">{_tick(tick)}</text>')
        middle = (LEFT + self.wide - RIGHT) / 2
        out.append(
            f'<text class="axis" x="{middle}" y="{self.high - 6}" text-anchor="middle">{escape(across)}</text>'
        )
        centre = (TOP + floor_y) / 2
        turned = f'transform="rotate(-90 12 {centre})"'
        out.append(
            f'<text class="axis" x="12" y="{centre}" text-anchor="middle" {turned}>{escape(up)}</text>'
        )
        return "".join(out)

    def picture(self, title: str, *parts: str) -> Markup:
        return _svg(self.wide, self.high, title, *parts)


def whisker(score: ScoreTold, higher_is_better: bool) -> Markup:
    """A score with its interval, the baseline beside it."""
    if score.value is None or score.low is None or score.high is None:
        return Markup("")
    known = [score.value, score.low, score.high] + ([] if score.baseline is None else [score.baseline])
    low, high = _room(known)
    place = [8 + (v - low) / (high - low) * 224 for v in (score.low, score.high, score.value)]
    base = "" if score.baseline is None else _baseline(8 + (score.baseline - low) / (high - low) * 224)
    title = (
        f"{score.title} {told(score)}, interval {span(score)}, baseline {figure(score.baseline, score.name)}"
    )
    return _svg(
        240,
        34,
        title,
        f'<line class="range" x1="{place[0]:.1f}" y1="14" x2="{place[1]:.1f}" y2="14"/>',
        f'<circle class="dot" cx="{place[2]:.1f}" cy="14" r="5"/>',
        base,
    )


def _baseline(place: float) -> str:
    return (
        f'<line class="base" x1="{place:.1f}" y1="4" x2="{place:.1f}" y2="24"/>'
        f'<text x="{min(max(place, 24), 216):.1f}" y="33" text-anchor="middle">baseline</text>'
    )


def common_range(result: StudyResult) -> tuple[float, float]:
    """Of all intervals on the leaderboard."""
    first = [one.scores[0] for one in result.entrants if one.scores]
    known = [v for score in first for v in (score.value, score.low, score.high) if v is not None]
    return _room(known or [0.0, 1.0])


def interval_bar(score: ScoreTold, limits: tuple[float, float]) -> Markup:
    if score.value is None:
        return Markup("")
    low, high = limits
    ends = [score.value if v is None else v for v in (score.low, score.high, score.value)]
    a, b, c = (4 + (v - low) / (high - low) * 152 for v in ends)
    return _svg(
        160,
        18,
        f"{told(score)}, interval {span(score)}",
        '<line class="grid" x1="4" y1="9" x2="156" y2="9"/>',
        f'<line class="range" x1="{a:.1f}" y1="9" x2="{b:.1f}" y2="9"/><circle class="dot" cx="{c:.1f}" cy="9" r="4"/>',
    )


def confusion(counts: Sequence[Sequence[int]], classes: Sequence[str]) -> Markup:
    """A table, shaded by the share of each truth."""
    if len(classes) > MOST_CELLS:
        right = sum(counts[k][k] for k in range(len(classes)))
        total = sum(map(sum, counts))
        return Markup("<p>{} of {} rows right, in {} classes; the table is in result.json.</p>").format(
            f"{right:,}", f"{total:,}", len(classes)
        )
    head = Markup("").join(Markup('<th scope="col">{}</th>').format(name) for name in classes)
    body = []
    for k, row in enumerate(counts):
        total = max(1, sum(row))
        cells = Markup("").join(
            Markup('<td class="num {}" style="--share:{}">{}</td>').format(
                "hit" if j == k else "miss", f"{100 * n / total:.0f}%", f"{n:,}"
            )
            for j, n in enumerate(row)
        )
        body.append(Markup('<tr><th scope="row">{}</th>{}</tr>').format(classes[k], cells))
    return Markup(
        '<table class="confusion"><thead><tr><th scope="col">truth \\ guess</th>{}</tr></thead>'
        "<tbody>{}</tbody></table>"
    ).format(head, Markup("").join(body))


def roc(curve: Curve) -> Markup:
    frame = Frame([0, 1], [0, 1])
    return frame.picture(
        "ROC curve",
        frame.axes("false alarms", "found"),
        frame.line([0, 1], [0, 1], "guide"),
        frame.band(curve),
        frame.line(curve.x, curve.y, "curve"),
    )


def calibration(curve: Curve) -> Markup:
    frame = Frame([0, 1], [0, 1])
    bars = "".join(
        '<line class="error" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>'.format(
            *frame.at(x, a), *frame.at(x, b)
        )
        for x, a, b in zip(curve.x, curve.low, curve.high, strict=False)
    )
    return frame.picture(
        "Calibration curve",
        frame.axes("chance given", "came true"),
        frame.line([0, 1], [0, 1], "guide"),
        bars,
        frame.line(curve.x, curve.y, "curve"),
        frame.dots(curve.x, curve.y),
    )


def residuals(curve: Curve) -> Markup:
    every = [*curve.x, *curve.y]
    frame = Frame(every, every)
    ends = [min(every), max(every)]
    return frame.picture(
        "Truth against guess",
        frame.axes("guess", "truth"),
        frame.line(ends, ends, "guide"),
        frame.dots(curve.x, curve.y, 1.6),
    )


def importance(columns: Sequence[Importance]) -> Markup:
    shown = columns[:MOST_BARS]
    most = max((one.high for one in shown), default=1.0) or 1.0
    least = min(0.0, min((one.low for one in shown), default=0.0))
    room = most - least or 1.0
    name_room, wide, step = 170, 560, 22

    def place(value: float) -> float:
        return name_room + (value - least) / room * (wide - name_room - 60)

    parts = [
        f'<line class="base" x1="{place(0):.1f}" y1="0" x2="{place(0):.1f}" y2="{len(shown) * step + 4}"/>'
    ]
    for k, one in enumerate(shown):
        y = k * step + 14
        name = one.name if len(one.name) <= 24 else one.name[:23] + "…"
        bar = sorted((place(0), place(one.value)))
        parts.append(f'<text x="{name_room - 8}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        parts.append(
            f'<rect class="bar" x="{bar[0]:.1f}" y="{y - 7}" width="{bar[1] - bar[0]:.1f}" height="13" rx="2"/>'
        )
        if one.low < one.high:
            parts.append(
                f'<line class="error" x1="{place(one.low):.1f}" y1="{y}" x2="{place(one.high):.1f}" y2="{y}"/>'
            )
        parts.append(
            f'<text x="{place(max(one.high, one.value)) + 6:.1f}" y="{y + 4}">{figure(one.value)}</text>'
        )
    more = len(columns) - len(shown)
    note = Markup('<p class="small">and {} more columns</p>').format(more) if more > 0 else Markup("")
    title = "Importance of columns: " + ", ".join(f"{one.name} {figure(one.value)}" for one in shown[:5])
    return _svg(wide, len(shown) * step + 8, title, *parts) + note


def rounds(found: Rounds) -> Markup:
    x = list(range(1, len(found.train_error) + 1))
    frame = Frame([0, *x], [0.0, *found.train_error, *found.bound])
    return frame.picture(
        "Training error and its bound over the rounds",
        frame.axes("round", "error"),
        frame.line(x, found.bound, "guide"),
        frame.line(x, found.train_error, "curve"),
    )


def margins(curve: Curve) -> Markup:
    frame = Frame([-1, 1], [0, 1])
    return frame.picture(
        "Distribution of margins",
        frame.axes("margin", "share of rows below"),
        frame.line([0, 0], [0, 1], "guide"),
        frame.line(curve.x, curve.y, "curve"),
    )


def learning_curve(curve: Curve, title: str) -> Markup:
    frame = Frame([0, *curve.x], [*curve.y, *curve.low, *curve.high], wide=520)
    return frame.picture(
        "Learning curve",
        frame.axes("training rows", title),
        frame.band(curve),
        frame.line(curve.x, curve.y, "curve"),
        frame.dots(curve.x, curve.y),
    )


def balance(shares: Sequence[Share]) -> Markup:
    """One bar, a part for each class."""
    total = max(1, sum(one.count for one in shares))
    place, parts = 0.0, []
    for k, one in enumerate(shares[:MOST_CELLS]):
        wide = 520 * one.count / total
        parts.append(
            f'<rect class="class-{k % 8}" x="{place:.1f}" y="0" width="{max(0.0, wide - 1):.1f}" height="22"/>'
        )
        place += wide
    told_all = ", ".join(
        f"{one.label} {one.count:,} ({one.count / total:.0%})" for one in shares[:MOST_CELLS]
    )
    more = len(shares) - MOST_CELLS
    words = told_all + (f" and {more} more classes" if more > 0 else "")
    legend = Markup("").join(
        Markup(
            '<span class="key"><i class="class-{}"></i>{} <span class="small">{} ({})</span></span> '
        ).format(k % 8, one.label, f"{one.count:,}", f"{one.count / total:.0%}")
        for k, one in enumerate(shares[:MOST_CELLS])
    )
    return _svg(520, 22, f"Rows of each class: {words}", *parts) + Markup(
        "<figcaption>{}</figcaption>"
    ).format(legend)


def _svg(wide: float, high: float, title: str, *parts: str) -> Markup:
    return Markup(
        f'<svg class="chart" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _room(values: Sequence[float]) -> tuple[float, float]:
    """A little more than the values take."""
    known = [v for v in values if isfinite(v)] or [0.0, 1.0]
    low, high = min(known), max(known)
    if {low, high} <= {0.0, 1.0} or (low == -1 and high == 1):
        return (low, high) if low < high else (low - 0.5, high + 0.5)
    pad = (high - low) * 0.06 or max(abs(high) * 0.1, 1e-6)
    return (low if low == 0 else low - pad), high + pad


def _ticks(low: float, high: float, about: int = 5) -> list[float]:
    step = 10 ** floor(log10((high - low) / about))
    step = next((k * step for k in (1, 2, 5, 10) if (high - low) / (k * step) <= about), 10 * step)
    first = ceil(low / step - 1e-9)
    return [k * step for k in range(first, floor(high / step + 1e-9) + 1)]


def _tick(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{round(value, 10):g}"
