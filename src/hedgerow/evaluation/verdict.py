"""What may be concluded, in words.   In: a Comparison.   Out: sentences.

A test that does not find a difference has not shown that there is none: the words say "cannot be told apart", on how
many rows, and which of the two is simpler.
"""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.words import chance, figure, many, percent, span

if TYPE_CHECKING:
    from hedgerow.evaluation.comparison import Comparison, Entry, Versus


def pair_words(comparison: "Comparison", pair: "Versus") -> str:
    first, second = comparison[pair.first], comparison[pair.second]
    outcome, title = pair.outcome, metrics()[comparison.score].title
    rows = _rows(comparison)
    sure = "" if np.isnan(outcome.low) else f" ({percent(pair.level)}: {span(outcome.low, outcome.high)})"
    proof = f", p {_equals(pair.p_value)}" if outcome.chances is None else _chances(pair)
    if pair.is_decided:
        better, worse = (first, second) if outcome.difference > 0 else (second, first)
        gap = f"{figure(abs(outcome.difference))} in {title}"
        return f"{better.name} is better than {worse.name}: by {gap}{_turned(outcome.difference, sure, pair)}{proof}."
    if pair.is_equal:
        return (
            f"{first.name} and {second.name} are practically equal on {rows}{proof}{_simpler(first, second)}."
        )
    if outcome.chances is None and np.isnan(pair.p_value):
        return f"{first.name} and {second.name}: too few splits in common for a verdict."
    told = f"{first.name} and {second.name} cannot be told apart on {rows}"
    return f"{told}: difference {figure(outcome.difference)}{sure}{proof}{_simpler(first, second)}."


def recommendation(comparison: "Comparison") -> str:
    sound = [entry for entry in comparison.entries if np.isfinite(entry.score.value)]
    if not comparison.chosen:
        return "No model has a score: all of them failed."
    taken, best = comparison[comparison.chosen], sound[0]
    baseline = "" if taken.score.beats_baseline else " It is not shown to be better than the baseline."
    if taken is best:
        near = _not_told(comparison, best)
        rest = (
            f" {_listed(near)} cannot be told from it."
            if near
            else " It is better than each of the others." * (len(sound) > 1)
        )
        return f"Take {taken.name}.{rest}{baseline}"
    if best.n_failed and not taken.n_failed:
        return f"Take {taken.name}: {best.name} scores higher but failed in {many(best.n_failed, 'split')}.{baseline}"
    why = "lies within one standard error of it" if comparison.select == "1se" else "cannot be told from it"
    sizes = f" ({taken.size} against {best.size})" if taken.size and best.size else ""
    return f"Take {taken.name}: {best.name} scores highest, but {taken.name} {why} and is simpler{sizes}.{baseline}"


def _rows(comparison: "Comparison") -> str:
    if not comparison.splits.is_hold_out:
        return many(comparison.data.n_rows, "row")
    return many(len(comparison.splits.parts[0].test), "held-out row")


def _chances(pair: "Versus") -> str:
    second, equal, first = (chance(p) for p in pair.outcome.chances or (np.nan,) * 3)
    return f", chances: {pair.first} better {first}, practically equal {equal}, {pair.second} better {second}"


def _not_told(comparison: "Comparison", best: "Entry") -> list[str]:
    return [p.second for p in comparison.pairs if p.first == best.name and not p.is_decided]


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _simpler(first: "Entry", second: "Entry") -> str:
    one, two = first.size, second.size
    if one is None or two is None or one.numbers == two.numbers:
        return ""
    simple, other = (first, second) if one.numbers < two.numbers else (second, first)
    return f"; {simple.name} is simpler ({simple.size} against {other.size})"


def _turned(difference: float, sure: str, pair: "Versus") -> str:
    """The interval of the size of the gap."""
    if difference > 0 or not sure:
        return sure
    return f" ({percent(pair.level)}: {span(-pair.outcome.high, -pair.outcome.low)})"


def _equals(p: float) -> str:
    words = chance(p)
    return words if words.startswith("<") else f"= {words}"
