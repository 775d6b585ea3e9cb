"""The contest: who is compared, on what, judged by what.   In: the training rows, the goal, Asked.   Out: Contest."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.candidates import entrants
from hedgerow.candidates.entrant import Entrant, Need
from hedgerow.evaluation.data import Data, data_of
from hedgerow.evaluation.evaluate import metric_names
from hedgerow.evaluation.splits import Splits, splits_of
from hedgerow.intake.task import Goal
from hedgerow.studies.asked import Asked
from hedgerow.studies.sampled import Sampled
from hedgerow.studies.seal import Rows

REPEATS = 2
WIDE = 2_000  # columns; with more, the folds are drawn once
RARE = 0.2  # a class with a smaller share of the rows makes accuracy a poor judge,
FEWEST = (
    5  # unless the hold-out has fewer rows of it than this, each then worth a class's share of the score,
)
MOST = 0.5  # and no class is so large that always guessing it looks good


@dataclass(frozen=True, eq=False)
class Contest:
    about: dict[str, Entrant]  # by the name that people read
    models: dict[str, Any]
    data: Data
    splits: Splits
    metric: str
    why: str  # this metric

    @property
    def score_names(self) -> list[str]:
        """Of all scores, the deciding one first."""
        return [self.metric, *(name for name in metric_names(None, self.data) if name != self.metric)]

    @property
    def fold_rows(self) -> int:
        """In the training part of a fold."""
        return int(np.mean([len(part.train) for part in self.splits.parts]))


def contest_of(train: Rows, goal: Goal, asked: Asked) -> Contest:
    about = {one.NAME: one for one in entrants(asked.models, goal.task).values()}
    n_classes = 0 if goal.classes is None else len(goal.classes)
    need = Need(goal.task, len(train.target), len(train.table.columns), n_classes, asked.seed)
    models = {name: _limited(one, one.estimator(need), asked.seed) for name, one in about.items()}
    labels = train.target if goal.classes is None else goal.classes[train.target]
    data = data_of(
        list(models.values()), train.table, labels, sample_weight=train.weight, groups=train.groups,
        positive=positive_of(asked, goal.classes),
    )  # fmt: skip
    metric, why = _metric(asked.metric, data, asked.holdout)
    repeats = 1 if train.groups is not None else asked.repeats or (1 if _is_wide(train) else REPEATS)
    folds = min(asked.folds, data.n_rows if data.groups is None else int(data.groups.max()) + 1)
    splits = splits_of(folds, data, repeats=repeats, random_state=asked.seed)
    return Contest(about, models, data, splits, metric, why)


def _is_wide(train: Rows) -> bool:
    return len(train.table.columns) > WIDE


def _limited(about: Entrant, model: Any, seed: int) -> Any:
    rows = about.OPTIONS.get("rows")
    return model if rows is None else Sampled(model, rows=rows, seed=seed)


def positive_of(asked: Asked, classes: Any) -> Any:
    """The class of interest, as the target has it: typed words name numbers and booleans too."""
    if asked.positive is None:
        return None
    if classes is None:
        raise ValueError(
            f"positive={asked.positive!r} names a class, but the target is a number. Leave it out."
        )
    for label in classes.tolist():
        if str(label) == str(asked.positive):
            return label
    raise ValueError(
        f"positive={asked.positive!r} is no class. Classes: {', '.join(map(str, classes.tolist()))}."
    )


def _metric(asked: str | None, data: Data, holdout: float) -> tuple[str, str]:
    if asked is not None:
        return metric_names(asked, data)[0], "as asked for"
    if data.classes is None:
        return "rmse", "the usual one for numbers"
    counts = np.bincount(data.y)
    rarest, largest = float(counts.min() / data.n_rows), float(counts.max() / data.n_rows)
    if rarest >= RARE:
        return "accuracy", "the usual one for classes of similar size"
    if largest <= MOST and counts.min() * holdout / (1 - holdout) < FEWEST:
        return "accuracy", (
            f"because the rarest class has {counts.min():,} training rows: too few to give every class the same say"
        )
    return "balanced_accuracy", f"because the rarest class has {rarest:.1%} of the rows"
