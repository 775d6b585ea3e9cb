"""The validation curve.   In: a model, one of its parameters and values for it.   Out: ValidationCurve: the score
against the parameter, on new rows and on training rows, with the best value and the simplest within one standard error
of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, interval, json_ready, percent
from hedgerow.docstrings import document
from hedgerow.evaluation.curves.train_test import run_train_test, train_score
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.metric import metric_name, metrics
from hedgerow.evaluation.score import Score, check_confidence_level, compute_scores
from hedgerow.evaluation.size import median_size
from hedgerow.evaluation.splits import make_splits
from hedgerow.types import Float
from hedgerow.words import quote


@dataclass(frozen=True, eq=False, repr=False)
class ValidationCurve(Result):
    """The score against the values of one parameter.

    Attributes
    ----------
    param_name :
        The parameter.
    param_range :
        Its values.
    scores :
        On new rows.
    train_scores :
        On the training rows.
    model_sizes :
        In numbers (size.py); NaN where not known.

    See Also
    --------
    hedgerow.validation_curve : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, validation_curve
    >>> heart = datasets.heart()
    >>> found = validation_curve(
    ...     DecisionTreeClassifier(), heart.table, heart.target, param_name="max_depth", param_range=[1, 2, 4], cv=3
    ... )
    >>> found.simplest
    1
    """

    param_name: str
    param_range: tuple[Any, ...]
    scores: tuple[Score, ...]
    train_scores: Float
    model_sizes: tuple[float, ...]
    scoring: str
    confidence_level: float

    @property
    def score_title(self) -> str:
        return metrics()[self.scoring].title

    @property
    def best(self) -> int:
        """Position of the best value in `param_range`."""
        found = np.array([score.value for score in self.scores])
        sign = 1.0 if metrics()[self.scoring].higher_is_better else -1.0
        return int(np.nanargmax(sign * found))

    @property
    def simplest(self) -> int:
        """The smallest model within one standard error of the best."""
        top = self.scores[self.best]
        near = [k for k, s in enumerate(self.scores) if abs(s.value - top.value) <= top.std_error]
        size = [self.model_sizes[k] if np.isfinite(self.model_sizes[k]) else np.inf for k in near]
        return near[int(np.argmin(size))] if np.isfinite(size).any() else self.best

    def to_dict(self) -> dict[str, Any]:
        return {
            "param_name": self.param_name,
            "param_range": json_ready(self.param_range),
            "scoring": self.scoring,
            "scores": [score.to_dict() for score in self.scores],
            "train_scores": json_ready(self.train_scores),
            "best": json_ready(self.param_range[self.best]),
            "simplest_within_1se": json_ready(self.param_range[self.simplest]),
        }

    def tables(self) -> list[DisplayTable]:
        level = f"{percent(self.confidence_level)} interval"
        header = (self.param_name, self.score_title, level, "on the training rows", "")
        marks = {self.simplest: "simplest within 1 standard error"} | {self.best: "best"}
        columns = zip(self.param_range, self.scores, self.train_scores, strict=True)
        rows = [
            (str(v), figure(s.value), interval(s.low, s.high), figure(float(t)), marks.get(k, ""))
            for k, (v, s, t) in enumerate(columns)
        ]
        return [DisplayTable(header, rows, words=(0, -1), gap=3)]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.learning import draw_validation_curve

        return draw_validation_curve(self, ax=ax)


@document()
def validation_curve(
    estimator: Any,
    X: Any,
    y: Any,
    param_name: str,
    param_range: Sequence[Any],
    *,
    groups: Any = None,
    cv: Any = None,
    repeats: int = 1,
    scoring: str | None = None,
    sample_weight: Any = None,
    positive: Any = None,
    confidence_level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> ValidationCurve:
    """Score a model with each value of one parameter, on the same splits. The parameters that scikit-learn's
    validation_curve has too mean the same; the result is a ValidationCurve, which prints and draws itself.

    Parameters
    ----------
    param_name : str
        The parameter.
    param_range : sequence
        Its values.
    scoring : str, optional
        The metric: "accuracy" for classes and "rmse" for numbers if not given.

    Returns
    -------
    ValidationCurve
        `.scores`, `.train_scores`; `.best` and `.simplest` are places in `.param_range`.

    See Also
    --------
    evaluate : One score, with more about it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, validation_curve
    >>> titanic = datasets.titanic()
    >>> tree, depths = DecisionTreeClassifier(), (1, 3)
    >>> curve = validation_curve(tree, titanic.table, titanic.target, "max_depth", depths, cv=3, progress=False)
    >>> curve.param_range[curve.best]
    3
    """
    check_confidence_level(confidence_level)
    if param_name not in estimator.get_params():
        known = ", ".join(sorted(estimator.get_params()))
        raise ValueError(
            f"{quote(param_name)} is no parameter of {type(estimator).__name__}. Known: {known}."
        )
    if not len(param_range):
        raise ValueError("param_range is empty. Give at least one value of the parameter.")
    data = make_data([estimator], X, y, sample_weight=sample_weight, groups=groups, positive=positive)
    name = metric_name(scoring, data)
    splits = make_splits(cv, data, repeats=repeats, random_state=random_state)
    models = {str(k): clone(estimator).set_params(**{param_name: v}) for k, v in enumerate(param_range)}
    test, train = run_train_test(models, data, splits, n_jobs=n_jobs, show_progress=progress)
    scores, train_scores, sizes = [], [], []
    for key in models:
        scores.append(compute_scores([name], test[key], data, splits, confidence_level)[0])
        train_scores.append(train_score(name, train[key], data, splits))
        size = median_size([result.size for result in test[key] if result.size is not None])
        sizes.append(np.nan if size is None else size.numbers)
    if all(score.missing for score in scores):
        raise ValueError(f"The model failed with every value. The first time: {scores[0].missing}")
    return ValidationCurve(
        param_name,
        tuple(param_range),
        tuple(scores),
        np.array(train_scores),
        tuple(sizes),
        name,
        confidence_level,
    )
