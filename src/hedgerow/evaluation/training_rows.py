"""Rows that a saved model has seen.   In: an Evaluation of a fitted model, what its file knows of its training rows.
Out: SeenRows: a finding, and the scores on the other rows.

A score on rows that the model was trained on says how well it remembers. In a table of few coarse columns new rows
equal training rows too; what chance does there, the file knows, and only more than that is a warning.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display.numbers import figure, interval
from hedgerow.evaluation.api import evaluate
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.evaluation import Evaluation
from hedgerow.store.training_rows import TrainingRows
from hedgerow.table import Table
from hedgerow.types import Mask

CHECK = "training_rows"
UNKNOWN = (
    "whether the model was trained on these rows cannot be known: its file keeps no fingerprints of them. If it was, "
    "the scores say how well it remembers."
)
FEWEST = 20  # unseen rows that are scored apart
BESIDE = "roc_auc"  # of a rare class, how many rows are right says little


@dataclass(frozen=True, eq=False)
class SeenRows:
    finding: Finding
    n_seen: int | None  # None: it cannot be known
    unseen: Evaluation | None  # on the rows that the model has not seen, where it has seen some

    def to_dict(self) -> dict[str, Any]:
        scores = None if self.unseen is None else [score.to_dict() for score in self.unseen.scores]
        n_unseen = None if self.unseen is None else self.unseen.data.n_rows
        return {"n_rows": self.n_seen, "n_unseen": n_unseen, "scores_unseen": scores}


def find_seen_rows(found: Evaluation, known: TrainingRows | None) -> SeenRows:
    table = found.data.table
    if known is None or table is None:
        return SeenRows(Finding(CHECK, UNKNOWN, False), None, None)
    seen, can_know = known.find_seen(table)
    n_seen, n_known = int(seen.sum()), int(can_know.sum())
    words = known.describe_seen(n_seen, n_known)
    if not known.is_more_than_chance(n_seen, n_known):
        return SeenRows(Finding(CHECK, words, False, n_rows=n_seen), n_seen, None)
    unseen = _evaluate_unseen(found, table, can_know & ~seen)
    words = f"{words} Their scores say how well it remembers. {_compare(found, unseen)}"
    return SeenRows(Finding(CHECK, words, True, n_rows=n_seen), n_seen, unseen)


def _evaluate_unseen(found: Evaluation, table: Table, unseen: Mask) -> Evaluation | None:
    data, rows = found.data, np.flatnonzero(unseen)
    if len(rows) < FEWEST or (data.classes is not None and len(np.unique(data.y[rows])) < 2):
        return None
    return evaluate(
        found.model, table.take(rows), data.labels[rows], cv="fitted",
        scoring=[score.name for score in found.scores],
        sample_weight=None if data.weight is None else data.weight[rows],
        positive=data.classes[1] if data.is_binary and data.classes is not None else None,
        confidence_level=found.confidence_level, progress=False,
    )  # fmt: skip


def _compare(found: Evaluation, unseen: Evaluation | None) -> str:
    if unseen is None:
        return "Too few are left that it has not seen to score them apart: give new rows."
    pairs = zip(unseen.scores, found.scores, strict=True)
    apart = [
        f"{mine.title} {figure(mine.value)} ({interval(mine.low, mine.high)}), not {figure(whole.value)}"
        for k, (mine, whole) in enumerate(pairs)
        if k == 0 or mine.name == BESIDE
    ]
    return f"On the {unseen.data.n_rows:,} others: {'; '.join(apart)}."
