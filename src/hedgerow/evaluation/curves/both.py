"""Two tests of each fit.   In: models, Splits.   Out: answers about the test rows, and about the training rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.judged import judged_rows_of
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.run import Answers, run
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Count


def run_both(
    models: Mapping[str, Any], data: Data, splits: Splits, *, n_jobs: int | None, show_progress: bool
) -> tuple[Answers, Answers]:
    """One fit, asked about its test rows and its training rows together."""
    together = tuple(replace(part, test=np.concatenate([part.test, part.train])) for part in splits.parts)
    answers = run(models, data, replace(splits, parts=together), n_jobs=n_jobs, show_progress=show_progress)
    outside: Answers = {}
    inside: Answers = {}
    for name, found in answers.items():
        sizes = [(np.arange(len(p.test)), len(p.test) + np.arange(len(p.train))) for p in splits.parts]
        outside[name] = tuple(_part(one, test) for one, (test, _) in zip(found, sizes, strict=True))
        inside[name] = tuple(_part(one, train) for one, (_, train) in zip(found, sizes, strict=True))
    return outside, inside


def training_score(name: str, inside: tuple[Answer, ...], data: Data, splits: Splits) -> float:
    """The mean over the fits of the score on their own training rows."""
    metric = metrics()[name]
    found = [
        metric.value(judged_rows_of(data, part.train, answer.guess))
        for part, answer in zip(splits.parts, inside, strict=True)
        if answer.guess is not None and getattr(answer.guess, metric.needs) is not None
    ]
    return float(np.nanmean(found)) if found else float("nan")


def _part(answer: Answer, rows: Count) -> Answer:
    return answer if answer.guess is None else replace(answer, guess=answer.guess.take(rows))
