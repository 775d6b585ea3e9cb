"""The validation curve.   In: a model, one of its parameters and values for it.   Out: ValidationCurve: the score
against the parameter, on new rows and on training rows, with the best value and the simplest within one standard
error of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.evaluation.baseline import baseline_answers
from hedgerow.evaluation.curves.both import run_both, training_score
from hedgerow.evaluation.data import data_of
from hedgerow.evaluation.evaluate import check_level, metric_names, scores_of
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.plain import plain
from hedgerow.evaluation.score import Score
from hedgerow.evaluation.size import mean_size
from hedgerow.evaluation.splits import splits_of
from hedgerow.evaluation.words import figure, html_table, percent, span, text_table
from hedgerow.table.words import quote
from hedgerow.types import Float


@dataclass(frozen=True, eq=False, repr=False)
class ValidationCurve:
    parameter: str
    values: tuple[Any, ...]
    scores: tuple[Score, ...]
    training: Float
    sizes: tuple[float, ...]  # of the models, in numbers; NaN where not known
    score: str
    level: float

    @property
    def best(self) -> int:
        found = np.array([score.value for score in self.scores])
        sign = 1.0 if metrics()[self.score].higher_is_better else -1.0
        return int(np.nanargmax(sign * found))

    @property
    def simplest(self) -> int:
        """The smallest model within one standard error of the best."""
        top = self.scores[self.best]
        near = [k for k, s in enumerate(self.scores) if abs(s.value - top.value) <= top.std_error]
        size = [self.sizes[k] if np.isfinite(self.sizes[k]) else np.inf for k in near]
        return near[int(np.argmin(size))] if np.isfinite(size).any() else self.best

    def to_dict(self) -> dict[str, Any]:
        return {
            "parameter": self.parameter,
            "values": plain(self.values),
            "score": self.score,
            "scores": [score.to_dict() for score in self.scores],
            "training": plain(self.training),
            "best": plain(self.values[self.best]),
            "simplest_within_1se": plain(self.values[self.simplest]),
        }

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        header = (
            self.parameter,
            metrics()[self.score].title,
            f"{percent(self.level)} interval",
            "on the training rows",
            "",
        )
        marks = {self.best: "best", self.simplest: "simplest within 1 standard error"}
        if self.best == self.simplest:
            marks = {self.best: "best"}
        return header, [
            (str(v), figure(s.value), span(s.low, s.high), figure(float(t)), marks.get(k, ""))
            for k, (v, s, t) in enumerate(zip(self.values, self.scores, self.training, strict=True))
        ]

    def __str__(self) -> str:
        return "\n".join(text_table(*self._table()))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self._table())

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.learning import draw_validation_curve

        return draw_validation_curve(self, ax=ax)


def validation_curve(
    model: Any,
    X: Any,
    y: Any,
    parameter: str,
    values: Sequence[Any],
    *,
    score: str | None = None,
    cv: Any = None,
    repeats: int = 1,
    sample_weight: Any = None,
    groups: Any = None,
    positive: Any = None,
    level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> ValidationCurve:
    """The score of the model with each value of one parameter, on the same splits. Options as in `evaluate`."""
    check_level(level)
    if parameter not in model.get_params():
        known = ", ".join(sorted(model.get_params()))
        raise ValueError(f"{quote(parameter)} is no parameter of {type(model).__name__}. Known: {known}.")
    if not len(values):
        raise ValueError("values is empty. Give at least one value of the parameter.")
    data = data_of([model], X, y, sample_weight=sample_weight, groups=groups, positive=positive)
    name = metric_names(score or ("rmse" if data.classes is None else "accuracy"), data)[0]
    splits = splits_of(cv, data, repeats=repeats, random_state=random_state)
    models = {str(k): clone(model).set_params(**{parameter: value}) for k, value in enumerate(values)}
    answers, inside = run_both(models, data, splits, n_jobs=n_jobs, show_progress=progress)
    found, training, sizes = [], [], []
    for key in models:
        base = baseline_answers(data, splits, answers[key])
        found.append(scores_of([name], answers[key], base, data, splits, level)[0])
        training.append(training_score(name, inside[key], data, splits))
        size = mean_size([answer.size for answer in answers[key] if answer.size is not None])
        sizes.append(np.nan if size is None else size.numbers)
    if all(score.missing for score in found):
        raise ValueError(f"The model failed with every value. The first time: {found[0].missing}")
    return ValidationCurve(
        parameter, tuple(values), tuple(found), np.array(training), tuple(sizes), name, level
    )
