"""intake: files and frames as people have them -> PreparedData: features, target, weights, groups; what was left out.

    read.py          a path, the name of a data set or a frame -> Source: a frame as it is
    clean.py         dates, numbers as text, infinite and nested cells -> cells a model can take
    frame_dates.py   dates in a frame of Python -> a Table of dates
    columns.py       which columns take part, and why the others do not
    task.py          the target column -> classification or regression
    prepare.py       all of it

It speaks of parameters; scikit-learn is not loaded here: `hedgerow fit` reads by the same path and is quick.
"""

from hedgerow.intake.columns import ColumnOptions
from hedgerow.intake.prepare import PreparedData, Samples, prepare_data
from hedgerow.intake.read import Source, read_source
from hedgerow.intake.task import TASKS, TargetData

__all__ = [
    "TASKS",
    "ColumnOptions",
    "PreparedData",
    "Samples",
    "Source",
    "TargetData",
    "prepare_data",
    "read_source",
]
