"""Curves, clouds of points, and the decision plane of two columns."""

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from hedgerow.report.charts.frame import Frame
from hedgerow.report.words import format_score

if TYPE_CHECKING:
    from hedgerow.studies.records import BoostingRounds, Curve, DecisionPlane

COLOURS = 8
ZOOM = 0.5  # of a calibration whose probabilities stay below this


def roc(curve: "Curve", area: float | None) -> Markup:
    frame = Frame([0, 1], [0, 1])
    return frame.picture(
        "ROC curve" + ("" if area is None else f", area under it {format_score(area)}"),
        frame.axes("false positive rate", "true positive rate"),
        frame.line([0, 1], [0, 1], "guide"),
        frame.band(curve),
        frame.line(curve.x, curve.y, "curve"),
    )


def precision_recall(curve: "Curve", threshold: tuple[float, float] | None) -> Markup:
    """`threshold`: recall and precision at the operating point."""
    frame = Frame([0, 1], [0, 1])
    words = "" if threshold is None else f"; chosen: recall {threshold[0]:.0%}, precision {threshold[1]:.0%}"
    return frame.picture(
        f"Precision against recall{words}",
        frame.axes("recall", "precision"),
        frame.band(curve),
        frame.line(curve.x, curve.y, "curve"),
        "" if threshold is None else frame.dots([threshold[0]], [threshold[1]]),
    )


def calibration(curve: "Curve") -> Markup:
    """From 0 to 1; of a rare class, as far as there are probabilities."""
    largest = max((*curve.x, *curve.high), default=1.0)
    end = 1.0 if largest > ZOOM else largest
    frame = Frame([0, end], [0, end])
    bars = "".join(
        '<line class="error" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>'.format(
            *frame.at(x, a), *frame.at(x, b)
        )
        for x, a, b in zip(curve.x, curve.low, curve.high, strict=False)
    )
    points = "; ".join(f"predicted {x:.0%}, came true {y:.0%}" for x, y in zip(curve.x, curve.y, strict=True))
    return frame.picture(
        f"Calibration: {points}",
        frame.axes("predicted probability", "share that came true"),
        frame.line([0, end], [0, end], "guide"),
        bars,
        frame.line(curve.x, curve.y, "curve"),
        frame.dots(curve.x, curve.y),
    )


def residuals(curve: "Curve") -> Markup:
    every = [*curve.x, *curve.y]
    frame = Frame(every, every)
    ends = [min(every), max(every)]
    return frame.picture(
        f"Truth against prediction for {len(curve.x):,} rows; on the diagonal the prediction is right",
        frame.axes("prediction", "truth"),
        frame.dots(curve.x, curve.y, 2.2, "cloud"),
        frame.line(ends, ends, "guide"),
    )


def rounds(found: "BoostingRounds") -> Markup:
    x = list(range(1, len(found.train_error) + 1))
    frame = Frame([0, *x], [0.0, *found.train_error, *found.bound])
    last = format_score(found.train_error[-1]) if found.train_error else "not known"
    return frame.picture(
        f"Training error over {len(x)} rounds, at the end {last}, and its bound",
        frame.axes("round", "error"),
        frame.line(x, found.bound, "guide"),
        frame.line(x, found.train_error, "curve"),
    )


def margins(curve: "Curve") -> Markup:
    frame = Frame([-1, 1], [0, 1])
    wrong = next((y for x, y in zip(curve.x[::-1], curve.y[::-1], strict=True) if x <= 0), 0.0)
    return frame.picture(
        f"Margins of the training rows: {wrong:.0%} of them at zero or below",
        frame.axes("margin", "share of rows below"),
        frame.line([0, 0], [0, 1], "guide"),
        frame.line(curve.x, curve.y, "curve"),
    )


def learning_curve(curve: "Curve", title: str, is_percentage: bool) -> Markup:
    points = "; ".join(
        f"{x:,.0f} rows {format_score(y, is_percentage)}" for x, y in zip(curve.x, curve.y, strict=True)
    )
    name = title
    if is_percentage:
        curve, name = _in_percent(curve), f"{title} (%)"
    frame = Frame([0, *curve.x], [*curve.y, *curve.low, *curve.high])
    return frame.picture(
        f"Learning curve, {title}: {points}",
        frame.axes("training rows", name),
        frame.band(curve),
        frame.line(curve.x, curve.y, "curve"),
        frame.dots(curve.x, curve.y),
    )


def growth(found: dict[str, Any], methods: list[str]) -> Markup:
    """A line a method: error against size on rows held out, dashed on the training rows."""
    points = found["points"]
    frame = Frame(
        [p["max_leaves"] for p in points], [p[rows] for p in points for rows in ("training", "held_out")]
    )
    lines = []
    for k, method in enumerate(methods):
        own = [p for p in points if p["method"] == method]
        x = [p["max_leaves"] for p in own]
        lines += [
            frame.line(x, [p["training"] for p in own], f"curve thin series-{k}"),
            frame.line(x, [p["held_out"] for p in own], f"curve series-{k}"),
            frame.dots(x, [p["held_out"] for p in own], kind=f"class-{k}"),
        ]
    best = min(points, key=lambda p: p["held_out"])
    words = f"the {best['method']} tree of {best['leaves']} leaves"
    return frame.picture(
        f"{found['measure']} against size; least on rows held out: {words}",
        frame.axes("leaves at most", found["measure"]),
        *lines,
    )


def _in_percent(curve: "Curve") -> "Curve":
    percent = {name: tuple(100 * v for v in getattr(curve, name)) for name in ("y", "low", "high")}
    return replace(curve, **percent)


def plane(found: "DecisionPlane") -> Markup:
    frame = Frame(found.x, found.y, 420, 330)
    frame.x0, frame.x1 = found.x  # the picture ends where the predictions do
    frame.y0, frame.y1 = found.y
    rings = sum(found.is_support)
    return frame.picture(
        f"Predictions between {found.columns[0]} and {found.columns[1]}: {len(found.rows):,} training rows, "
        f"{rings:,} of them support vectors, ringed",
        _areas(frame, found),
        frame.axes(*found.columns),
        *(_row(frame, *row, ring) for row, ring in zip(found.rows, found.is_support, strict=True)),
    )


def _areas(frame: Frame, found: "DecisionPlane") -> str:
    """Cells next to each other with one prediction are one rectangle."""
    up, across = len(found.predictions), len(found.predictions[0])
    wide, high = (found.x[1] - found.x[0]) / across, (found.y[1] - found.y[0]) / up
    out = []
    for k, line in enumerate(found.predictions):
        start = 0
        for label, cells in groupby(line):
            count = len(list(cells))
            left, top = frame.at(found.x[0] + start * wide, found.y[0] + (k + 1) * high)
            right, bottom = frame.at(found.x[0] + (start + count) * wide, found.y[0] + k * high)
            size = f'width="{right - left + 0.3:.1f}" height="{bottom - top + 0.3:.1f}"'
            out.append(f'<rect class="class-{label % COLOURS}" x="{left:.1f}" y="{top:.1f}" {size}/>')
            start += count
    return f'<g class="area">{"".join(out)}</g>'


def _row(frame: Frame, x: float, y: float, label: int, is_support: bool) -> str:
    a, b = frame.at(x, y)
    ring = f'<circle class="ring" cx="{a:.1f}" cy="{b:.1f}" r="5"/>' if is_support else ""
    return f'<circle class="class-{label % COLOURS}" cx="{a:.1f}" cy="{b:.1f}" r="2.6"/>{ring}'
