"""Times of follow-up.   In: a table, the target.   Out: names of columns that may be how long each case was watched;
where the target is such a time, of those that may say whether it had ended.

Who is watched longer has more time for an event: the time predicts it well, and is known only when it is over. No
number shows this, a planned duration may predict as well; so it is a question, asked by the names of both columns.
"""

import re

import numpy as np

from hedgerow.intake import TargetData
from hedgerow.table import Column, Table
from hedgerow.types import Mask

TIME = re.compile(
    r"^(times?|(fu|d|r|rec|surv|obs|event|follow_?up)_?(time|days?|months?|years?)|follow_?up|duration|"
    r"(days?|weeks?|months?|years?|time)_(to|until)_[a-z_]+|surv(ival)?|len(gth)?_?(of_?)?fol(low_?up)?)$"
)
EVENT = re.compile(
    r"(^|_)(status|event|death|dead|died|deceased|cens(or(ed|ing)?)?|delta|relapsed?|fail(ed|ure)?|f(u|ol)?_?stat)($|_)"
)
TIME_OF_SURVIVAL = re.compile(
    r"^(t|tte|days?|weeks?|months?|(log_?|l)?durat(ion)?|(os|pfs|dfs|rfs)(_?time)?)$"
)
# An event, and no other status.
SURVIVAL = re.compile(r"(^|_)(dead|died|death|deceased|cens[a-z]*|relapsed?)($|_)")
OBSERVED = re.compile(r"(^|_)(observed|uncensored|ended|completed)($|_)")
PAIR = re.compile(r"e(?:v|vent)?(_[a-z0-9_]+)?\+t(?:ime)?(_[a-z0-9_]+)?")  # e.tdm and t.tdm; E and T
MOST_CLASSES = 5
NEARLY = 0.99  # of the rows
MANY = 20  # different values; a planned duration has fewer


def find_follow_up(table: Table, target: TargetData) -> list[str]:
    if target.classes is None or len(target.classes) > MOST_CLASSES:
        return []
    return [
        column.name
        for column in table.columns
        if column.kind == "number"
        and _belong_together(_words(target.name), _words(column.name))
        and len(np.unique(column.values[~column.missing])) >= MANY
    ]


def find_censoring(table: Table, target: TargetData) -> list[str]:
    """Where it had not ended, the time is longer than the one in the table. A column whose cells are missing just there
    (the cause of death) says the same."""
    if target.classes is not None or not TIME.search(_words(target.name)):
        return []
    named = [
        column
        for column in table.columns
        if (EVENT.search(_words(column.name)) or OBSERVED.search(_words(column.name)))
        and len(np.unique(column.values[~column.missing])) == 2
    ]
    same = [
        column
        for column in table.columns
        if column.missing.any() and any(_are_missing_by(column.missing, one) for one in named)
    ]
    return list(dict.fromkeys(column.name for column in (*named, *same)))


def _are_missing_by(missing: Mask, event: Column) -> bool:
    """Nearly all where the event has one of its two values, and nowhere else."""
    share = float(np.mean(missing == (event.values == event.values.max())))
    return max(share, 1 - share) >= NEARLY


def _belong_together(event: str, time: str) -> bool:
    """By their names: an event, and how long it was waited for."""
    if SURVIVAL.search(event) and TIME_OF_SURVIVAL.search(time):
        return True
    if (SURVIVAL.search(event) or EVENT.search(event)) and TIME.search(time):
        return True
    pair = PAIR.fullmatch(f"{event}+{time}")
    return pair is not None and pair[1] == pair[2]


def _words(name: str) -> str:
    """survTime, Surv.time -> surv_time"""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", name).lower().strip("_")
