"""What may be concluded of a Comparison, in sentences.   In: a Comparison.   Out: text.

A test that does not find a difference has not shown that there is none: the sentence is "cannot be distinguished",
on how many rows, and which of the two is simpler.
"""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.display.numbers import figure, interval, p_value, percent
from hedgerow.display.sentences import join_words, many
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.select import better_than_baseline

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
    return f"{names} cannot be distinguished on {rows}: {gap}{evidence}{_simpler(first, second)}."


def describe_choice(comparison: "Comparison") -> str:
    """Which model to take, and why."""
    choice = comparison.choice
    if not choice.most_accurate:
        return "No model has a score: all of them failed."
    if not choice.recommended:
        return _describe_guessing(comparison)
    best, price = choice.most_accurate, describe_price(comparison)
    above = _note_simpler(comparison) + _note_above(comparison)
    if choice.recommended != best:
        why = _simplest_words(comparison, f"{best}, the most accurate")
        return f"Take {choice.simplest}, {why}. {price}{above}"
    near = [
        p
        for p in comparison.pairs
        if p.first == best and not p.is_decided and not comparison[p.second].is_given_up
    ]
    alone = (
        "It is also the simplest of those that cannot be distinguished from it."
        if near
        else _all_worse_words(comparison)
    )
    simple = f"{choice.simplest} is {_simplest_words(comparison, 'it')}. {price}" if price else alone
    return f"Take {best}, the most accurate. {simple}{above}"


def _all_worse_words(comparison: "Comparison") -> str:
    """No other model comes near: as far as each of them was tested."""
    given_up = [entry.name for entry in comparison.entries if entry.is_given_up]
    others = [
        entry
        for entry in comparison.entries
        if not entry.is_given_up and entry.name != comparison.choice.most_accurate
    ]
    words = []
    if others:
        is_scored = np.isfinite([entry.score.value for entry in others]).all()
        which = " that has a score" if not is_scored else " that ran on all folds" if given_up else ""
        words.append(f"Every other model{which} is shown to be worse.")
    if given_up:
        verb = "was" if len(given_up) == 1 else "were"
        words.append(
            f"{join_words(given_up)} {verb} given up early: clearly worse on the folds completed by then."
        )
    return " ".join(words)


def describe_price(comparison: "Comparison") -> str:
    """What readability costs: the simplest instead of the most accurate; "" where they are the same."""
    best, simplest = comparison.choice.most_accurate, comparison.choice.simplest
    if best == simplest:
        return ""
    pair = comparison.pair(best, simplest)
    sizes = [str(comparison[name].size or "size not known") for name in (simplest, best)]
    title, difference = metrics()[comparison.scoring].title, pair.outcome.difference
    where = "" if comparison.splits.is_hold_out else " in a fold"  # a model of all rows has another size
    begin = f"The price of {sizes[0]} instead of {sizes[1]}{where}"
    if difference < 0:  # the blend is taken although others have better scores
        return (
            f"{begin} is nothing: {title} is better by {figure(-difference)}{_interval(pair, absolute=True)}."
        )
    return f"{begin}: {figure(difference)} in {title}{_interval(pair)}{_share_of_gain(comparison, pair)}."


def _share_of_gain(comparison: "Comparison", pair: "PairResult") -> str:
    """What the difference is of all that the better model gains: few rows may not distinguish it from half of that."""
    best = comparison[comparison.choice.most_accurate].score
    gain = abs(best.value - best.baseline)
    if not (np.isfinite(gain) and 0 < pair.outcome.difference <= gain):
        return ""
    return f", {percent(max(0.01, round(pair.outcome.difference / gain, 2)))} of the gain over guessing"


def _simplest_words(comparison: "Comparison", it: str) -> str:
    margin = comparison.preference.margin
    return (
        f"the simplest that cannot be distinguished from {it}"
        if margin is None
        else f"the simplest within {margin:g} of {it}"
    )


def _note_simpler(comparison: "Comparison") -> str:
    """Simpler models that are near the best and no answer all the same."""
    best, simplest = (
        comparison[name] for name in (comparison.choice.most_accurate, comparison.choice.simplest)
    )
    useful = better_than_baseline(comparison.baseline_pairs)
    near = {pair.second for pair in comparison.pairs if pair.first == best.name and not pair.is_decided}
    names = [
        entry.name
        for entry in comparison.entries
        if entry.name in near - useful
        and not (entry.is_given_up or entry.n_failed)
        and entry.size is not None
        and simplest.size is not None
        and entry.size.numbers < simplest.size.numbers
    ]
    if not names or comparison.preference.margin is not None:
        return ""
    verb = "are" if len(names) > 1 else "is"
    return f" {join_words(names)} {verb} simpler still, but {verb} not shown to beat the baseline."


def _note_above(comparison: "Comparison") -> str:
    """A better score that does not count."""
    best = comparison[comparison.choice.most_accurate]
    better = comparison.entries[: comparison.entries.index(best)]
    above = [e for e in better if not e.is_given_up]
    failed = next((e for e in above if e.n_failed and not best.n_failed), None)
    if failed is not None:
        return f" {failed.name} has a better score but failed in {many(failed.n_failed, 'split')}."
    useful = better_than_baseline(comparison.baseline_pairs)
    sound = [e.name for e in above if not e.n_failed]
    notes = {
        "only on the folds completed by then, where another model is clearly better": [
            e.name for e in better if e.is_given_up
        ],
        # Than a blend
        "cannot be distinguished from it: the best score of many is partly luck": [
            name for name in sound if name in useful
        ],
        "{} not shown to beat the baseline": [name for name in sound if name not in useful],
    }
    return "".join(_note_better(names, but) for but, names in notes.items())


def _note_better(names: list[str], but: str) -> str:
    if not names:
        return ""
    verb, is_are = ("have better scores", "are") if len(names) > 1 else ("has a better score", "is")
    return f" {join_words(names)} {verb}, but {but.format(is_are)}."


def _describe_guessing(comparison: "Comparison") -> str:
    best = comparison[comparison.choice.most_accurate]
    pair = next((p for p in comparison.baseline_pairs if p.first == best.name), None)
    if pair is None and sum(np.isfinite(entry.score.value) for entry in comparison.entries) == 1:
        return "No model but the baseline has a score, so none is recommended."
    if pair is None and np.isclose(best.score.value, best.score.baseline):
        return (
            "Nothing is shown to be better than guessing, so no model is recommended: every model that has a score "
            "predicts the same for all rows, as the baseline does."
        )
    sure = "" if pair is None or np.isnan(pair.p_value) else f", p {_equals(pair.p_value)}"
    gap = "" if pair is None else f": difference {figure(pair.outcome.difference)}{_interval(pair)}{sure}"
    same = " on the same folds" if best.n_failed else ""
    return (
        "Nothing is shown to be better than guessing, so no model is recommended. The best score of a model is that of "
        f"{best.name}, {figure(best.score.value)}; the baseline has {figure(best.score.baseline)}{same}{gap}."
    )


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
