"""The race: models that cannot win are given up early.   In: a Benchmark.   Out: for each model a fold result a split;
of those that were given up, GIVEN_UP from there on.

    after the first folds, and after each repeat:  every model that still runs has answered the same folds; one that is
                                                   worse than the best of them, tested row by row on these folds, stops
    after the first fold of a large table:         one that is clearly worse stops

The test is that of the comparison, at a stricter level, over all models and all times that one looks, and what it is
worse by must count: where several models are nearly always right, any of them may win. So what is given
up is what the comparison would call worse; it stays in the table with the folds it has answered. Looks come at fixed
numbers of folds, never by the clock: the same study gives up the same models, killed in between or not.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hedgerow.candidate import BASELINE
from hedgerow.evaluation.comparison_tests import rowwise_t
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.fold_rows import FoldRows
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.paired import make_pair, score_model
from hedgerow.evaluation.run import GIVEN_UP, FitKey, FoldResults, run_folds
from hedgerow.evaluation.splits import Splits
from hedgerow.studies.benchmark import QUICK_MODELS, Benchmark
from hedgerow.studies.blend import member_models
from hedgerow.studies.checkpoint import Checkpoint
from hedgerow.studies.decide import decide_all
from hedgerow.studies.progress import ProgressCallback

FIRST_LOOK = 2  # folds
LEVEL = 0.99  # of all looks at all models together
NEGLIGIBLE = 0.01  # of what the best gains over the baseline
LARGE_FOLD = 2_000  # test rows of a fold; so many tell models apart that
# Of what the best gains over the baseline are worse: one fold does not show how much a model varies.
CLEAR = 0.05


def run_race(
    benchmark: Benchmark,
    checkpoint: Checkpoint,
    callback: ProgressCallback,
    n_jobs: int | None,
    until: float,
    margin: float | None = None,
) -> FoldResults:
    """`until`: the moment after which no fit is begun; the baseline, which takes none, is always there. `margin`:
    models that are worse by less are not given up."""
    splits, models = benchmark.splits, member_models(benchmark.models)
    n_splits = len(splits.parts)
    places = {(k, name) for k in range(n_splits) for name in models}
    found = {place: result for place, result in checkpoint.load().items() if place in places}
    callback.on_comparison(list(models), n_splits, len(found))

    def keep(place: FitKey, result: FoldResult) -> None:
        found[place] = result
        checkpoint.save(place[1], place[0], result)
        callback.on_fold_result(place[1], result)

    def run(names: list[str], stop: int, deadline: float) -> FoldResults:
        order = names if deadline < float("inf") else _order_by_length(names, found)
        some = {name: models[name] for name in order}
        return run_folds(
            some, benchmark.data, splits, n_jobs=n_jobs, show_progress=False, rows=rows, known=found, on_result=keep,
            deadline=deadline, n_splits=stop, classify=False,
        )  # fmt: skip

    rows = FoldRows(benchmark.data)
    results = run([name for name in models if name == BASELINE], n_splits, float("inf"))
    running, looks = _order_models(benchmark, models), _looks(splits)
    for stop in (*looks, n_splits):
        results |= run(running, stop, until)
        if stop < n_splits:
            level = 1 - (1 - LEVEL) / (len(looks) * max(1, len(models) - 1))
            lost = _find_lost(benchmark, running, results, stop, level, margin or 0.0)
            results |= {name: _give_up(results[name], stop) for name in lost}
            running = [name for name in running if name not in lost]
    return {name: results[name] for name in models}


def _order_models(benchmark: Benchmark, models: Mapping[str, Any]) -> list[str]:
    """All but the baseline; those of a quick study first, so that little time is well spent."""

    def is_late(name: str) -> bool:
        return benchmark.candidates[name].__name__.rpartition(".")[2] not in QUICK_MODELS

    return sorted((name for name in models if name != BASELINE), key=is_late)


def _order_by_length(names: list[str], found: Mapping[FitKey, FoldResult]) -> list[str]:
    """A short fit first, which runs alone (evaluation/run.py), then the longest first, so that no core waits long for
    the last. Before any is known, simple models are taken for short."""
    seconds = dict.fromkeys(names, 0.0)
    for (_, name), result in found.items():
        if name in seconds:
            seconds[name] = max(seconds[name], result.fit_seconds)
    order = sorted(names, key=lambda name: (-seconds[name], -names.index(name)))
    return [*order[-1:], *order[:-1]]


def _looks(splits: Splits) -> list[int]:
    """After how many splits: the first fold, if it is large, the first folds, and whole repeats."""
    n_splits = len(splits.parts)
    first = 1 if len(splits.parts[0].test) >= LARGE_FOLD else FIRST_LOOK
    every = {first, FIRST_LOOK, *range(splits.folds, n_splits, splits.folds)}
    return sorted(k for k in every if first <= k < n_splits)


def _give_up(results: tuple[FoldResult, ...], stop: int) -> tuple[FoldResult, ...]:
    return (*results[:stop], *(GIVEN_UP for _ in results[stop:]))


def _find_lost(
    benchmark: Benchmark, running: list[str], results: FoldResults, stop: int, level: float, margin: float
) -> list[str]:
    """Models that are worse than the best on the first splits. One that failed, or was not begun, is no loser."""
    data, metric = benchmark.data, metrics()[benchmark.scoring]
    splits = replace(benchmark.splits, parts=benchmark.splits.parts[:stop])
    sound = {
        name: results[name][:stop]
        for name in (*running, BASELINE)
        if all(result.predictions is not None for result in results[name][:stop])
    }
    # Platt's form is quick, and the best one changes little
    decided, _ = decide_all(sound, data, splits, benchmark.aim, "platt")
    scored = {name: score_model(metric, some, data, splits) for name, some in decided.items()}
    values = {name: one.estimate.value for name, one in scored.items() if not isinstance(one.estimate, str)}
    guess = values.pop(BASELINE, None)
    if len(values) < 2:
        return []
    best = (max if metric.higher_is_better else min)(values, key=lambda name: values[name])
    counts = NEGLIGIBLE if stop >= FIRST_LOOK else CLEAR
    least = margin if guess is None else max(margin, counts * abs(values[best] - guess))
    lost = []
    for name in values:
        pair = make_pair(scored[best], scored[name], metric, data, splits, 0.0, level)
        if name != best and pair is not None and rowwise_t.compare(pair).low > least:
            lost.append(name)
    return lost
