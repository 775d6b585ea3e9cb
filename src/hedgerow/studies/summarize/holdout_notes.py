"""What the hold-out says of the study.   In: the study, its hold-out, the rows of both.   Out: Notes, where the
hold-out is predicted clearly worse than the folds, or is so small that its score is mostly luck.
"""

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.evaluation.data import Data
from hedgerow.report.words import format_interval, format_value
from hedgerow.studies.records import HoldoutResult, Note, ScoreRecord
from hedgerow.studies.result import StudyResult
from hedgerow.words import show

FEW_ROWS = 20  # of a hold-out
FEW_OF_CLASS = 5  # of them, of one of two classes


def note_holdout(draft: StudyResult, holdout: HoldoutResult, train: Data, test: Data) -> list[Note]:
    """`train`: the rows that models were compared on. `test`: those of the hold-out."""
    folds = next(one.scores for one in draft.candidates if one.name == draft.verdict.chosen)
    if not folds or not holdout.scores:
        return []
    before = folds[0]
    after = next((one for one in holdout.scores if one.name == before.name), None)
    notes = []
    if after is not None and _is_worse(after, before):
        notes.append(
            f"The hold-out is predicted worse than the folds: {after.title} {format_value(after)} "
            f"({format_interval(after)}) against {format_value(before)} ({format_interval(before)}). Its rows differ "
            "from those before, or a few of them decide: expect such differences on new rows, too."
        )
    few = _find_few(train, test)
    if few is not None:
        what, others = few
        notes.append(
            f"The hold-out has only {what}: with others the score may be far from this one. The "
            f"cross-validated score, {format_value(before)} ({format_interval(before)}), rests on {others}."
        )
    return [Note(text, True) for text in notes]


def _is_worse(after: ScoreRecord, before: ScoreRecord) -> bool:
    """Than the cross-validation let expect: their intervals do not meet."""
    if before.low is None or before.high is None or after.low is None or after.high is None:
        return False
    return after.high < before.low if after.higher_is_better else after.low > before.high


def _find_few(train: Data, test: Data) -> tuple[str, str] | None:
    """What there is little of in the hold-out, and what there is of it in the folds."""
    if test.n_rows < FEW_ROWS:
        return many(test.n_rows, "row"), f"{train.n_rows:,} rows"
    if not train.is_binary or train.classes is None:
        return None
    counts = {label: int(np.count_nonzero(test.labels == label)) for label in train.classes.tolist()}
    label = min(counts, key=counts.__getitem__)
    if counts[label] >= FEW_OF_CLASS:
        return None
    what = f"{many(counts[label], 'row')} of the class {show(str(label))}"
    return what, f"{many(int(np.count_nonzero(train.labels == label)), 'row')} of it"
