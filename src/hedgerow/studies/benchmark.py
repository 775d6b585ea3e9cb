"""The benchmark: which candidates are compared, on what, by what metric.   In: the training rows, the goal, options.
Out: Benchmark, which race.py runs.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

import numpy as np

from hedgerow.candidate import (
    BASELINE,
    Candidate,
    TaskSpec,
    load_candidate,
    make_model,
    options_for,
    select_candidates,
)
from hedgerow.decision import Aim, parse_aim
from hedgerow.decision.operating_point import check_aim, class_costs
from hedgerow.errors import ParameterError
from hedgerow.estimators.meta import CostWeighted, Subsampled, weigh_by_cost
from hedgerow.evaluation.data import Data, make_data
from hedgerow.evaluation.metric import best_constant, metrics
from hedgerow.evaluation.splits import Splits, make_splits, make_time_splits
from hedgerow.intake import Samples, TargetData
from hedgerow.studies.blend import NAME as BLEND
from hedgerow.studies.judge import choose_aim, choose_scoring, has_many_classes, order_scores
from hedgerow.studies.options import StudyOptions
from hedgerow.table import Table

REPEATS = 2
WIDE = 2_000  # columns; with more, the folds are drawn once,
QUICK_MODELS = ("tree", "linear_svm", "gradient_boosting")
QUICK_STAND_IN = "forest"  # of a quick study, where one of these is left out
QUICK_FOLDS = 3
LARGE = 20_000  # and with more training rows: scores are sure enough; with many classes: fits take long


@dataclass(frozen=True, eq=False)
class Benchmark:
    candidates: dict[str, Candidate]  # by the name that people read
    models: dict[str, Any]
    data: Data
    splits: Splits
    scoring: str
    scoring_reason: str
    aim: Aim | None  # of the operating point; None for numbers
    costs: dict[Any, float] | None = None  # of a mistake about each class, where models learn by it
    left_out: tuple[Candidate, ...] = ()  # there are too many classes for them
    special: str = ""  # which options of the candidates suit the target: FOR_MEDIAN, FOR_POSITIVE

    @property
    def score_names(self) -> list[str]:
        """Of all scores, the deciding one first."""
        return order_scores(self.scoring, self.data)

    @property
    def fold_rows(self) -> int:
        """In the training part of a fold."""
        return int(np.mean([len(part.train) for part in self.splits.parts]))

    @property
    def is_drawn_once(self) -> bool:
        """The folds were drawn once because the table is large."""
        is_grouped = self.data.groups is not None and not self.data.grouped_by_copies
        return not is_grouped and self.splits.repeats == 1

    @property
    def tree_options(self) -> Mapping[str, Any]:
        """Of the candidate "tree", for the tree that is shown."""
        return options_for(load_candidate("tree"), self.special)

    def weigh(self, train: Samples) -> Samples:
        """The training rows as models learn from them."""
        if self.costs is None:
            return train
        return replace(train, weight=weigh_by_cost(self.data.labels, self.costs, train.weight))


def make_benchmark(
    train: Samples, goal: TargetData, options: StudyOptions, *, is_sample: bool = False
) -> Benchmark:
    """`is_sample`: of a table larger than memory, whose other rows a model may learn from too."""
    n_classes = 0 if goal.classes is None else len(goal.classes)
    candidates, left_out = _select(options, goal.task, n_classes)
    wanted, costs = parse_aim(options.aim, options.cost), None
    if wanted is not None and options.cost_weights:
        check_aim(wanted, None if goal.classes is None else goal.classes.tolist())
        costs = class_costs(wanted, [] if goal.classes is None else goal.classes.tolist())
    spec = TaskSpec(
        goal.task, len(train), len(train.table.columns), n_classes, options.random_state,
        has_costs=costs is not None, in_order=train.time is not None,
    )  # fmt: skip
    models = {name: _make_model(one, spec, train.table, costs, {}) for name, one in candidates.items()}
    labels = train.target if goal.classes is None else goal.classes[train.target]
    data = make_data(
        list(models.values()), train.table, labels, sample_weight=train.weight, groups=train.groups,
        positive=goal.find_class(options.positive),
    )  # fmt: skip
    scoring, reason = choose_scoring(options.scoring, data)
    special = _find_special(data, scoring, is_sample)
    if special:
        models = {
            name: _make_model(one, spec, train.table, costs, options_for(one, special))
            for name, one in candidates.items()
        }
    aim = choose_aim(wanted, data, scoring)
    is_large = len(train.table.columns) > WIDE or len(train) > LARGE or has_many_classes(data)
    repeats = (
        1 if train.groups is not None else options.repeats or (1 if is_large or options.quick else REPEATS)
    )
    folds = min(options.folds, data.n_units, QUICK_FOLDS if options.quick else data.n_units)
    if train.time is not None:
        splits = make_time_splits(train.time, folds)
    else:
        splits = make_splits(folds, data, repeats=repeats, random_state=options.random_state)
    return Benchmark(candidates, models, data, splits, scoring, reason, aim, costs, left_out, special)


def _find_special(data: Data, scoring: str, is_sample: bool) -> str:
    """Which options of the candidates suit the target (candidate.py); "" for those they have by themselves."""
    if best_constant(metrics()[scoring]) == "median":
        return "FOR_MEDIAN"
    is_positive = data.classes is None and not is_sample and float(data.y.min()) > 0
    return "FOR_POSITIVE" if is_positive else ""


def _select(
    options: StudyOptions, task: str, n_classes: int
) -> tuple[dict[str, Candidate], tuple[Candidate, ...]]:
    """The candidates, and those that are left out because there are too many classes for them."""
    if options.models:
        every = select_candidates((*options.models, BASELINE), task)
        if not set(every) - {BASELINE, BLEND}:
            raise ParameterError(
                "{models} leaves no model to compare. The blend is made of others: name some of them too, or leave "
                "{models} out.",
                models=",".join(options.models),
            )
        return {one.TITLE: one for one in every.values()}, ()
    every = select_candidates((*QUICK_MODELS, BASELINE) if options.quick else (), task)
    left_out = {
        name: one for name, one in every.items() if n_classes > getattr(one, "MAX_CLASSES", n_classes)
    }
    if left_out and options.quick:
        every = select_candidates((*every, QUICK_STAND_IN), task)
    kept = {one.TITLE: one for name, one in every.items() if name not in left_out}
    return kept, tuple(left_out.values())


def _make_model(
    candidate: Candidate,
    spec: TaskSpec,
    table: Table,
    costs: dict[Any, float] | None,
    options: Mapping[str, Any],
) -> Any:
    model, max_rows = make_model(candidate, spec, options, table), candidate.MAX_ROWS
    if costs is not None and not candidate.__name__.endswith(f".{BASELINE}"):
        model = CostWeighted(model, costs=costs)
    if max_rows is None:
        return model
    return Subsampled(model, max_rows=max_rows, random_state=spec.random_state)


def make_fingerprint(benchmark: Benchmark, train: Samples, options: StudyOptions) -> str:
    """Of everything fold results depend on: training rows, the order of the classes, how folds are drawn, the code."""
    digest = hashlib.sha256()
    for column in train.table.columns:
        digest.update(json.dumps([column.name, column.kind, column.levels]).encode())
        digest.update(np.ascontiguousarray(column.values).tobytes())
    for part in (train.target, train.weight, train.groups, benchmark.data.classes):
        digest.update(b"-" if part is None else str(part.dtype).encode() + repr(part.tolist()).encode())
    study: list[Any] = [
        benchmark.splits.folds,
        benchmark.splits.repeats,
        options.random_state,
        version("hedgerow"),
    ]
    study += [] if benchmark.costs is None else [str(benchmark.costs)]
    study += [benchmark.special] if benchmark.special else []
    study += [] if options.time is None else [options.time]
    digest.update(json.dumps(study).encode())
    return digest.hexdigest()
