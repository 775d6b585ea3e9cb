"""The margin of a support vector machine, solved in the page.   In: LessonRows.   Out: what the page shows."""

from typing import Any

import numpy as np

from hedgerow.teaching.lesson_rows import LessonRows, refuse_more_classes, take_plane

TITLE = "The margin, as C, gamma and the points move"
LEAD = (
    "The line is where the score is 0, the dashed ones where it is 1 and -1. Small C buys a wide margin with slack; "
    "large C pays for every row inside it. The page solves the problem itself; primal and dual meet at the solution."
)
KEYS = "Drag a point, or Tab to it and use the arrow keys; the sliders take arrow keys too."
EXAMPLE = "two_clouds"
MOST_ROWS = 120


def prepare(rows: LessonRows) -> dict[str, Any]:
    """Columns are brought to the same spread, as a machine wants them."""
    refuse_more_classes("margin", rows)
    plane = take_plane(rows, MOST_ROWS, standardize=True)
    spread = float(plane.points.var()) or 1.0
    return plane.to_dict() | {"gamma": float(np.round(np.log10(1 / (2 * spread)), 2))}
