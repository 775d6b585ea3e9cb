"""Comparison: models side by side, what may be concluded of each pair, and which one to take. Prints itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.evaluation.baseline import baseline_words
from hedgerow.evaluation.checks import Finding
from hedgerow.evaluation.comparison_tests import Outcome, comparison_named
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.score import Score
from hedgerow.evaluation.size import Size
from hedgerow.evaluation.splits import Splits
from hedgerow.evaluation.verdict import pair_words, recommendation
from hedgerow.evaluation.words import figure, html_lines, html_table, many, percent, seconds, span, text_table
from hedgerow.table.words import show


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
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Versus:
    """Two models, the better-ranked first."""

    first: str
    second: str
    outcome: Outcome
    p_value: float  # corrected for the number of pairs; NaN for a Bayesian test
    level: float

    @property
    def is_decided(self) -> bool:
        """Is the difference shown?"""
        if self.outcome.chances is not None:
            return (
                max(self.outcome.chances[0], self.outcome.chances[2]) >= (1 + self.level) / 2
            )  # of both sides
        return bool(self.p_value <= 1 - self.level)

    @property
    def is_equal(self) -> bool:
        """Is it shown that there is practically none? Only a Bayesian test can say so."""
        return self.outcome.chances is not None and self.outcome.chances[1] >= self.level


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    entries: tuple[Entry, ...]  # the best first
    pairs: tuple[Versus, ...]
    score: str
    test: str
    data: Data
    splits: Splits
    chosen: str
    select: str
    findings: tuple[Finding, ...]
    level: float
    seconds: float

    def __getitem__(self, name: str) -> Entry:
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise KeyError(f"No model is named {name!r}. There are: {', '.join(e.name for e in self.entries)}.")

    def pair(self, one: str, other: str) -> Versus:
        for pair in self.pairs:
            if {pair.first, pair.second} == {one, other}:
                return pair
        raise KeyError(f"{one!r} and {other!r} were not compared.")

    @property
    def verdict(self) -> str:
        """What to take, and why, in a sentence or two."""
        return recommendation(self)

    @property
    def verdicts(self) -> list[str]:
        """A sentence for each pair with the best; then for the others."""
        return [pair_words(self, pair) for pair in self.pairs]

    def to_dict(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "test": self.test,
            "splits": self.splits.words,
            "n_rows": self.data.n_rows,
            "level": self.level,
            "models": [_plain(entry) for entry in self.entries],
            "pairs": [
                _plain_pair(pair, words) for pair, words in zip(self.pairs, self.verdicts, strict=True)
            ],
            "chosen": self.chosen,
            "select": self.select,
            "verdict": self.verdict,
            "baseline": baseline_words(self.data),
            "findings": [{"check": f.check, "words": f.words, "severe": f.severe} for f in self.findings],
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        return "\n".join([self.title(), "", *text_table(*self.table()), "", *self.notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_lines([self.title()]) + html_table(*self.table()) + html_lines(self.notes())

    def draw(self, ax: Any = None) -> Any:
        """Scores with intervals; bars join what cannot be told apart. Returns the Axes."""
        from hedgerow.draw.comparison import draw_comparison

        return draw_comparison(self, ax=ax)

    def title(self) -> str:
        title = metrics()[self.score].title
        return f"{many(len(self.entries), 'model')} by {title}: {many(self.data.n_rows, 'row')}, {self.splits.words}"

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        header = ("", metrics()[self.score].title, f"{percent(self.level)} interval", "one fit", "size", "")
        lines: list[tuple[str, ...]] = [
            (
                ("> " if entry.name == self.chosen else "  ") + show(entry.name, 40),
                figure(entry.score.value),
                span(entry.score.low, entry.score.high),
                seconds(entry.fit_seconds),
                str(entry.size or "not known"),
                _remark(entry),
            )
            for entry in self.entries
        ]
        bases = [entry.score.baseline for entry in self.entries if np.isfinite(entry.score.baseline)]
        if bases:
            lines.append(("  baseline", figure(float(np.mean(bases))), "", "", "", ""))
        return header, lines

    def notes(self) -> list[str]:
        told = [self.verdict, ""]
        most = 10
        told += self.verdicts[:most]
        if len(self.verdicts) > most:
            told.append(f"... {len(self.verdicts) - most} more pairs: .verdicts")
        how = comparison_named(self.test).title + ("" if self.test == "bayes" else ", p-values by Holm")
        told += [how, f"baseline: {baseline_words(self.data)}"]
        return told + [f"{'!' if f.severe else '-'} {f.words}" for f in self.findings]


def _remark(entry: Entry) -> str:
    if entry.n_failed:
        return f"failed in {entry.n_failed} of {len(entry.answers)} splits: {show(entry.failure, 80)}"
    return entry.score.missing


def _plain(entry: Entry) -> dict[str, Any]:
    size = entry.size
    return {
        "name": entry.name,
        "model": str(entry.model),
        "score": entry.score.to_dict(),
        "size": None if size is None else {"count": size.count, "unit": size.unit, "numbers": size.numbers},
        "fit_seconds": entry.fit_seconds,
        "n_failed": entry.n_failed,
        "failure": entry.failure,
    }


def _plain_pair(pair: Versus, words: str) -> dict[str, Any]:
    o = pair.outcome

    def known(value: float) -> float | None:
        return value if np.isfinite(value) else None

    return {
        "first": pair.first,
        "second": pair.second,
        "difference": known(o.difference),
        "low": known(o.low),
        "high": known(o.high),
        "statistic": known(o.statistic),
        "p_value": known(pair.p_value),
        "p_value_alone": known(o.p_value),
        "chances": None if o.chances is None else list(o.chances),
        "decided": pair.is_decided,
        "words": words,
    }
