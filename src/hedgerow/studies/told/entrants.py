"""The panel, told.   In: a Comparison and the scores of its models.   Out: Entrants and a Verdict."""

import re
from collections.abc import Mapping

import numpy as np

from hedgerow.candidates.entrant import Entrant
from hedgerow.evaluation.baseline import baseline_answers
from hedgerow.evaluation.comparison import Comparison, Entry, Versus
from hedgerow.evaluation.measure import Measured, by_split, measure
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.score import Score, score_of
from hedgerow.studies import result as told
from hedgerow.studies.words import gap


def score_told(score: Score) -> told.ScoreTold:
    return told.ScoreTold(
        score.name, score.title, known(score.value), known(score.low), known(score.high), score.level,
        known(score.baseline), score.higher_is_better,
    )  # fmt: skip


def known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def entrants_told(
    comparison: Comparison, panel: Mapping[str, Entrant], names: list[str], n_rows: int
) -> tuple[told.Entrant, ...]:
    """`names`: of all scores, the deciding one first. `n_rows`: in the training part of a fold."""
    usual = _Usual(comparison, names)
    return tuple(
        _entrant(entry, panel[entry.name], comparison, usual, n_rows) for entry in comparison.entries
    )


class _Usual:
    """What the baseline scores on the splits that a model has answered: measured once for all that answered all."""

    def __init__(self, comparison: Comparison, names: list[str]) -> None:
        self.comparison = comparison
        self.names = names
        self._known: dict[tuple[bool, ...], list[Measured | str]] = {}

    def of(self, entry: Entry) -> list[Measured | str]:
        c, answered = self.comparison, tuple(answer.guess is not None for answer in entry.answers)
        if answered not in self._known:
            base = baseline_answers(c.data, c.splits, entry.answers)
            self._known[answered] = [measure(metrics()[name], base, c.data, c.splits) for name in self.names]
        return self._known[answered]


def _entrant(
    entry: Entry, about: Entrant, comparison: Comparison, usual: _Usual, n_rows: int
) -> told.Entrant:
    failed = not np.isfinite(entry.score.value)
    limit = about.OPTIONS.get("rows", n_rows)
    how = about.HOW["regression" if comparison.data.classes is None else "classification"]
    sample = f" In each fold it learned from a sample of {limit:,} rows." if limit < n_rows else ""
    return told.Entrant(
        name=entry.name,
        words=re.split(r"\.(?:\s|$)", how)[0] + ".",
        how=how + sample,
        scores=() if failed else _scores(entry, comparison, usual),
        folds=() if failed else _folds(entry, comparison),
        size=str(entry.size) if entry.size else "",
        numbers=None if entry.size is None else float(entry.size.numbers),
        n_rows=min(limit, n_rows),
        failure=entry.failure or entry.score.missing if failed else "",
        option=about.__name__.rpartition(".")[2],
    )


def _scores(entry: Entry, c: Comparison, usual: _Usual) -> tuple[told.ScoreTold, ...]:
    found = [
        score_of(
            name, metrics()[name], measure(metrics()[name], entry.answers, c.data, c.splits), base, c.level
        )
        for name, base in zip(usual.names, usual.of(entry), strict=True)
    ]
    return tuple(score_told(score) for score in found if np.isfinite(score.value))


def _folds(entry: Entry, c: Comparison) -> tuple[float, ...]:
    each = by_split(metrics()[c.score], entry.answers, c.data, c.splits)
    return tuple(float(value) for value in each[np.isfinite(each)])


def verdict_told(comparison: Comparison) -> told.Verdict:
    sound = [entry for entry in comparison.entries if np.isfinite(entry.score.value)]
    best, taken = sound[0].name, comparison.chosen
    pairs = [pair for pair in comparison.pairs if taken in (pair.first, pair.second)]
    words = [comparison.verdict] + [
        words
        for pair, words in zip(comparison.pairs, comparison.verdicts, strict=True)
        if taken in (pair.first, pair.second) and {pair.first, pair.second} - {taken} <= {best, "baseline"}
    ]
    because = (
        "the highest score"
        if taken == best
        else f"the simplest model within one standard error of the best, which is {best}"
    )
    return told.Verdict(
        best, taken, taken, because, tuple(dict.fromkeys(words)),
        tuple(_pair(pair, taken, comparison.score) for pair in pairs),
    )  # fmt: skip


def _pair(pair: Versus, taken: str, score: str) -> told.Pair:
    other = pair.second if pair.first == taken else pair.first
    sign = 1.0 if pair.first == taken else -1.0
    difference = sign * pair.outcome.difference
    ends = sorted((sign * pair.outcome.low, sign * pair.outcome.high))
    p = known(pair.p_value)
    if pair.is_decided:
        words = f"{'worse' if difference > 0 else 'better'} by {gap(abs(difference), score)}"
    else:
        words = "cannot be told apart" if p is not None else "too few folds in common"
    sure = "" if p is None else f" (p {_p(p)})"
    return told.Pair(other, known(difference), known(ends[0]), known(ends[1]), p, words + sure)


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"
