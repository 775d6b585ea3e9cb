"""Two columns, and what a machine answers everywhere between them; its support vectors ringed."""

from itertools import groupby

from markupsafe import Markup

from hedgerow.report.charts.frame import Frame
from hedgerow.studies.result import Plane

COLOURS = 8


def plane(found: Plane) -> Markup:
    frame = Frame(found.x, found.y, 420, 330)
    frame.x0, frame.x1 = found.x  # the picture ends where the answers do
    frame.y0, frame.y1 = found.y
    rings = sum(found.is_support)
    return frame.picture(
        f"Answers of the machine between {found.columns[0]} and {found.columns[1]}: {len(found.rows):,} training rows, "
        f"{rings:,} of them support vectors, ringed",
        _areas(frame, found),
        frame.axes(*found.columns),
        *(_row(frame, *row, ring) for row, ring in zip(found.rows, found.is_support, strict=True)),
    )


def _areas(frame: Frame, found: Plane) -> str:
    """Cells next to each other with one answer are one rectangle."""
    up, across = len(found.answers), len(found.answers[0])
    wide, high = (found.x[1] - found.x[0]) / across, (found.y[1] - found.y[0]) / up
    out = []
    for k, line in enumerate(found.answers):
        start = 0
        for answer, cells in groupby(line):
            count = len(list(cells))
            left, top = frame.at(found.x[0] + start * wide, found.y[0] + (k + 1) * high)
            right, bottom = frame.at(found.x[0] + (start + count) * wide, found.y[0] + k * high)
            size = f'width="{right - left + 0.3:.1f}" height="{bottom - top + 0.3:.1f}"'
            out.append(f'<rect class="class-{answer % COLOURS}" x="{left:.1f}" y="{top:.1f}" {size}/>')
            start += count
    return f'<g class="area">{"".join(out)}</g>'


def _row(frame: Frame, x: float, y: float, label: int, is_support: bool) -> str:
    a, b = frame.at(x, y)
    ring = f'<circle class="ring" cx="{a:.1f}" cy="{b:.1f}" r="5"/>' if is_support else ""
    return f'<circle class="class-{label % COLOURS}" cx="{a:.1f}" cy="{b:.1f}" r="2.6"/>{ring}'
