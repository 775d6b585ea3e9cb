"""Curves and clouds of points."""

from markupsafe import Markup

from hedgerow.report.charts.frame import Frame
from hedgerow.studies.result import Curve, Rounds
from hedgerow.studies.words import PERCENT, figure


def roc(curve: Curve, area: float | None) -> Markup:
    frame = Frame([0, 1], [0, 1])
    return frame.picture(
        "ROC curve" + ("" if area is None else f", area under it {figure(area)}"),
        frame.axes("share of false alarms", "share found"),
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
    points = "; ".join(f"said {x:.0%}, came true {y:.0%}" for x, y in zip(curve.x, curve.y, strict=True))
    return frame.picture(
        f"Calibration: {points}",
        frame.axes("chance that was given", "share that came true"),
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
        f"Truth against guess for {len(curve.x):,} rows; on the diagonal the guess is right",
        frame.axes("guess", "truth"),
        frame.dots(curve.x, curve.y, 2.2, "cloud"),
        frame.line(ends, ends, "guide"),
    )


def rounds(found: Rounds) -> Markup:
    x = list(range(1, len(found.train_error) + 1))
    frame = Frame([0, *x], [0.0, *found.train_error, *found.bound])
    last = figure(found.train_error[-1]) if found.train_error else "not known"
    return frame.picture(
        f"Training error over {len(x)} rounds, at the end {last}, and its bound",
        frame.axes("round", "error"),
        frame.line(x, found.bound, "guide"),
        frame.line(x, found.train_error, "curve"),
    )


def margins(curve: Curve) -> Markup:
    frame = Frame([-1, 1], [0, 1])
    wrong = next((y for x, y in zip(curve.x[::-1], curve.y[::-1], strict=True) if x <= 0), 0.0)
    return frame.picture(
        f"Margins of the training rows: {wrong:.0%} of them at zero or below",
        frame.axes("margin", "share of rows below"),
        frame.line([0, 0], [0, 1], "guide"),
        frame.line(curve.x, curve.y, "curve"),
    )


def learning_curve(curve: Curve, title: str, metric: str) -> Markup:
    points = "; ".join(f"{x:,.0f} rows {figure(y, metric)}" for x, y in zip(curve.x, curve.y, strict=True))
    name = title
    if metric in PERCENT:
        curve, name = _in_percent(curve), f"{title} (%)"
    frame = Frame([0, *curve.x], [*curve.y, *curve.low, *curve.high])
    return frame.picture(
        f"Learning curve, {title}: {points}",
        frame.axes("training rows", name),
        frame.band(curve),
        frame.line(curve.x, curve.y, "curve"),
        frame.dots(curve.x, curve.y),
    )


def _in_percent(curve: Curve) -> Curve:
    return Curve(curve.x, *(tuple(100 * v for v in line) for line in (curve.y, curve.low, curve.high)))
