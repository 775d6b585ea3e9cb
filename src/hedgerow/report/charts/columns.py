"""Gradient boosting: the loss by round, and what a column's cells do to the prediction."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from hedgerow.report.charts.bars import MOST_BARS, bar, more
from hedgerow.report.charts.frame import Frame
from hedgerow.report.words import format_score


def losses(found: Mapping[str, Any]) -> Markup:
    """Of the training rows, and dashed of those held out."""
    train, test = found["train"], found["test"]
    frame = Frame([0, len(train)], [*train, *test])
    words = f"Loss after {len(train) - 1} rounds: {format_score(train[-1])} on training rows"
    parts = [frame.line(range(len(train)), train, "curve")]
    if test:
        words += f", {format_score(min(test))} at best on rows held out"
        parts.append(frame.line(range(len(test)), test, "guide"))
        parts.append(frame.dots([found["best"]], [test[found["best"]]]))
    return frame.picture(words, frame.axes("round", found["measure"]), *parts)


def shares(lines: Sequence[Mapping[str, Any]]) -> Markup:
    """Values of 0 to 100, the largest first."""
    bars = Markup("").join(
        bar(one["name"], (0.0, one["value"]), f"{one['value']:.0f}") for one in lines[:MOST_BARS]
    )
    return Markup('<ol class="bars">{}</ol>{}').format(bars, more(len(lines) - MOST_BARS, "column"))


def column(one: Mapping[str, Any]) -> Markup:
    """A curve with its band; a bar for each level of a category."""
    return _levels(one) if one["levels"] else _numbers(one)


def _numbers(one: Mapping[str, Any]) -> Markup:
    x, y, low, high = (one[name] for name in ("x", "y", "low", "high"))
    frame = Frame(x, [*y, *low, *high])
    return frame.picture(
        f"{one['output']} by {one['name']}: from {format_score(min(y))} to {format_score(max(y))}",
        frame.axes(
            one["name"],
            one["output"].partition(" to ")[0],  # the caption says to what
            is_date=one.get("is_date", False),
        ),
        frame.between(x, low, high),
        frame.line(x, y, "curve"),
    )


def _levels(one: Mapping[str, Any]) -> Markup:
    # a mean may lie outside the span of most rows: of a rare class, whose probability is mostly near 0
    low: float = min([0.0, *one["low"], *one["y"]])
    scale: float = max([0.0, *one["high"], *one["y"]]) - low or 1.0

    def place(value: float) -> float:
        return 100 * (value - low) / scale

    rows = list(zip(one["levels"], one["y"], one["low"], one["high"], strict=True))
    bars = Markup("").join(
        bar(level, (place(0.0), place(y)), format_score(y), whisker=(place(a), place(b)))
        for level, y, a, b in rows[:MOST_BARS]
    )
    return Markup('<ol class="bars">{}</ol>{}').format(bars, more(len(rows) - MOST_BARS, "level"))
