"""Named bars, as lists: they fit any width, and are read line by line by those who hear them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from hedgerow.report.words import format_score, format_share

if TYPE_CHECKING:
    from hedgerow.studies.records import ClassCount, ColumnWeight, ImportanceRecord

MOST_BARS = 20
FEW = 6  # classes that share one bar


def importance(columns: "Sequence[ImportanceRecord]", is_percentage: bool) -> Markup:
    """Each with its interval over the shuffles; those that change nothing at all in one sentence."""
    moving = [one for one in columns if (one.low, one.value, one.high) != (0, 0, 0)]
    shown = moving[:MOST_BARS]
    most = max([0.0, *(max(one.high, one.value) for one in shown)])
    least = min([0.0, *(min(one.low, one.value) for one in shown)])
    scale = most - least or 1.0

    def place(value: float) -> float:
        return 100 * (value - least) / scale

    lines = Markup("").join(
        bar(
            one.name,
            (place(0), place(one.value)),
            format_score(one.value, is_percentage),
            whisker=(place(one.low), place(one.high)) if one.low < one.high else None,
        )
        for one in shown
    )
    idle = [one.name for one in columns if one not in moving]
    return Markup('<ol class="bars">{}</ol>{}{}').format(
        lines, more(len(moving) - len(shown), "column"), _idle(idle)
    )


def _idle(names: Sequence[str]) -> Markup:
    if not names:
        return Markup("")
    more = f" and {len(names) - MOST_BARS} more" if len(names) > MOST_BARS else ""
    return Markup('<p class="small">Shuffling these changes nothing: {}{}.</p>').format(
        ", ".join(names[:MOST_BARS]), more
    )


def weights(columns: "Sequence[ColumnWeight]") -> Markup:
    most = max((abs(one.value) for one in columns), default=1.0) or 1.0
    lines = Markup("").join(
        bar(
            one.name,
            (50.0, 50 + 50 * one.value / most),
            f"{one.value:+.3g}",
            kind="plus" if one.value >= 0 else "minus",
        )
        for one in columns
    )
    return Markup('<ol class="bars two-sided">{}</ol>').format(lines)


def class_counts(classes: "Sequence[ClassCount]") -> Markup:
    """Rows of each class: one bar in parts for a few classes, a bar each for many."""
    total = max(1, sum(one.count for one in classes))
    if len(classes) <= FEW:
        parts = Markup("").join(
            Markup('<span class="class-{}" style="width:{}%"></span>').format(
                k, f"{100 * one.count / total:.2f}"
            )
            for k, one in enumerate(classes)
        )
        keys = Markup("").join(
            Markup('<li><i class="class-{}"></i>{} <span class="small">{} ({})</span></li>').format(
                k, one.label, f"{one.count:,}", format_share(one.count / total)
            )
            for k, one in enumerate(classes)
        )
        return Markup('<div class="parts" aria-hidden="true">{}</div><ul class="keys">{}</ul>').format(
            parts, keys
        )
    ordered = sorted(classes, key=lambda one: -one.count)
    most = ordered[0].count or 1
    lines = Markup("").join(
        bar(one.label, (0.0, 100 * one.count / most), f"{one.count:,} ({format_share(one.count / total)})")
        for one in ordered[:MOST_BARS]
    )
    return Markup('<ol class="bars">{}</ol>{}').format(
        lines, more(len(ordered) - MOST_BARS, "class", "classes")
    )


def bar(
    name: str,
    ends: tuple[float, float],
    words: str,
    whisker: tuple[float, float] | None = None,
    kind: str = "",
) -> Markup:
    """`ends` and `whisker` in percent of the room."""
    start, end = sorted(ends)
    line = (
        Markup('<i class="whisker" style="left:{}%;width:{}%"></i>').format(
            f"{whisker[0]:.1f}", f"{whisker[1] - whisker[0]:.1f}"
        )
        if whisker
        else ""
    )
    return Markup(
        '<li><span class="bar-name" title="{}">{}</span><span class="track" aria-hidden="true"><i class="fill {}" '
        'style="left:{}%;width:{}%"></i>{}</span><span class="bar-value">{}</span></li>'
    ).format(name, name, kind, f"{start:.1f}", f"{max(end - start, 0.3):.1f}", line, words)


def more(count: int, word: str, plural: str = "") -> Markup:
    if count <= 0:
        return Markup("")
    return Markup('<p class="small">and {} more {}</p>').format(
        count, word if count == 1 else plural or word + "s"
    )
