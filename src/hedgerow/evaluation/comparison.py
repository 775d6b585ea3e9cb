"""Comparison: models side by side, what may be concluded of each pair, and which one to take. Prints itself."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, finite_or_none, interval, percent, seconds
from hedgerow.display.sentences import many
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.comparison_test import Outcome, load_comparison_test
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult, describe_baseline
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.run import GIVEN_UP
from hedgerow.evaluation.score import Score
from hedgerow.evaluation.select import Choice, Preference
from hedgerow.evaluation.size import Size
from hedgerow.evaluation.splits import Splits
from hedgerow.evaluation.verdict import describe_choice, describe_pair
from hedgerow.words import quote, show

MAX_VERDICTS = 10  # printed


@dataclass(frozen=True, eq=False, repr=False)
class Entry:
    """One model."""

    name: str
    model: Any
    score: Score
    size: Size | None
    fit_seconds: float
    n_failed: int  # splits
    failure: str  # the first reason
    fold_results: tuple[FoldResult, ...]

    @property
    def is_given_up(self) -> bool:
        """Not finished, because it was worse than another model."""
        return any(result is GIVEN_UP for result in self.fold_results)

    @property
    def remark(self) -> str:
        n_splits = len(self.fold_results)
        if self.is_given_up:
            return f"given up after {n_splits - self.n_failed} of {n_splits} splits"
        if self.n_failed:
            return f"failed in {self.n_failed} of {n_splits} splits: {show(self.failure, 80)}"
        return self.score.missing

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "model": str(self.model),
            "score": self.score.to_dict(),
            "size": None if self.size is None else dict(self.size.__dict__),
            "fit_seconds": self.fit_seconds,
            "n_failed": self.n_failed,
            "failure": self.failure,
        }


@dataclass(frozen=True)
class PairResult:
    """Two models, the better-ranked first; or a model and the baseline."""

    first: str
    second: str
    outcome: Outcome
    # As the interval of the outcome: holds for all pairs of its family; NaN for a Bayesian test
    p_value: float
    confidence_level: float

    @property
    def is_decided(self) -> bool:
        """Is the difference shown?"""
        probabilities = self.outcome.probabilities
        if probabilities is not None:
            return max(probabilities[0], probabilities[2]) >= (1 + self.confidence_level) / 2  # two-sided
        return bool(self.p_value <= 1 - self.confidence_level)

    @property
    def is_equal(self) -> bool:
        """Is it shown that there is practically none? Only a Bayesian test can say so."""
        probabilities = self.outcome.probabilities
        return probabilities is not None and probabilities[1] >= self.confidence_level

    def to_dict(self) -> dict[str, Any]:
        o = self.outcome
        return {
            "first": self.first,
            "second": self.second,
            "difference": finite_or_none(o.difference),
            "low": finite_or_none(o.low),
            "high": finite_or_none(o.high),
            "statistic": finite_or_none(o.statistic),
            "p_value": finite_or_none(self.p_value),
            "probabilities": None if o.probabilities is None else list(o.probabilities),
            "decided": self.is_decided,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Models side by side, what may be concluded of each pair, and which one to take.

    Attributes
    ----------
    entries :
        The best first.
    pairs :
        The best with each other first.
    baseline_pairs :
        Each model with the baseline.
    test :
        The comparison test.
    choice :
        Which model to take.
    preference :
        Whether the accurate or the simple one is preferred, and the margin.

    See Also
    --------
    hedgerow.compare : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, compare, datasets
    >>> heart = datasets.heart()
    >>> models = {name: DecisionTreeClassifier(max_depth=k) for name, k in [("stump", 1), ("tree", 4)]}
    >>> found = compare(models, heart.table, heart.target, cv=5, repeats=1)
    >>> found.choice.simplest
    'stump'
    """

    entries: tuple[Entry, ...]
    pairs: tuple[PairResult, ...]
    baseline_pairs: tuple[PairResult, ...]
    scoring: str
    test: str
    data: Data
    splits: Splits
    choice: Choice
    preference: Preference
    findings: tuple[Finding, ...]
    confidence_level: float
    seconds: float

    def __getitem__(self, name: str) -> Entry:
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise KeyError(f"No model is named {name!r}. There are: {', '.join(e.name for e in self.entries)}.")

    def pair(self, one: str, other: str) -> PairResult:
        """Find what was concluded of two models.

        Parameters
        ----------
        one : str
            Name of a model.
        other : str
            Name of another.

        Returns
        -------
        PairResult
            Difference, interval, p-value and verdict.
        """
        for pair in self.pairs:
            if {pair.first, pair.second} == {one, other}:
                return pair
        raise KeyError(f"{one!r} and {other!r} were not compared.")

    @property
    def chosen(self) -> str:
        """The model to take; "" where none is recommended."""
        return self.choice.recommended

    @property
    def score_title(self) -> str:
        return metrics()[self.scoring].title

    @property
    def verdict(self) -> str:
        """What to take, and why, in a sentence or two."""
        return describe_choice(self)

    @property
    def verdicts(self) -> list[str]:
        """A sentence for each pair with the best; then for the others."""
        return [describe_pair(self, pair) for pair in self.pairs]

    def to_dict(self) -> dict[str, Any]:
        pairs = zip(self.pairs, self.verdicts, strict=True)
        return {
            "scoring": self.scoring,
            "test": self.test,
            "splits": self.splits.description,
            "n_rows": self.data.n_rows,
            "n_copies": self.data.n_copies,
            "confidence_level": self.confidence_level,
            "models": [entry.to_dict() for entry in self.entries],
            "pairs": [pair.to_dict() | {"verdict": verdict} for pair, verdict in pairs],
            "baseline_pairs": [pair.to_dict() for pair in self.baseline_pairs],
            "chosen": self.chosen,
            "most_accurate": self.choice.most_accurate,
            "simplest": self.choice.simplest,
            "prefer": self.preference.prefer,
            "margin": self.preference.margin,
            "verdict": self.verdict,
            "baseline": self._describe_baseline(),
            "findings": [finding.to_dict() for finding in self.findings],
            "seconds": self.seconds,
        }

    def draw(self, ax: Any = None) -> Any:
        """Draw scores with intervals; bars join what cannot be distinguished."""
        from hedgerow.draw.comparison import draw_comparison

        return draw_comparison(self, ax=ax)

    def tables(self) -> list[DisplayTable]:
        return [self.score_table()]

    def score_table(self) -> DisplayTable:
        rows, splits = many(self.data.n_rows, "row"), self.splits.description
        title = f"{many(len(self.entries), 'model')} by {self.score_title}: {rows}, {splits}"
        header = ("", "score", f"{percent(self.confidence_level)} interval", "one fit", "size", "")
        lines = [self._line(entry) for entry in self.entries]
        bases = [entry.score.baseline for entry in self.entries if np.isfinite(entry.score.baseline)]
        if bases:
            lines.append(("  baseline", figure(float(np.mean(bases))), "", "", "", ""))
        return DisplayTable(header, lines, words=(0, -1), title=[title], notes=self._notes(), gap=3)

    def _line(self, entry: Entry) -> tuple[str, ...]:
        mark = "> " if entry.name == self.chosen else "  "
        return (
            mark + show(entry.name, 40),
            figure(entry.score.value),
            interval(entry.score.low, entry.score.high),
            seconds(entry.fit_seconds),
            str(entry.size or "not known"),
            entry.remark,
        )

    def _describe_baseline(self) -> str:
        return describe_baseline(self.data, self.splits, [metrics()[self.scoring]])

    def _notes(self) -> list[str]:
        notes = [self.verdict, "", *self.verdicts[:MAX_VERDICTS]]
        if len(self.pairs) > MAX_VERDICTS:
            notes.append(f"... {len(self.pairs) - MAX_VERDICTS} more pairs: .verdicts")
        is_bayesian = any(pair.outcome.probabilities is not None for pair in self.pairs)
        together = "" if is_bayesian else "; intervals and p-values hold for all pairs together"
        method = load_comparison_test(self.test).title + together
        notes += [method, f"baseline: {self._describe_baseline()}"]
        return notes + [str(finding) for finding in self.findings]


