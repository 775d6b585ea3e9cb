"""What the training rows have to say.   In: LoadedData, the training rows.   Out: Trained: the comparison, the chosen
model fitted on all training rows, its learning curve, a tree to read.

Every fold result goes into the checkpoint as soon as it is there, so that an interrupted study goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from hedgerow.candidate import BASELINE
from hedgerow.estimators.meta import unwrap
from hedgerow.evaluation.check import Finding, find_unweighted, run_checks
from hedgerow.evaluation.comparison import Comparison
from hedgerow.evaluation.curves.learning import LearningCurve
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import thread_params, weight_params
from hedgerow.evaluation.paired import compare_fold_results
from hedgerow.evaluation.run import NOT_STARTED, FoldResults
from hedgerow.evaluation.select import Preference
from hedgerow.evaluation.size import measure_size
from hedgerow.intake import Samples
from hedgerow.studies.attempts import Attempts
from hedgerow.studies.benchmark import Benchmark, make_benchmark, make_fingerprint, run_benchmark
from hedgerow.studies.checkpoint import CheckpointStore, NullCheckpoint
from hedgerow.studies.learning_curve import fit_learning_curve
from hedgerow.studies.load import LoadedData
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.progress import ProgressCallback
from hedgerow.studies.summarize.tree import FullTree, grow_full_tree

CONFIDENCE_LEVEL = 0.95
OpenCheckpoint = Callable[[str], CheckpointStore | NullCheckpoint]  # of a fingerprint


@dataclass(frozen=True, eq=False)
class Trained:
    loaded: LoadedData
    rows: Samples  # the training rows
    benchmark: Benchmark
    comparison: Comparison
    findings: tuple[Finding, ...]  # of the checks of the method
    name: str  # of the chosen model; the baseline, where none is recommended
    model: Any  # it, fitted on all training rows
    description: str  # "a decision tree of 7 leaves"
    size: str  # "7 leaves"
    learning_curve: LearningCurve | None
    tree: FullTree | None

    @property
    def estimator(self) -> Any:
        """The chosen model out of its wrappers, as it can be saved and explained."""
        return unwrap(self.model)


def train_candidates(
    loaded: LoadedData,
    rows: Samples,
    options: StudyOptions,
    open_checkpoint: OpenCheckpoint,
    callback: ProgressCallback,
    attempts: Attempts,
) -> Trained:
    callback.on_step("looking at the training rows")
    benchmark = make_benchmark(rows, loaded.goal, options)
    checks = attempts.attempt("a check of the method", lambda: _check_method(benchmark), ())
    until = perf_counter() + (float("inf") if options.budget is None else options.budget)
    with open_checkpoint(make_fingerprint(benchmark, rows, options)) as checkpoint:
        results = run_benchmark(benchmark, checkpoint, callback, options.n_jobs, until)
        callback.on_step("comparing")
        comparison = _compare(benchmark, results, Preference(options.prefer, options.margin))
        name = comparison.chosen or _baseline_name(benchmark)
        callback.on_step("learning curve")
        curve = attempts.attempt(
            "the learning curve",
            lambda: fit_learning_curve(
                benchmark, name, results[name], checkpoint, random_state=options.random_state,
                n_jobs=options.n_jobs, confidence_level=CONFIDENCE_LEVEL, until=until,
            ),
            None,
        )  # fmt: skip
    callback.on_step(f"fitting {name} on all training rows")
    model = _fit(benchmark.models[name], benchmark.data, options.n_jobs)
    description = attempts.attempt(
        "the description of the model", lambda: _describe(benchmark, name, model), name
    )
    callback.on_step("growing a tree to read")
    known = getattr(unwrap(model), "cp_table_", None)
    tree = attempts.attempt(
        "the tree to read", lambda: grow_full_tree(rows, loaded.goal, options.n_jobs, known), None
    )
    size = attempts.attempt("the size of the model", lambda: str(measure_size(model) or ""), "")
    return Trained(loaded, rows, benchmark, comparison, checks, name, model, description, size, curve, tree)


def _check_method(benchmark: Benchmark) -> tuple[Finding, ...]:
    """Copies are counted over all rows, not only these (LoadedData)."""
    found = run_checks(benchmark.data, benchmark.splits) + find_unweighted(benchmark.models, benchmark.data)
    return tuple(one for one in found if one.check != "duplicated_rows")


def _baseline_name(benchmark: Benchmark) -> str:
    """Where no model is recommended, the baseline is what is kept."""
    return next(name for name, one in benchmark.candidates.items() if one.__name__.endswith(f".{BASELINE}"))


def _compare(benchmark: Benchmark, results: FoldResults, preference: Preference) -> Comparison:
    comparison = compare_fold_results(
        benchmark.models, results, benchmark.data, benchmark.splits, benchmark.scoring, preference=preference,
        confidence_level=CONFIDENCE_LEVEL, all_pairs=False,
    )  # fmt: skip
    if not comparison.choice.most_accurate:
        why = comparison.entries[0].failure
        more = ". Give more time: what is done already is kept" if why == NOT_STARTED.failure else ""
        raise ValueError(f"Every model failed. The first reason: {why}{more}.")
    return comparison


def _fit(model: Any, data: Data, n_jobs: int | None) -> Any:
    """On all training rows, with so many threads; of which the model keeps no memory."""
    if n_jobs is not None:
        model.set_params(**thread_params(model, n_jobs))
    model.fit(data.X, data.labels, **weight_params(model, data.weight))
    left = unwrap(model)
    names = [name for name in left.get_params(deep=True) if name.rpartition("__")[2] == "n_jobs"]
    left.set_params(**dict.fromkeys(names))
    return model


def _describe(benchmark: Benchmark, name: str, model: Any) -> str:
    return benchmark.candidates[name].describe(getattr(model, "model_", model))
