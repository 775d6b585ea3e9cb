"""The data, told.   In: what was read, the training rows, what the checks found.   Out: a Profile."""

import numpy as np

from hedgerow.evaluation.checks import Finding
from hedgerow.evaluation.checks.duplicated_rows import row_kinds
from hedgerow.intake.task import Goal
from hedgerow.studies.result import Note, Profile, Share
from hedgerow.studies.seal import Rows
from hedgerow.studies.take_in import Taken
from hedgerow.studies.told.columns import columns_told
from hedgerow.tree.plain import number


def profile_of(taken: Taken, train: Rows, findings: tuple[Finding, ...]) -> Profile:
    why = dict(taken.left_out)
    rows_left = [
        f"{what} left out: {reason}" for what, reason in taken.left_out if what not in taken.unused.names
    ]
    return Profile(
        columns=columns_told(train.table, taken.remarks) + columns_told(taken.unused, why, used=False),
        n_duplicates=_duplicates(train),
        balance=_balance(taken.goal),
        target=_target(taken.goal),
        notes=tuple(
            [Note(words, False) for words in (*taken.notes, *rows_left)]
            + [Note(found.words, found.severe, found.columns) for found in findings]
        ),
    )


def _duplicates(train: Rows) -> int:
    kinds = np.column_stack(
        [row_kinds(train.table), np.unique(train.target, return_inverse=True)[1].reshape(-1)]
    )
    return len(kinds) - len(np.unique(kinds, axis=0))


def _balance(goal: Goal) -> tuple[Share, ...]:
    if goal.classes is None:
        return ()
    counts = np.bincount(goal.values, minlength=len(goal.classes))
    return tuple(Share(str(label), int(n)) for label, n in zip(goal.classes.tolist(), counts, strict=True))


def _target(goal: Goal) -> str:
    if goal.classes is None:
        low, middle, high = (number(float(q)) for q in np.quantile(goal.values, [0, 0.5, 1]))
        return f"{low} to {high}, median {middle}"
    return f"{len(goal.classes)} classes"
