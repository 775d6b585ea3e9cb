"""How the score grows with the rows.   In: a Benchmark, the chosen model and its fold results.   Out: a LearningCurve.

The folds are those of the first repeat, so that the last point, all training rows of a fold, is known already; only
the smaller ones are fitted.
"""

from dataclasses import replace

import numpy as np

from hedgerow.candidate import BASELINE
from hedgerow.evaluation.curves.learning import LearningCurve, fit_learning_law, splits_of_sizes
from hedgerow.evaluation.curves.train_test import metric_contributions
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.run import FitKey, run_folds
from hedgerow.evaluation.score import compute_scores
from hedgerow.evaluation.splits import Splits
from hedgerow.studies.benchmark import Benchmark
from hedgerow.studies.blend import NAME as BLEND
from hedgerow.studies.checkpoint import Checkpoint
from hedgerow.studies.decide import decide_results

SHARES = (0.1, 0.2, 0.4, 0.7)  # of the training rows of a fold
MANY = 20_000  # rows; of more, smaller shares say as much
SHARES_OF_MANY = (0.05, 0.1, 0.2, 0.4)
FEWEST = 5  # rows at the smallest size


def fit_learning_curve(
    benchmark: Benchmark,
    name: str,
    results: tuple[FoldResult, ...],
    checkpoint: Checkpoint,
    *,
    random_state: int,
    n_jobs: int | None,
    confidence_level: float,
    until: float,
) -> LearningCurve | None:
    """None where there is nothing to see: too few rows of a class at a size, or no time left."""
    data, first = benchmark.data, _first_repeat(benchmark.splits)
    most = min(
        benchmark.candidates[name].MAX_ROWS or data.n_rows,
        min(len(part.train) for part in first.parts),
    )
    shares = SHARES if data.n_rows <= MANY else SHARES_OF_MANY
    counts = np.unique(np.rint(np.multiply(shares, most)).astype(np.int64))
    if name in (BASELINE, BLEND) or counts[0] < FEWEST:
        return None
    sized = splits_of_sizes(first, counts, random_state)
    key = f"{name}, fewer rows"

    def keep(place: FitKey, result: FoldResult) -> None:
        checkpoint.save(key, place[0], result)

    found = run_folds(
        {key: benchmark.models[name]}, data, sized, n_jobs=n_jobs, show_progress=False, known=checkpoint.load(key),
        on_result=keep, deadline=until, classify=False,
    )[key]  # fmt: skip
    n_parts = len(first.parts)
    by_size = [*(found[k * n_parts : (k + 1) * n_parts] for k in range(len(counts))), results[:n_parts]]
    if any(result.predictions is None for some in by_size for result in some):
        return None
    by_size[:-1] = [decide_results(some, data, first, benchmark.aim)[0] for some in by_size[:-1]]
    scores = tuple(
        compute_scores([benchmark.scoring], some, data, first, confidence_level)[0] for some in by_size
    )
    sizes = np.append(counts, most)
    training = np.full(len(sizes), np.nan)  # not computed here
    contributions = [
        metric_contributions(metrics()[benchmark.scoring], some, data, first) for some in by_size
    ]
    law = fit_learning_law(sizes, list(scores), contributions, benchmark.scoring)
    return LearningCurve(sizes, scores, training, law, benchmark.scoring, data.n_rows, confidence_level)


def _first_repeat(splits: Splits) -> Splits:
    return replace(splits, parts=tuple(part for part in splits.parts if part.repeat == 0))
