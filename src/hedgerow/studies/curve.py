"""How the score grows with the rows.   In: a Contest, the chosen model and its answers.   Out: a LearningCurve.

The folds are those of the first repeat, so that the last point, all training rows of a fold, is known already; only
the smaller ones are fitted.
"""

from dataclasses import replace

import numpy as np

from hedgerow.evaluation.baseline import baseline_answers
from hedgerow.evaluation.curves.learning import LearningCurve, all_sizes, law_of
from hedgerow.evaluation.curves.together import moves_of
from hedgerow.evaluation.evaluate import scores_of
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.run import Place, run
from hedgerow.evaluation.splits import Splits
from hedgerow.studies.contest import Contest
from hedgerow.studies.ledger import Notes

SHARES = (0.1, 0.2, 0.4, 0.7)  # of the training rows of a fold
MANY = 20_000  # rows; of more, smaller shares tell as much
SHARES_OF_MANY = (0.05, 0.1, 0.2, 0.4)
FEWEST = 5  # rows at the smallest size


def curve_of(
    contest: Contest,
    name: str,
    answers: tuple[Answer, ...],
    ledger: Notes,
    *,
    seed: int,
    n_jobs: int | None,
    level: float,
    until: float,
) -> LearningCurve | None:
    """None where there is nothing to see: too few rows of a class at a size, or no time left."""
    data, first = contest.data, _first_repeat(contest.splits)
    most = min(
        contest.about[name].OPTIONS.get("rows", data.n_rows), min(len(part.train) for part in first.parts)
    )
    shares = SHARES if data.n_rows <= MANY else SHARES_OF_MANY
    counts = np.unique(np.rint(np.multiply(shares, most)).astype(np.int64))
    if name == "baseline" or counts[0] < FEWEST:
        return None
    sized = all_sizes(first, counts, seed)
    key = f"{name}, fewer rows"

    def heard(place: Place, answer: Answer) -> None:
        ledger.write(key, place[0], answer)

    known = {place: answer for place, answer in ledger.known().items() if place[1] == key}
    found = run(
        {key: contest.models[name]}, data, sized, n_jobs=n_jobs, show_progress=False, known=known, tell=heard,
        until=until,
    )[key]  # fmt: skip
    n_parts = len(first.parts)
    by_size = [*(found[k * n_parts : (k + 1) * n_parts] for k in range(len(counts))), answers[:n_parts]]
    if any(answer.guess is None for some in by_size for answer in some):
        return None
    base = [baseline_answers(data, first, some) for some in by_size]
    scores = tuple(
        scores_of([contest.metric], some, usual, data, first, level)[0]
        for some, usual in zip(by_size, base, strict=True)
    )
    sizes = np.append(counts, most)
    training = np.full(len(sizes), np.nan)  # not asked for here
    moves = [moves_of(metrics()[contest.metric], some, data, first) for some in by_size]
    law = law_of(sizes, list(scores), moves, contest.metric)
    return LearningCurve(sizes, scores, training, law, contest.metric, data.n_rows, level)


def _first_repeat(splits: Splits) -> Splits:
    return replace(splits, parts=tuple(part for part in splits.parts if part.repeat == 0))
