"""What the training rows have to say.   In: LoadedData, the training rows.   Out: Trained: the comparison, the chosen
model fitted on all training rows, its learning curve, a tree to read.

Every fold result goes into the checkpoint as soon as it is there, so that an interrupted study goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from hedgerow.candidate import BASELINE
from hedgerow.decision import Decision
from hedgerow.errors import Message
from hedgerow.estimators.decided import DecidedModel, decide_by
from hedgerow.estimators.delegating import unwrap
from hedgerow.estimators.large_fit import fit_large, why_in_memory
from hedgerow.estimators.with_features import WithFeatures, model_inside, unwrap_all
from hedgerow.evaluation.check import Finding, find_unweighted, run_checks
from hedgerow.evaluation.comparison import Comparison
from hedgerow.evaluation.curves.learning import LearningCurve
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import thread_params, weight_params
from hedgerow.evaluation.paired import compare_fold_results
from hedgerow.evaluation.run import NOT_STARTED, FoldResults
from hedgerow.evaluation.select import Preference
from hedgerow.evaluation.size import measure_size
from hedgerow.features import (
    LearnedFeatures,
    class_outcome,
    learn_features,
    needs_features,
    number_outcome,
)
from hedgerow.intake import Samples, TargetData
from hedgerow.intake.large import Reading, describe_learning, explain_quick, explain_sample
from hedgerow.store.training_rows import TrainingRows
from hedgerow.studies.attempts import Attempts
from hedgerow.studies.benchmark import Benchmark, make_benchmark, make_fingerprint
from hedgerow.studies.blend import NAME as BLEND
from hedgerow.studies.blend import Blend, fit_blend
from hedgerow.studies.checkpoint import CheckpointStore, NullCheckpoint
from hedgerow.studies.compare import decide_with_blend
from hedgerow.studies.decide import attach_decision
from hedgerow.studies.group_check import check_groups, find_group_column
from hedgerow.studies.learning_curve import fit_learning_curve
from hedgerow.studies.load import LoadedData
from hedgerow.studies.namesake import check_namesakes
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.order_check import check_order, find_counter, find_stretches
from hedgerow.studies.progress import ProgressCallback
from hedgerow.studies.race import run_race
from hedgerow.studies.summarize.tree import FullTree, grow_full_tree
from hedgerow.studies.time_check import check_time, find_time_column
from hedgerow.types import Count
from hedgerow.words import show

CONFIDENCE_LEVEL = 0.95
TOO_GOOD = 0.1  # of the error of guessing: 99 % of the variance is explained
OpenCheckpoint = Callable[[str], CheckpointStore | NullCheckpoint]  # of a fingerprint


@dataclass(frozen=True, eq=False)
class Trained:
    loaded: LoadedData
    rows: Samples  # the training rows
    benchmark: Benchmark
    comparison: Comparison
    findings: tuple[Finding, ...]  # of the checks of the method
    name: str  # of the chosen model; the baseline, where none is recommended
    model: DecidedModel  # it, fitted on all training rows, with its decision
    description: str  # "a decision tree of 7 leaves"
    size: str  # "7 leaves"
    learning_curve: LearningCurve | None
    tree: FullTree | None
    # Of the tree to read, where the table has text, dates or large categories
    features: LearnedFeatures | None
    # Of a table larger than memory, where the chosen model learned from all rows
    reading: Reading | None = None
    seen: TrainingRows | None = None  # then: which rows they are
    large_note: Message | None = None  # of a table larger than memory: what the model learned from, and why
    is_brief: bool = False  # only what takes little time: a quick study, or the budget is used up

    @property
    def estimator(self) -> Any:
        """The chosen model out of its wrappers, as it can be explained by the rows that it reads itself."""
        return unwrap_all(self.model)

    @cached_property
    def inner_rows(self) -> Samples:
        """The training rows as the chosen model reads them."""
        outer = unwrap(self.model)
        if not isinstance(outer, WithFeatures):
            return self.rows
        return replace(self.rows, table=outer.features_.make(self.rows.table))

    @property
    def tree_rows(self) -> Samples:
        """The training rows as the tree reads them."""
        return self.rows if self.features is None else replace(self.rows, table=self.features.table)

    @property
    def columns_by_use(self) -> Count:
        """Columns of the table, those that the tree uses most first."""
        every = np.arange(len(self.rows.table.columns))
        if self.tree is None:
            return every
        used = self.tree.columns_by_use
        if self.features is None:
            return used
        found = dict.fromkeys([*self.features.features.origin[used].tolist(), *every.tolist()])
        return np.array(list(found), np.int64)


def train_candidates(
    loaded: LoadedData,
    rows: Samples,
    options: StudyOptions,
    open_checkpoint: OpenCheckpoint,
    callback: ProgressCallback,
    attempts: Attempts,
) -> Trained:
    callback.on_step("looking at the training rows")
    benchmark = make_benchmark(rows, loaded.goal, options, is_sample=loaded.large is not None)
    checks = attempts.attempt("a check of the method", lambda: _check_method(benchmark), ())
    checks += attempts.attempt("the check of names", lambda: _check_names(benchmark, loaded, checks), ())
    with open_checkpoint(make_fingerprint(benchmark, rows, options)) as checkpoint:
        results = run_race(
            benchmark, checkpoint, callback, options.n_jobs, attempts.compare_until, options.margin
        )
        callback.on_step("comparing")
        results, decisions, blend = decide_with_blend(results, benchmark)
        comparison = _compare(benchmark, results, Preference(options.prefer, options.margin))
        name = comparison.chosen or _baseline_name(benchmark)
        callback.on_step("learning curve")
        curve = attempts.attempt(
            "the learning curve",
            lambda: None
            if options.quick or options.time is not None
            else fit_learning_curve(
                benchmark, name, results[name], checkpoint, random_state=options.random_state,
                n_jobs=options.n_jobs, confidence_level=CONFIDENCE_LEVEL, until=attempts.compare_until,
            ),
            None,
        )  # fmt: skip
    callback.on_step("checking whether rows depend on time or groups")
    is_brief = options.quick or attempts.is_comparison_late
    if not is_brief:
        model = _find_best_single(benchmark, comparison, options)
        checks = _join_findings(checks, _check_dependence(model, benchmark, loaded, rows, options, attempts))
    checks += _check_too_good(comparison, name, loaded.target, checks)
    callback.on_step(f"fitting {name} on all training rows")
    large = FitOfLarge(loaded, rows, callback, options.quick)
    model = _fit_decided(name, benchmark, decisions, blend, options.n_jobs, large)
    description = attempts.attempt(
        "the description of the model", lambda: _describe(benchmark, name, model.estimator), name
    )
    callback.on_step("growing a tree to read")
    features, tree = _grow_tree(rows, loaded.goal, benchmark, model, options.n_jobs, attempts)
    size = attempts.attempt("the size of the model", lambda: str(measure_size(unwrap_all(model)) or ""), "")
    return Trained(
        loaded, rows, benchmark, comparison, checks, name, model, description, size, curve, tree, features,
        large.reading, large.seen, large.note(name), is_brief,
    )  # fmt: skip


def _grow_tree(
    rows: Samples,
    goal: TargetData,
    benchmark: Benchmark,
    model: DecidedModel,
    n_jobs: int | None,
    attempts: Attempts,
) -> tuple[LearnedFeatures | None, FullTree | None]:
    """A tree for people to read, and the features that it reads."""
    features = attempts.attempt("the features of the tree", lambda: _make_features(rows, goal), None)
    read = rows if features is None else replace(rows, table=features.table)
    known = getattr(unwrap(model), "cp_table_", None)
    return features, attempts.attempt(
        "the tree to read",
        lambda: grow_full_tree(benchmark.weigh(read), goal, n_jobs, known, benchmark.tree_options),
        None,
    )


def _make_features(rows: Samples, goal: TargetData) -> LearnedFeatures | None:
    """Of a tree that is grown for people to read."""
    if not needs_features(rows.table):
        return None
    outcome = (
        number_outcome(rows.target) if goal.classes is None else class_outcome(rows.target, goal.classes)
    )
    return learn_features(rows.table, outcome, rows.weight)


def _check_method(benchmark: Benchmark) -> tuple[Finding, ...]:
    """Copies are counted over all rows, not only these (LoadedData)."""
    found = run_checks(benchmark.data, benchmark.splits) + find_unweighted(benchmark.models, benchmark.data)
    return tuple(one for one in found if one.check != "duplicated_rows")


def _check_names(
    benchmark: Benchmark, loaded: LoadedData, before: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """Of columns that no check has named before."""
    accused = {name for one in before for name in one.columns}
    found = check_namesakes(benchmark.data, loaded.target, loaded.spell)
    return tuple(one for one in found if accused.isdisjoint(one.columns))


def _find_best_single(benchmark: Benchmark, comparison: Comparison, options: StudyOptions) -> Any:
    """The most accurate model that is no blend; None where rows are kept together already."""
    skipped = (BLEND, _baseline_name(benchmark))
    best = [one.name for one in comparison.entries if not one.n_failed and one.name not in skipped]
    return benchmark.models[best[0]] if best and options.groups is None else None


def _check_dependence(
    model: Any,
    benchmark: Benchmark,
    loaded: LoadedData,
    rows: Samples,
    options: StudyOptions,
    attempts: Attempts,
) -> tuple[Finding, ...]:
    """Do rows depend on their time or their group? Neighbours are compared where neither says so."""

    def run(what: str, check: Callable[..., tuple[Finding, ...]]) -> tuple[Finding, ...]:
        given = partial(check, model, benchmark, loaded, rows, options)
        return attempts.attempt(f"the check of {what}", given, ())

    found = run("time", _check_time) + run("groups", _check_groups)
    return found or run("the order of rows", _check_order)


def _join_findings(checks: tuple[Finding, ...], dependence: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """What names the groups of the rows predicts well for that reason, and is no leak."""
    groups = {name for one in dependence if one.check == "groups" for name in one.columns}
    kept = (one for one in checks if one.check != "leaking_column" or groups.isdisjoint(one.columns))
    return (*kept, *dependence)


def _check_too_good(
    comparison: Comparison, name: str, target: str, before: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """Numbers of which hardly anything is left to explain, where nothing else says why."""
    score = next(entry.score for entry in comparison.entries if entry.name == name)
    is_error = not score.higher_is_better and comparison.data.classes is None
    if not is_error or not score.value < TOO_GOOD * score.baseline or any(one.severe for one in before):
        return ()
    words = (
        f"The {score.title} is {score.value / score.baseline:.1%} of that of guessing: few numbers can be predicted so "
        f"well. Is each column known before {show(target)} is, and none made from it?"
    )
    return (Finding("too_good", words, True),)


def _check_time(
    model: Any, benchmark: Benchmark, loaded: LoadedData, rows: Samples, options: StudyOptions
) -> tuple[Finding, ...]:
    name = options.time or find_time_column(rows.table)
    if name is None or model is None:
        return ()
    time = np.asarray(rows.table.column(name).values, np.float64) if rows.time is None else rows.time
    return check_time(
        model, benchmark.data, time, name, loaded.spell, is_named=options.time is not None,
        random_state=options.random_state,
    )  # fmt: skip


def _check_groups(
    model: Any, benchmark: Benchmark, loaded: LoadedData, rows: Samples, options: StudyOptions
) -> tuple[Finding, ...]:
    if model is None or options.time is not None:
        return ()
    table = loaded.add_names(rows)
    found = find_group_column(table)
    if found is None:
        return ()
    return check_groups(model, benchmark.data, table, *found, loaded.spell, options.random_state)


def _check_order(
    model: Any, benchmark: Benchmark, loaded: LoadedData, rows: Samples, options: StudyOptions
) -> tuple[Finding, ...]:
    if model is None or options.time is not None or loaded.large is not None:
        return ()
    found = find_stretches(rows.table, rows.target)
    if found is None:
        return ()
    counter = find_counter(rows.table)
    return check_order(model, benchmark.data, *found, counter, loaded.spell, options.random_state)


def _baseline_name(benchmark: Benchmark) -> str:
    """Where no model is recommended, the baseline is what is kept."""
    return next(name for name, one in benchmark.candidates.items() if one.__name__.endswith(f".{BASELINE}"))


def _compare(benchmark: Benchmark, results: FoldResults, preference: Preference) -> Comparison:
    models = {name: model for name, model in benchmark.models.items() if name in results}
    comparison = compare_fold_results(
        models, results, benchmark.data, benchmark.splits, benchmark.scoring, preference=preference,
        confidence_level=CONFIDENCE_LEVEL, all_pairs=False, blend=BLEND,
    )  # fmt: skip
    if not comparison.choice.most_accurate:
        why = comparison.entries[0].failure
        more = ". Give more time: what is done already is kept" if why == NOT_STARTED.failure else ""
        raise ValueError(f"Every model failed. The first reason: {why}{more}.")
    return comparison


def _fit_decided(
    name: str,
    benchmark: Benchmark,
    decisions: dict[str, Decision],
    blend: Blend | None,
    n_jobs: int | None,
    large: "FitOfLarge",
) -> DecidedModel:
    """On all training rows, with the decision from the folds; of a blend, its members."""
    data = benchmark.data

    def fit_member(member: str) -> DecidedModel:
        fitted = _fit(benchmark.models[member], data, n_jobs)
        decided = attach_decision(fitted, decisions[member], data)
        return decide_by(decided.decision, unwrap(fitted))

    if name == BLEND and blend is not None:
        return attach_decision(fit_blend(blend, fit_member, data), decisions[name], data)
    return attach_decision(_fit(benchmark.models[name], data, n_jobs, large), decisions[name], data)


class FitOfLarge:
    """The chosen model on all rows of a table larger than memory, where it can learn from a stream."""

    def __init__(self, loaded: LoadedData, rows: Samples, callback: ProgressCallback, quick: bool) -> None:
        self.loaded, self.rows, self.callback = loaded, rows, callback
        self.reading: Reading | None = None
        self.seen: TrainingRows | None = None
        self.quick = quick
        self.why = "rows are in the order of time"

    def fit(self, model: Any) -> bool:
        """False where it is to learn from the rows in memory."""
        if self.loaded.large is None:
            return False
        self.why = why_in_memory(model)
        if self.why:
            return False
        self.callback.on_step("fitting it to all rows, block by block")
        self.reading = Reading()
        large = self.loaded.large
        others, memory = large.training(self.reading), large.sampled.stream.memory
        self.seen = fit_large(model, self.rows, others, self.loaded.goal, memory)
        return True

    def note(self, name: str) -> Message | None:
        if self.loaded.prepared.source.sampled is None:
            return None
        if self.reading is not None:
            return describe_learning(self.loaded.prepared, self.reading)
        if self.quick:
            return explain_quick(self.loaded.prepared)
        why = "it is made of several models" if name == BLEND else self.why
        return explain_sample(self.loaded.prepared, why)


def _fit(model: Any, data: Data, n_jobs: int | None, large: FitOfLarge | None = None) -> Any:
    """On all training rows, with so many threads; of which the model keeps no memory."""
    if n_jobs is not None:
        model.set_params(**thread_params(model, n_jobs))
    if large is None or not large.fit(model):
        model.fit(data.X, data.labels, **weight_params(model, data.weight))
    left = unwrap(model)
    names = [name for name in left.get_params(deep=True) if name.rpartition("__")[2] == "n_jobs"]
    left.set_params(**dict.fromkeys(names))
    return model


def _describe(benchmark: Benchmark, name: str, model: Any) -> str:
    return benchmark.candidates[name].describe(model_inside(model))
