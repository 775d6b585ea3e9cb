"""Scores with their intervals, as bars."""

from typing import TYPE_CHECKING

from markupsafe import Markup

from hedgerow.report.charts.frame import room, svg
from hedgerow.report.words import format_interval, format_score, format_value

if TYPE_CHECKING:
    from hedgerow.studies.records import ScoreRecord
    from hedgerow.studies.result import StudyResult

WIDE = 300  # of the answer's
BAR = 240  # of one on the leaderboard
EDGE = 8


def whisker(score: "ScoreRecord") -> Markup:
    """The score of the hold-out, the baseline beside it."""
    if score.value is None or score.low is None or score.high is None:
        return Markup("")
    known = [score.value, score.low, score.high] + ([] if score.baseline is None else [score.baseline])
    ends = room(known)
    low, high, value = (_place(v, ends, WIDE) for v in (score.low, score.high, score.value))
    base = "" if score.baseline is None else _baseline(_place(score.baseline, ends, WIDE), score)
    usual = (
        "" if score.baseline is None else f", baseline {format_score(score.baseline, score.is_percentage)}"
    )
    return svg(
        WIDE,
        46,
        f"{score.title} {format_value(score)}, interval {format_interval(score)}{usual}",
        f'<line class="grid" x1="{EDGE}" y1="14" x2="{WIDE - EDGE}" y2="14"/>',
        f'<line class="range" x1="{low:.1f}" y1="14" x2="{high:.1f}" y2="14"/>',
        f'<circle class="dot" cx="{value:.1f}" cy="14" r="6"/>',
        base,
    )


def _baseline(place: float, score: "ScoreRecord") -> str:
    words = f"baseline {format_score(score.baseline, score.is_percentage)}"
    half = 3.1 * len(words)
    return (
        f'<line class="base" x1="{place:.1f}" y1="3" x2="{place:.1f}" y2="25"/>'
        f'<text x="{min(max(place, half), WIDE - half):.1f}" y="41" text-anchor="middle">{words}</text>'
    )


def common_range(result: "StudyResult") -> tuple[float, float]:
    """Of all intervals on the leaderboard."""
    first = [one.scores[0] for one in result.candidates if one.scores]
    known = [v for score in first for v in (score.value, score.low, score.high) if v is not None]
    return room(known or [0.0, 1.0])


def interval_bar(score: "ScoreRecord", ends: tuple[float, float]) -> Markup:
    """With a mark where the baseline lies."""
    if score.value is None:
        return Markup("")
    low, high, value = (
        _place(score.value if v is None else v, ends, BAR) for v in (score.low, score.high, score.value)
    )
    base = ""
    if score.baseline is not None and ends[0] <= score.baseline <= ends[1]:
        place = _place(score.baseline, ends, BAR)
        base = f'<line class="guide" x1="{place:.1f}" y1="0" x2="{place:.1f}" y2="20"/>'
    return svg(
        BAR,
        20,
        f"{format_value(score)}, interval {format_interval(score)}",
        f'<line class="grid" x1="{EDGE}" y1="10" x2="{BAR - EDGE}" y2="10"/>',
        base,
        f'<line class="range" x1="{low:.1f}" y1="10" x2="{high:.1f}" y2="10"/>',
        f'<circle class="dot" cx="{value:.1f}" cy="10" r="4.5"/>',
    )


def _place(value: float, ends: tuple[float, float], wide: int) -> float:
    return EDGE + (value - ends[0]) / (ends[1] - ends[0]) * (wide - 2 * EDGE)
