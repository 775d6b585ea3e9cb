"""The answers of the panel.   In: a Contest, a ledger.   Out: for each model an Answer a split.

Each goes into the ledger as soon as it is there; those that the ledger knows are not found again.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.run import Answers, Place, run
from hedgerow.studies.asked import Asked
from hedgerow.studies.contest import Contest
from hedgerow.studies.ledger import Ledger, Notes, Nowhere
from hedgerow.studies.progress import Teller
from hedgerow.studies.seal import Rows


def answers_of(contest: Contest, n_jobs: int | None, ledger: Notes, tell: Teller, until: float) -> Answers:
    def heard(place: Place, answer: Answer) -> None:
        ledger.write(place[1], place[0], answer)
        tell.answer(place[1], answer)

    n_splits = len(contest.splits.parts)
    places = {(k, name) for k in range(n_splits) for name in contest.models}
    known = {place: answer for place, answer in ledger.known().items() if place in places}
    tell.panel(list(contest.models), n_splits, len(known))
    return run(
        contest.models, contest.data, contest.splits, n_jobs=n_jobs, show_progress=False, known=known, tell=heard,
        until=until,
    )  # fmt: skip


@dataclass(frozen=True)
class Book:
    """Where answers are kept."""

    path: Path
    words: str  # what was asked for
    earlier: tuple[Path, ...] = ()  # of other studies, whose answers may still apply


@contextmanager
def ledger_of(book: Book | None, fingerprint: str) -> Iterator[Notes]:
    if book is None:
        yield Nowhere()
        return
    with Ledger(book.path, fingerprint, book.words, book.earlier) as ledger:
        yield ledger


def fingerprint(contest: Contest, train: Rows, asked: Asked) -> str:
    """Everything the answers depend on: the training rows, the order of the classes, how folds are drawn, the code."""
    digest = hashlib.sha256()
    for column in train.table.columns:
        digest.update(json.dumps([column.name, column.kind, column.levels]).encode())
        digest.update(np.ascontiguousarray(column.values).tobytes())
    for part in (train.target, train.weight, train.groups, contest.data.classes):
        digest.update(b"-" if part is None else str(part.dtype).encode() + repr(part.tolist()).encode())
    study = [asked.folds, contest.splits.repeats, asked.seed, version("hedgerow")]
    digest.update(json.dumps(study).encode())
    return digest.hexdigest()
