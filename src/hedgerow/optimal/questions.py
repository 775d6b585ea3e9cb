"""Questions.   In: Encoded rows and a target.   Out: Questions: what an optimal tree may ask, with every row's answer.

number     value <= threshold, at up to max_thresholds places a column (thresholds.py)
category   level in a subset of up to max_subset_size levels
missing    each of these twice, with missing cells on the yes and on the no side; and whether the cell is known

Of questions with the same two parts only the first is kept, and none that all rows answer alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hedgerow.encode import Encoded
from hedgerow.encode.encoded import midpoints
from hedgerow.grow import Target
from hedgerow.optimal.thresholds import Cuts, choose_cuts
from hedgerow.types import Float, Index, Mask

MOST_QUESTIONS = 20_000


@dataclass(frozen=True, eq=False)
class Questions:
    column: Index
    threshold: Float  # NaN for categories; +inf: is the cell known?
    levels: tuple[tuple[int, ...], ...]  # that are answered with yes; () for numbers
    missing_yes: Mask  # the answer of a missing cell
    answers: Mask  # questions x rows

    def __len__(self) -> int:
        return len(self.column)


@dataclass(frozen=True, eq=False)
class _Question:
    column: int
    threshold: float
    levels: tuple[int, ...]
    missing_yes: bool
    answers: Mask


def make_questions(
    rows: Encoded, target: Target, *, max_thresholds: int | None, max_subset_size: int, threads: int = 1
) -> Questions:
    used = None if target.weight is None else target.weight > 0
    cuts = choose_cuts(rows, target, max_thresholds, threads)
    kept: list[_Question] = []
    seen: set[bytes] = set()
    for j, kind in enumerate(rows.schema.kinds):
        found = _of_levels(rows, j, max_subset_size) if kind == "category" else _of_numbers(rows, j, cuts[j])
        for question in found:
            name = _name_of(question.answers if used is None else question.answers[used])
            if name is not None and name not in seen:
                seen.add(name)
                kept.append(question)
                _refuse_too_many(len(kept))
    return _join(kept, rows.n_rows)


def _name_of(answers: Mask) -> bytes | None:
    """The same for a question and its opposite; None where all answer alike."""
    if answers.all() or not answers.any():
        return None
    return np.packbits(answers ^ answers[0]).tobytes()


def _of_numbers(rows: Encoded, j: int, cuts: Cuts) -> Iterator[_Question]:
    """Codes up to each cut; then, where cells are missing, the same with them on the yes side, and whether they are."""
    codes, missing = rows.codes[j], rows.codes[j] == rows.n_codes[j]
    values = rows.values(j)
    for cut, threshold in zip(cuts.low, midpoints(values[cuts.low], values[cuts.high]).tolist(), strict=True):
        below = codes <= cut
        yield _Question(j, threshold, (), False, below)
        if missing.any():
            yield _Question(j, threshold, (), True, below | missing)
    if missing.any():
        yield _Question(j, np.inf, (), False, ~missing)


def _of_levels(rows: Encoded, j: int, most: int) -> Iterator[_Question]:
    codes, n_codes = rows.codes[j], int(rows.n_codes[j])
    missing = codes == n_codes
    present = np.flatnonzero(np.bincount(codes, minlength=n_codes + 1)[:n_codes]).tolist()
    for size in range(1, min(most, len(present)) + 1):
        for levels in combinations(present, size):
            inside = np.isin(codes, levels)
            yield _Question(j, np.nan, levels, False, inside)
            if missing.any():
                yield _Question(j, np.nan, levels, True, inside | missing)
    if missing.any():
        yield _Question(j, np.nan, tuple(range(n_codes)), False, ~missing)


def _refuse_too_many(many: int) -> None:
    if many > MOST_QUESTIONS:
        raise ValueError(
            f"The columns give more than {MOST_QUESTIONS:,} questions. Take a smaller max_thresholds (such as 10), "
            "max_subset_size=1, or fewer columns."
        )


def _join(kept: list[_Question], n_rows: int) -> Questions:
    return Questions(
        np.array([q.column for q in kept], np.int32),
        np.array([q.threshold for q in kept], np.float64),
        tuple(q.levels for q in kept),
        np.array([q.missing_yes for q in kept], bool),
        np.array([q.answers for q in kept], bool).reshape(len(kept), n_rows),
    )
