"""The candidates, summarized.   In: Trained, a Comparison.   Out: CandidateRecords and a Verdict."""

import re
from dataclasses import replace

import numpy as np

from hedgerow.candidate import Candidate
from hedgerow.display.numbers import finite_or_none
from hedgerow.evaluation.comparison import Comparison, Entry, PairResult
from hedgerow.evaluation.estimate import Estimate, estimate_metric, metric_by_split
from hedgerow.evaluation.fold import baseline_results
from hedgerow.evaluation.metric import best_constant, metrics
from hedgerow.evaluation.score import Score, make_score
from hedgerow.evaluation.verdict import describe_price
from hedgerow.report.words import format_difference
from hedgerow.studies.records import CandidateRecord, PairRecord, ScoreRecord, Verdict
from hedgerow.studies.train import Trained


def record_score(score: Score) -> ScoreRecord:
    return ScoreRecord(
        name=score.name,
        title=score.title,
        value=finite_or_none(score.value),
        low=finite_or_none(score.low),
        high=finite_or_none(score.high),
        confidence_level=score.confidence_level,
        baseline=finite_or_none(score.baseline),
        higher_is_better=score.higher_is_better,
        is_percentage=metrics()[score.name].is_percentage,
        difference=finite_or_none(score.difference),
        difference_low=finite_or_none(score.difference_low),
        difference_high=finite_or_none(score.difference_high),
    )


def summarize_candidates(trained: Trained) -> tuple[CandidateRecord, ...]:
    """The best first, all with the sizes they have in a fold; the chosen one is described as it was fitted on all
    training rows."""
    comparison, benchmark = trained.comparison, trained.benchmark
    baselines = _Baselines(comparison, benchmark.score_names)
    every = [
        _candidate(entry, benchmark.candidates[entry.name], comparison, baselines, benchmark.fold_rows)
        for entry in comparison.entries
    ]
    return tuple(
        replace(one, description=trained.description) if one.name == trained.name else one for one in every
    )


class _Baselines:
    """What the baseline scores on the splits that a model has answered: measured once for all that answered all."""

    def __init__(self, comparison: Comparison, names: list[str]) -> None:
        self.comparison = comparison
        self.names = names
        self._known: dict[tuple[bool, ...], list[Estimate | str]] = {}

    def of(self, entry: Entry) -> list[Estimate | str]:
        c, answered = self.comparison, tuple(result.predictions is not None for result in entry.fold_results)
        if answered not in self._known:
            known = [metrics()[name] for name in self.names]
            constants = {best_constant(metric): metric for metric in known}
            bases = {
                of: baseline_results(c.data, c.splits, entry.fold_results, metric)
                for of, metric in constants.items()
            }
            self._known[answered] = [
                estimate_metric(metric, bases[best_constant(metric)], c.data, c.splits) for metric in known
            ]
        return self._known[answered]


def _candidate(
    entry: Entry, candidate: Candidate, comparison: Comparison, baselines: _Baselines, n_rows: int
) -> CandidateRecord:
    failed = not np.isfinite(entry.score.value)
    limit = n_rows if candidate.MAX_ROWS is None else candidate.MAX_ROWS
    method = candidate.DESCRIPTION["regression" if comparison.data.classes is None else "classification"]
    sample = f" In each fold it learned from a sample of {limit:,} rows." if limit < n_rows else ""
    return CandidateRecord(
        name=entry.name,
        description=re.split(r"\.(?:\s|$)", method)[0] + ".",
        method=method + sample,
        scores=() if failed else _scores(entry, comparison, baselines),
        fold_scores=() if failed else _score_folds(entry, comparison),
        size=str(entry.size) if entry.size else "",
        n_parameters=None if entry.size is None else float(entry.size.numbers),
        n_rows=min(limit, n_rows),
        failure=entry.failure or entry.score.missing if failed else "",
        option=candidate.__name__.rpartition(".")[2],
        given_up=_when_given_up(entry),
    )


def _when_given_up(entry: Entry) -> str:
    n_splits = len(entry.fold_results)
    return f"after {n_splits - entry.n_failed} of {n_splits} folds" if entry.is_given_up else ""


def _scores(entry: Entry, c: Comparison, baselines: _Baselines) -> tuple[ScoreRecord, ...]:
    found = [
        make_score(
            name,
            metrics()[name],
            estimate_metric(metrics()[name], entry.fold_results, c.data, c.splits),
            base,
            c.confidence_level,
        )
        for name, base in zip(baselines.names, baselines.of(entry), strict=True)
    ]
    return tuple(record_score(score) for score in found if np.isfinite(score.value))


def _score_folds(entry: Entry, c: Comparison) -> tuple[float, ...]:
    each = metric_by_split(metrics()[c.scoring], entry.fold_results, c.data, c.splits)
    return tuple(float(value) for value in each[np.isfinite(each)])


def summarize_verdict(comparison: Comparison, chosen: str) -> Verdict:
    """`chosen`: the model that is kept."""
    choice = comparison.choice
    best = choice.most_accurate
    pairs = [pair for pair in comparison.pairs if pair.first == best]
    if chosen == best and not choice.recommended:
        reason = "No other model has a score: none is recommended."
    elif not choice.recommended:
        reason = "Nothing is shown to be better than guessing: no model is recommended."
    elif chosen == best:
        has_best_score = comparison[best] is comparison.entries[0]
        reason = "It is the most accurate." if has_best_score else "No model is shown to be more accurate."
    else:
        reason = f"It is the simplest that {_near_words(comparison)} the most accurate, {best}."
    return Verdict(
        most_accurate=best,
        simplest=choice.simplest,
        chosen=chosen,
        is_recommended=bool(choice.recommended),
        reason=reason,
        price=describe_price(comparison),
        statements=(comparison.verdict,),
        pairs=tuple(_record_pair(pair, metrics()[comparison.scoring].is_percentage) for pair in pairs),
    )


def _near_words(comparison: Comparison) -> str:
    margin = comparison.preference.margin
    return "cannot be distinguished from" if margin is None else f"is within {margin:g} of"


def _record_pair(pair: PairResult, is_percentage: bool) -> PairRecord:
    difference, ends = pair.outcome.difference, (pair.outcome.low, pair.outcome.high)
    p = finite_or_none(pair.p_value)
    if pair.is_decided:
        words = f"{'worse' if difference > 0 else 'better'} by {format_difference(abs(difference), is_percentage)}"
    else:
        words = "cannot be distinguished" if p is not None else "too few folds in common"
    sure = "" if p is None else f" (p {_format_p(p)})"
    return PairRecord(
        pair.second,
        finite_or_none(difference),
        finite_or_none(ends[0]),
        finite_or_none(ends[1]),
        p,
        words + sure,
    )


def _format_p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"
