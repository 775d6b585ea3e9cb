"""What may be concluded of a Comparison, in sentences.   In: a Comparison.   Out: text.

A test that does not find a difference has not shown that there is none: the sentence is "cannot be told apart", on how
many rows, and which of the two is simpler.
"""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.display.numbers import figure, interval, p_value, percent
from hedgerow.display.sentences import join_words, many
from hedgerow.evaluation.metric import metrics

if TYPE_CHECKING:
    from hedgerow.evaluation.comparison import Comparison, Entry, PairResult


def describe_pair(comparison: "Comparison", pair: "PairResult") -> str:
    first, second = comparison[pair.first], comparison[pair.second]
    outcome, names = pair.outcome, f"{pair.first} and {pair.second}"
    evidence = f", p {_equals(pair.p_value)}" if outcome.probabilities is None else _probabilities(pair)
    if pair.is_decided:
        better, worse = (first, second) if outcome.difference > 0 else (second, first)
        gap = f"{figure(abs(outcome.difference))} in {metrics()[comparison.scoring].title}"
        return (
            f"{better.name} is better than {worse.name}: by {gap}{_interval(pair, absolute=True)}{evidence}."
        )
    rows = _tested_rows(comparison)
    if pair.is_equal:
        return f"{names} are practically equal on {rows}{evidence}{_simpler(first, second)}."
    if outcome.probabilities is None and np.isnan(pair.p_value):
        return f"{names}: too few splits in common for a verdict."
    gap = f"difference {figure(outcome.difference)}{_interval(pair)}"
    return f"{names} cannot be told apart on {rows}: {gap}{evidence}{_simpler(first, second)}."


def describe_choice(comparison: "Comparison") -> str:
    """Which model to take, and why."""
    if not comparison.chosen:
        return "No model has a score: all of them failed."
    scored = [entry for entry in comparison.entries if np.isfinite(entry.score.value)]
    chosen, best = comparison[comparison.chosen], scored[0]
    baseline = "" if chosen.score.beats_baseline else " It is not shown to be better than the baseline."
    if chosen is best:
        near = [p.second for p in comparison.pairs if p.first == best.name and not p.is_decided]
        rest = " It is better than each of the others." if len(scored) > 1 else ""
        rest = f" {join_words(near)} cannot be told from it." if near else rest
        return f"Take {chosen.name}.{rest}{baseline}"
    if best.n_failed and not chosen.n_failed:
        failed = many(best.n_failed, "split")
        return f"Take {chosen.name}: {best.name} scores higher but failed in {failed}.{baseline}"
    why = "lies within one standard error of it" if comparison.select == "1se" else "cannot be told from it"
    sizes = f" ({chosen.size} against {best.size})" if chosen.size and best.size else ""
    return f"Take {chosen.name}: {best.name} scores highest, but {chosen.name} {why} and is simpler{sizes}.{baseline}"


def _tested_rows(comparison: "Comparison") -> str:
    if not comparison.splits.is_hold_out:
        return many(comparison.data.n_rows, "row")
    return many(len(comparison.splits.parts[0].test), "held-out row")


def _probabilities(pair: "PairResult") -> str:
    second, equal, first = (p_value(p) for p in pair.outcome.probabilities or (np.nan,) * 3)
    return f", probabilities: {pair.first} better {first}, practically equal {equal}, {pair.second} better {second}"


def _simpler(first: "Entry", second: "Entry") -> str:
    one, two = first.size, second.size
    if one is None or two is None or one.numbers == two.numbers:
        return ""
    simple, other = (first, second) if one.numbers < two.numbers else (second, first)
    return f"; {simple.name} is simpler ({simple.size} against {other.size})"


def _interval(pair: "PairResult", *, absolute: bool = False) -> str:
    """Of the difference, or of its absolute value."""
    low, high = pair.outcome.low, pair.outcome.high
    if np.isnan(low):
        return ""
    if absolute and pair.outcome.difference <= 0:
        low, high = -high, -low
    return f" ({percent(pair.confidence_level)}: {interval(low, high)})"


def _equals(p: float) -> str:
    text = p_value(p)
    return text if text.startswith("<") else f"= {text}"
