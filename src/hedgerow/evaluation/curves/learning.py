"""The learning curve.   In: a model, a table, a target.   Out: LearningCurve: the score against the number of training
rows, of rows it was trained on and of new ones, with a power law that says what more rows would bring.

Test rows are the same for all sizes; of each split's training rows the first so many are taken, in random order, so
that a smaller training set is part of every larger one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.evaluation.baseline import baseline_answers
from hedgerow.evaluation.curves.both import run_both, training_score
from hedgerow.evaluation.curves.power_law import PowerLaw, fit_power_law
from hedgerow.evaluation.curves.together import correlation, moves_of
from hedgerow.evaluation.data import data_of
from hedgerow.evaluation.evaluate import check_level, metric_names, scores_of
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.plain import plain
from hedgerow.evaluation.score import Score
from hedgerow.evaluation.splits import Splits, splits_of
from hedgerow.evaluation.words import figure, html_lines, html_table, many, percent, span, text_table
from hedgerow.types import Count, Float

SHARES = (0.1, 0.17, 0.25, 0.35, 0.5, 0.7, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve:
    sizes: Count  # training rows
    scores: tuple[Score, ...]  # on new rows
    training: Float  # on the training rows
    law: PowerLaw | None  # of the error; None where a power law means nothing
    score: str
    n_rows: int
    level: float

    @property
    def values(self) -> Float:
        return np.array([score.value for score in self.scores])

    def at(self, n_rows: int) -> tuple[float, float, float]:
        """The score to expect of so many training rows, and its interval. Beyond the table it is an extrapolation."""
        if not n_rows >= 1:
            raise ValueError(f"n_rows={n_rows!r} is out of range. Give a number of training rows.")
        law = self._law()
        error, (low, high) = law.error(n_rows), law.interval(n_rows, self.level)
        if _is_error(self.score):
            return error, low, high
        least = 0.0 if metrics()[self.score].scale in ("proportion", "share") else -np.inf
        return max(least, 1 - error), max(least, 1 - high), 1 - low

    def rows_for(self, score: float) -> float:
        """Training rows after which this score is expected; infinity if the law never gets there."""
        return self._law().rows_for(score if _is_error(self.score) else 1 - score)

    def _law(self) -> PowerLaw:
        if self.law is None:
            raise ValueError("There is no law for this curve: at least 3 sizes with a score are wanted.")
        return self.law

    def to_dict(self) -> dict[str, Any]:
        law = self.law
        return {
            "score": self.score,
            "sizes": self.sizes.tolist(),
            "scores": [score.to_dict() for score in self.scores],
            "training": plain(self.training),
            "law": None if law is None else {"floor": law.floor, "gain": law.gain, "rate": law.rate},
        }

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        title = metrics()[self.score].title
        header = ("training rows", title, f"{percent(self.level)} interval", "on the training rows")
        return header, [
            (f"{n:,}", figure(s.value), span(s.low, s.high), figure(float(t)))
            for n, s, t in zip(self.sizes, self.scores, self.training, strict=True)
        ]

    def _notes(self) -> list[str]:
        if self.law is None:
            return []
        told = []
        for more in (int(2 * self.sizes[-1]), int(4 * self.sizes[-1])):
            value, low, high = self.at(more)
            told.append(
                f"with {more:,} rows: about {figure(value)} ({percent(self.level)}: {span(low, high)})"
            )
        return told

    def __str__(self) -> str:
        return "\n".join([f"{many(self.n_rows, 'row')}", "", *text_table(*self._table()), "", *self._notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self._table()) + html_lines(self._notes())

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.learning import draw_learning_curve

        return draw_learning_curve(self, ax=ax)


def learning_curve(
    model: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[float] | None = None,
    score: str | None = None,
    cv: Any = 5,
    repeats: int = 1,
    sample_weight: Any = None,
    groups: Any = None,
    positive: Any = None,
    level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> LearningCurve:
    """The score against the number of training rows.

    sizes : numbers of training rows, or shares of those a split has; from a tenth to all if not given
    score : "accuracy" for classes and "rmse" for numbers if not given
    The others are those of `evaluate`.
    """
    check_level(level)
    data = data_of([model], X, y, sample_weight=sample_weight, groups=groups, positive=positive)
    name = metric_names(score or ("rmse" if data.classes is None else "accuracy"), data)[0]
    splits = splits_of(cv, data, repeats=repeats, random_state=random_state)
    if splits.kind == "fitted":
        raise ValueError("A learning curve fits the model again and again: cv='fitted' has no meaning here.")
    counts = _counts(sizes, min(len(part.train) for part in splits.parts))
    every = all_sizes(splits, counts, random_state)
    outside, within = run_both({"model": model}, data, every, n_jobs=n_jobs, show_progress=progress)
    answers, inside = outside["model"], within["model"]
    n_splits, found, training, moves = len(splits.parts), [], [], []
    for k in range(len(counts)):
        part = slice(k * n_splits, (k + 1) * n_splits)
        own = Splits(every.parts[part], splits.words, splits.kind)
        if all(answer.guess is None for answer in answers[part]):
            raise ValueError(
                f"The model failed with {counts[k]} training rows: {answers[part][0].failure}. Give larger sizes."
            )
        base = baseline_answers(data, own, answers[part])
        found.append(scores_of([name], answers[part], base, data, own, level)[0])
        training.append(training_score(name, inside[part], data, own))
        moves.append(moves_of(metrics()[name], answers[part], data, own))
    if all(score.missing for score in found):
        raise ValueError(f"The curve has no score: {found[-1].missing}. Give another score.")
    law = law_of(counts, found, moves, name)
    return LearningCurve(counts, tuple(found), np.array(training), law, name, data.n_rows, level)


def _counts(sizes: Sequence[float] | None, most: int) -> Count:
    asked = np.asarray(SHARES if sizes is None else sizes, np.float64)
    if asked.ndim != 1 or len(asked) == 0 or not (asked > 0).all():
        raise ValueError(f"sizes={sizes!r}: wanted numbers of training rows, or shares between 0 and 1.")
    counts = np.unique(np.where(asked <= 1, np.maximum(2, np.rint(asked * most)), asked).astype(np.int64))
    if counts[-1] > most:
        raise ValueError(
            f"sizes asks for {counts[-1]:,} training rows, but a split has {most:,}. Give at most these."
        )
    return counts


def all_sizes(splits: Splits, counts: Count, seed: int | None) -> Splits:
    random = np.random.default_rng(seed)
    orders = [random.permutation(part.train) for part in splits.parts]
    parts = [
        replace(part, train=np.sort(order[:n]) if splits.kind != "time" else part.train[-n:])
        for n in counts
        for part, order in zip(splits.parts, orders, strict=True)
    ]
    return Splits(tuple(parts), splits.words, splits.kind)


def _is_error(name: str) -> bool:
    return not metrics()[name].higher_is_better


def law_of(counts: Count, scores: list[Score], moves: list[Float], name: str) -> PowerLaw | None:
    known = [k for k, score in enumerate(scores) if np.isfinite(score.value)]
    if len(known) < 3:
        return None
    values = np.array([scores[k].value for k in known])
    errors = values if _is_error(name) else 1 - values
    spread = np.array([scores[k].std_error for k in known])
    covariance = correlation([moves[k] for k in known]) * np.outer(spread, spread)
    return fit_power_law(counts[known].astype(float), errors, covariance)
