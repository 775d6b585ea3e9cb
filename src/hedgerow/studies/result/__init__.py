"""StudyResult: everything a study found, as plain data. The terminal's page, report.html and result.json are its views.

Only words, numbers, tuples and None, so that it is JSON as it stands (`to_dict`, `from_dict`); schema.py describes it
for other programs. Nothing here says how long anything took: the same study gives the same result, whenever and
however often it was interrupted.
"""

from hedgerow.studies.result.contest import Entrant, Pair, ScoreTold, Verdict
from hedgerow.studies.result.explained import Explained, Importance, Rounds, RuleTold
from hedgerow.studies.result.holdout import Curve, Holdout
from hedgerow.studies.result.machines import ColumnWeight, HardRow, MachineTold, Plane, Support
from hedgerow.studies.result.question import ColumnTold, Note, Profile, Question, Share
from hedgerow.studies.result.trees import NodeTold, Step, TreeTold
from hedgerow.studies.result.whole import VERSION, StudyResult

__all__ = [
    "VERSION",
    "ColumnTold",
    "ColumnWeight",
    "Curve",
    "Entrant",
    "Explained",
    "HardRow",
    "Holdout",
    "Importance",
    "MachineTold",
    "NodeTold",
    "Note",
    "Pair",
    "Plane",
    "Profile",
    "Question",
    "Rounds",
    "RuleTold",
    "ScoreTold",
    "Share",
    "Step",
    "StudyResult",
    "Support",
    "TreeTold",
    "Verdict",
]
