"""The race: how often is the model given up that would have won on all folds?

Every model answers every fold; then the race is run again over these results, and what it gives up is compared with the
model that has the best score on all folds. The loss is how much better the
winner is than the best model that was kept, as a share of the baseline's score.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow.candidate import BASELINE
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.paired import score_model
from hedgerow.evaluation.run import FoldResults, run_folds
from hedgerow.intake import ColumnOptions, prepare_data, read_source
from hedgerow.studies import race
from hedgerow.studies.benchmark import Benchmark, make_benchmark
from hedgerow.studies.blend import member_models
from hedgerow.studies.decide import decide_all
from hedgerow.studies.options import StudyOptions
from simulations.population import share
from simulations.studies import KINDS

PANEL = ("stump", "tree", "forest", "adaboost", "gradient_boosting", "linear_svm")
ROWS = (300, 700)


@dataclass(frozen=True)
class Found:
    fits_saved: float  # share
    winner_given_up: bool
    loss: float  # by how much the best that was kept is worse, in baselines


def one_race(kind: str, seed: int) -> Found:
    random = np.random.default_rng([list(KINDS).index(kind), seed])
    table = KINDS[kind](int(random.integers(*ROWS)), random)
    prepared = prepare_data(read_source(table), ColumnOptions("y"))
    options = StudyOptions("y", models=PANEL, folds=5, repeats=2, random_state=seed, n_jobs=1)
    benchmark = make_benchmark(prepared.samples, prepared.target, options)
    models = member_models(benchmark.models)
    results = run_folds(models, benchmark.data, benchmark.splits, n_jobs=1, show_progress=False)
    values = score_all(benchmark, results)
    baseline = values.pop("baseline")
    best = max(values, key=lambda name: values[name])
    kept, n_fits = run_again(benchmark, results)
    loss = values[best] - max(values[name] for name in kept)
    return Found(
        1 - n_fits / (len(values) * len(benchmark.splits.parts)), best not in kept, loss / abs(baseline)
    )


def score_all(benchmark: Benchmark, results: FoldResults) -> dict[str, float]:
    """More is better."""
    data, splits, metric = benchmark.data, benchmark.splits, metrics()[benchmark.scoring]
    decided, _ = decide_all(results, data, splits, benchmark.aim)
    sign = 1.0 if metric.higher_is_better else -1.0
    scored = {name: score_model(metric, some, data, splits).estimate for name, some in decided.items()}
    return {name: sign * one.value for name, one in scored.items() if not isinstance(one, str)}


def run_again(benchmark: Benchmark, results: FoldResults) -> tuple[list[str], int]:
    """The models that are never given up, and how many fits it took."""
    n_splits, n_fits, before = len(benchmark.splits.parts), 0, 0
    running, looks = [name for name in results if name != BASELINE], race._looks(benchmark.splits)
    level = 1 - (1 - race.LEVEL) / (len(looks) * max(1, len(running)))
    for stop in (*looks, n_splits):
        n_fits, before = n_fits + len(running) * (stop - before), stop
        if stop < n_splits:
            lost = race._find_lost(benchmark, running, results, stop, level, 0.0)
            running = [name for name in running if name not in lost]
    return running, n_fits


def table(part: float) -> Iterator[str]:
    each = max(2, int(50 * part))
    yield "| target | races | winner given up, % | largest loss, in baselines | fits saved, % |"
    yield "|---|---|---|---|---|"
    for kind in KINDS:
        found = [one_race(kind, seed) for seed in range(each)]
        lost = sum(one.winner_given_up for one in found)
        saved = 100 * np.mean([one.fits_saved for one in found])
        yield f"| {kind} | {each} | {share(lost, each)} | {max(one.loss for one in found):.4f} | {saved:.0f} |"
