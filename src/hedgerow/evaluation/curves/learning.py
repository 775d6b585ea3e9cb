"""The learning curve.   In: a model, a table, a target.   Out: LearningCurve: the score against the number of training
rows, on training rows and on new ones, with a power law that extrapolates to more rows.

Test rows are the same for all sizes; of each split's training rows the first so many are taken, in random order, so
that a smaller training set is part of every larger one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, interval, json_ready, percent
from hedgerow.display.sentences import many
from hedgerow.docstrings import document
from hedgerow.evaluation.curves.power_law import PowerLaw, fit_power_law
from hedgerow.evaluation.curves.train_test import (
    metric_contributions,
    run_train_test,
    score_correlation,
    train_score,
)
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.metric import metric_name, metrics
from hedgerow.evaluation.score import Score, check_confidence_level, compute_scores
from hedgerow.evaluation.splits import Splits, make_splits
from hedgerow.types import Count, Float

SHARES = (0.1, 0.17, 0.25, 0.35, 0.5, 0.7, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve(Result):
    """The score against the number of training rows, with a power law that extrapolates to more.

    Attributes
    ----------
    train_sizes :
        Training rows.
    scores :
        On new rows.
    train_scores :
        On the training rows.
    law :
        Of the error; None where a power law means nothing.

    See Also
    --------
    hedgerow.learning_curve : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, learning_curve
    >>> heart = datasets.heart()
    >>> found = learning_curve(DecisionTreeClassifier(max_depth=2), heart.table, heart.target, cv=3)
    >>> int(found.train_sizes[-1])
    202
    """

    train_sizes: Count
    scores: tuple[Score, ...]
    train_scores: Float
    law: PowerLaw | None
    scoring: str
    n_rows: int
    confidence_level: float

    @property
    def score_title(self) -> str:
        return metrics()[self.scoring].title

    @property
    def values(self) -> Float:
        """Scores on new rows, as an array."""
        return np.array([score.value for score in self.scores])

    def at(self, n_rows: int) -> tuple[float, float, float]:
        """Extrapolate the score to other numbers of training rows.

        Parameters
        ----------
        n_rows : float
            Training rows.

        Returns
        -------
        Score or tuple
            The score, with its interval.
        """
        if not n_rows >= 1:
            raise ValueError(f"n_rows={n_rows!r} is out of range. Give a number of training rows.")
        law = self._law()
        error, (low, high) = law.error(n_rows), law.interval(n_rows, self.confidence_level)
        if _is_error(self.scoring):
            return error, low, high
        least = 0.0 if metrics()[self.scoring].scale in ("proportion", "share") else -np.inf
        return max(least, 1 - error), max(least, 1 - high), 1 - low

    def rows_for(self, score: float) -> float:
        """Find how many training rows a score needs.

        Parameters
        ----------
        score : float
            The score wanted.

        Returns
        -------
        float
            Training rows, by the power law.
        """
        return self._law().rows_for(score if _is_error(self.scoring) else 1 - score)

    def _law(self) -> PowerLaw:
        if self.law is None:
            raise ValueError("There is no law for this curve: at least 3 sizes with a score are wanted.")
        return self.law

    def to_dict(self) -> dict[str, Any]:
        law = self.law
        return {
            "scoring": self.scoring,
            "train_sizes": self.train_sizes.tolist(),
            "scores": [score.to_dict() for score in self.scores],
            "train_scores": json_ready(self.train_scores),
            "law": None if law is None else {"floor": law.floor, "gain": law.gain, "rate": law.rate},
        }

    def tables(self) -> list[DisplayTable]:
        level = f"{percent(self.confidence_level)} interval"
        header = ("training rows", self.score_title, level, "on the training rows")
        rows = [
            (f"{n:,}", figure(s.value), interval(s.low, s.high), figure(float(t)))
            for n, s, t in zip(self.train_sizes, self.scores, self.train_scores, strict=True)
        ]
        title = [many(self.n_rows, "row")]
        return [DisplayTable(header, rows, words=(0, -1), title=title, notes=self._notes(), gap=3)]

    def _notes(self) -> list[str]:
        if self.law is None:
            return []
        notes, level = [], percent(self.confidence_level)
        for more in (int(2 * self.train_sizes[-1]), int(4 * self.train_sizes[-1])):
            value, low, high = self.at(more)
            notes.append(f"with {more:,} rows: about {figure(value)} ({level}: {interval(low, high)})")
        return notes

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.learning import draw_learning_curve

        return draw_learning_curve(self, ax=ax)


@document()
def learning_curve(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    train_sizes: Sequence[float] | None = None,
    cv: Any = 5,
    repeats: int = 1,
    scoring: str | None = None,
    sample_weight: Any = None,
    positive: Any = None,
    confidence_level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> LearningCurve:
    """Score a model with growing numbers of training rows. The parameters that scikit-learn's learning_curve has too
    mean the same; the result is a LearningCurve, which prints, draws and extrapolates itself.

    Parameters
    ----------
    train_sizes : list, optional
        Numbers of training rows, or shares of those a split has; from a tenth to all if not given.
    scoring : str, optional
        The metric: "accuracy" for classes and "rmse" for numbers if not given.

    Returns
    -------
    LearningCurve
        `.train_sizes`, `.scores`, `.train_scores`; `.at(n)` and `.rows_for(score)` extrapolate.

    See Also
    --------
    evaluate : One score, with more about it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, learning_curve
    >>> titanic = datasets.titanic()
    >>> tree = DecisionTreeClassifier(max_depth=3)
    >>> X, y = titanic.table, titanic.target
    >>> curve = learning_curve(tree, X, y, train_sizes=(100, 400), cv=3, progress=False)
    >>> len(curve.scores)
    2
    """
    check_confidence_level(confidence_level)
    data = make_data([estimator], X, y, sample_weight=sample_weight, groups=groups, positive=positive)
    name = metric_name(scoring, data)
    splits = make_splits(cv, data, repeats=repeats, random_state=random_state)
    if splits.kind == "fitted":
        raise ValueError("A learning curve fits the model again and again: cv='fitted' has no meaning here.")
    sizes = _check_sizes(train_sizes, min(len(part.train) for part in splits.parts))
    every = splits_of_sizes(splits, sizes, random_state)
    run = run_train_test({"model": estimator}, data, every, n_jobs=n_jobs, show_progress=progress)
    test, train = (results["model"] for results in run)
    n_splits, scores, train_scores, contributions = len(splits.parts), [], [], []
    for k, size in enumerate(sizes):
        part = slice(k * n_splits, (k + 1) * n_splits)
        own = Splits(every.parts[part], splits.description, splits.kind)
        if all(result.predictions is None for result in test[part]):
            raise ValueError(
                f"The model failed with {size} training rows: {test[part][0].failure}. Give larger train_sizes."
            )
        scores.append(compute_scores([name], test[part], data, own, confidence_level)[0])
        train_scores.append(train_score(name, train[part], data, own))
        contributions.append(metric_contributions(metrics()[name], test[part], data, own))
    if all(score.missing for score in scores):
        raise ValueError(f"The curve has no score: {scores[-1].missing}. Give another scoring.")
    law = fit_learning_law(sizes, scores, contributions, name)
    return LearningCurve(
        sizes, tuple(scores), np.array(train_scores), law, name, data.n_rows, confidence_level
    )


def _check_sizes(train_sizes: Sequence[float] | None, most: int) -> Count:
    """Numbers of training rows, rising."""
    given = np.asarray(SHARES if train_sizes is None else train_sizes, np.float64)
    if given.ndim != 1 or len(given) == 0 or not (given > 0).all():
        raise ValueError(
            f"train_sizes={train_sizes!r}: wanted numbers of training rows, or shares between 0 and 1."
        )
    sizes = np.unique(np.where(given <= 1, np.maximum(2, np.rint(given * most)), given).astype(np.int64))
    if sizes[-1] > most:
        raise ValueError(
            f"train_sizes has {sizes[-1]:,} training rows, but a split has {most:,}. Give at most these."
        )
    return sizes


def splits_of_sizes(splits: Splits, sizes: Count, random_state: int | None) -> Splits:
    """The splits with so many of their training rows: all splits of the first size, then of the second, ..."""
    random = np.random.default_rng(random_state)
    orders = [random.permutation(part.train) for part in splits.parts]
    parts = [
        replace(part, train=np.sort(order[:n]) if splits.kind != "time" else part.train[-n:])
        for n in sizes
        for part, order in zip(splits.parts, orders, strict=True)
    ]
    return Splits(tuple(parts), splits.description, splits.kind)


def _is_error(scoring: str) -> bool:
    return not metrics()[scoring].higher_is_better


def fit_learning_law(
    sizes: Count, scores: Sequence[Score], contributions: list[Float], scoring: str
) -> PowerLaw | None:
    """The power law of the errors, with the covariance of the scores; None for fewer than three."""
    known = [k for k, score in enumerate(scores) if np.isfinite(score.value)]
    if len(known) < 3:
        return None
    values = np.array([scores[k].value for k in known])
    errors = values if _is_error(scoring) else 1 - values
    spread = np.array([scores[k].std_error for k in known])
    covariance = score_correlation([contributions[k] for k in known]) * np.outer(spread, spread)
    return fit_power_law(sizes[known].astype(float), errors, covariance)