def name_models(models: Any) -> dict[str, Any]:
    """By name, from a dict, a list of models or a list of (name, model)."""
    if isinstance(models, Mapping):
        found = _from_pairs(list(models.items()))
    elif isinstance(models, (list, tuple)):
        found = _from_list(list(models))
    else:
        raise TypeError(f"models={quote(models)}: wanted a dict of models by name, or a list of models.")
    if len(found) < 2:
        raise ValueError(
            f"{many(len(found), 'model')} given; a comparison wants at least two. For one: evaluate(model, X, y)."
        )
    for name, model in found.items():
        if isinstance(model, type) or not hasattr(model, "fit"):
            raise TypeError(
                f"{quote(name)} is {quote(model)}, which is no estimator. Give such as Tree(), with brackets."
            )
    return found


def _from_list(models: list[Any]) -> dict[str, Any]:
    if models and all(isinstance(one, tuple) and len(one) == 2 for one in models):
        return _from_pairs(models)
    names = [type(model).__name__ for model in models]
    if len(set(names)) < len(names):
        names = [" ".join(str(model).split()) for model in models]
    if len(set(names)) < len(names):
        names = [f"{name} ({k + 1})" for k, name in enumerate(names)]
    return dict(zip(names, models, strict=True))


def _from_pairs(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    count = Counter(str(name) for name, _ in pairs)
    twice = [name for name, times in count.items() if times > 1]
    if twice:
        raise ValueError(f"Two models are named {quote(twice[0])}. Give each a name of its own.")
    return {str(name): model for name, model in pairs}
