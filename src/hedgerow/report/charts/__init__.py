"""charts: pictures for the page.   In: plain data of a result.   Out: markup; colours are those of the style sheet.

Every picture says in its title what it shows, for those who hear the page. Texts from the data are escaped here.
"""

from hedgerow.report.charts.bars import class_counts, importance, weights
from hedgerow.report.charts.columns import column, losses, shares
from hedgerow.report.charts.confusion import confusion, find_mistakes
from hedgerow.report.charts.curves import (
    calibration,
    growth,
    learning_curve,
    margins,
    plane,
    precision_recall,
    residuals,
    roc,
    rounds,
)
from hedgerow.report.charts.intervals import common_range, interval_bar, whisker

__all__ = [
    "calibration",
    "class_counts",
    "column",
    "common_range",
    "confusion",
    "find_mistakes",
    "growth",
    "importance",
    "interval_bar",
    "learning_curve",
    "losses",
    "margins",
    "plane",
    "precision_recall",
    "residuals",
    "roc",
    "rounds",
    "shares",
    "weights",
    "whisker",
]
