"""Models by their names, compared as a study compares them, on any splits and by any test.

In: a Benchmark.   Out: a Comparison.

    folds       the judge's metric, calibrated probabilities, classes by the operating point; the blend is that of the
                models compared, from their fold results
    a hold-out  there are no other folds to calibrate on, and its tests judge classes or ranks: models answer as they do
                by themselves
"""

from dataclasses import replace
from time import perf_counter
from typing import Any

from hedgerow.decision import Decision
from hedgerow.evaluation.api import metric_for_test, splits_for_test
from hedgerow.evaluation.check import find_unweighted, run_checks
from hedgerow.evaluation.comparison import Comparison
from hedgerow.evaluation.comparison_test import load_comparison_test
from hedgerow.evaluation.paired import compare_fold_results
from hedgerow.evaluation.run import FoldResults, run_folds
from hedgerow.evaluation.select import Preference
from hedgerow.studies.benchmark import Benchmark
from hedgerow.studies.blend import NAME as BLEND
from hedgerow.studies.blend import Blend, blend_results, member_models
from hedgerow.studies.decide import decide_all, decide_results


def compare_candidates(
    benchmark: Benchmark,
    *,
    scoring: str | None = None,
    test: str = "rowwise_t",
    cv: Any = None,
    repeats: int | None = None,
    preference: Preference,
    rope: float | None = None,
    random_state: int | None = 0,
    n_jobs: int | None = None,
) -> Comparison:
    """`benchmark`: of all rows; its splits, those of a study, are taken where no others are given and the test is made
    for any; with `repeats`, its folds are drawn so often. `scoring`: as given, None for what suits."""
    begin, data, tester = perf_counter(), benchmark.data, load_comparison_test(test)
    takes_any_splits = not tester.design.required and not tester.design.is_hold_out
    if not takes_any_splits or cv is not None:
        splits = splits_for_test(test, tester, cv, repeats, data, random_state)
    elif repeats is not None:
        splits = splits_for_test(test, tester, benchmark.splits.folds, repeats, data, random_state)
    else:
        splits = benchmark.splits
    models, usual = benchmark.models, None if tester.metrics else benchmark.scoring
    metric = metric_for_test(scoring or usual, test, tester, models, data)
    if splits.is_hold_out:
        results = run_folds(models, data, splits, n_jobs=n_jobs)
    else:
        results = run_folds(member_models(models), data, splits, n_jobs=n_jobs, classify=False)
        judged = replace(benchmark, splits=splits, scoring=metric)
        results, _, _ = decide_with_blend(results, judged)
        models = {name: model for name, model in models.items() if name in results}
    return compare_fold_results(
        models, results, data, splits, metric, test=test, preference=preference, rope=rope, begin=begin, blend=BLEND,
        findings=run_checks(data, splits) + find_unweighted(models, data),
    )  # fmt: skip


def decide_with_blend(
    results: FoldResults, benchmark: Benchmark
) -> tuple[FoldResults, dict[str, Decision], Blend | None]:
    """Calibrated and decided; and, if it is one of the models, their blend likewise."""
    data, splits, aim = benchmark.data, benchmark.splits, benchmark.aim
    results, decisions = decide_all(results, data, splits, aim)
    if BLEND not in benchmark.models:
        return results, decisions, None
    blend = blend_results(results, data, splits, benchmark.scoring)
    if blend is not None:
        results[BLEND], decisions[BLEND] = decide_results(blend.results, data, splits, aim)
    return results, decisions, blend
