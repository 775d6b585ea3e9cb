"""Rule post-pruning (C4.5rules).   In: a RuleList, rows with known classes.   Out: a shorter, more accurate RuleList.

    1 drop      preconditions, while the estimated error does not rise (drop.py, estimate.py)
    2 remove    rules without conditions, rules that say the same, rules whose rows are mostly of another class
    3 order     by estimated error, then by the weight covered
    4 select    the rules the list needs (select.py); the default is the usual class of the rows that are left

Preconditions and order go by the estimate: pessimistic on the rows themselves, or that of held-out rows. What is
kept, the default and all statistics go by the rows themselves.
"""

from dataclasses import dataclass

from hedgerow.rules.bitset import ConditionBits, count_covered
from hedgerow.rules.drop import Conditions, drop_all, split_conditions
from hedgerow.rules.estimate import Estimate, held_out, pessimistic
from hedgerow.rules.match import UncoveredRows
from hedgerow.rules.rows import LabeledRows
from hedgerow.rules.rule import DIGITS, Coverage, Rule, RuleList
from hedgerow.rules.select import majority_class, select_cheapest, select_useful


@dataclass(frozen=True)
class _Pruned:
    conditions: Conditions
    decision: int
    error: float
    covered: Coverage


def post_prune(
    rules: RuleList,
    rows: LabeledRows,
    *,
    confidence: float = 0.25,
    unseen: LabeledRows | None = None,
    max_rules: int | None = None,
    threads: int = 1,
) -> RuleList:
    """`unseen`: rows the rules were not made of; if given, errors are estimated on them, and `confidence` is unused."""
    if max_rules is not None and max_rules < 1:
        raise ValueError(f"max_rules={max_rules} is out of range. Give at least 1, or None for no limit.")
    n_classes = len(rules.labels.classes)
    bits = ConditionBits(rows, n_classes, threads)
    if unseen is None:
        found = _simplify(rules, bits, bits, pessimistic(confidence))
    else:
        found = _simplify(rules, bits, ConditionBits(unseen, n_classes, threads), held_out)
    found.sort(key=lambda one: (round(one.error, DIGITS), -round(one.covered.weight, DIGITS)))
    listed = [(one.conditions, one.decision) for one in found]
    kept = select_useful(listed, bits)
    if max_rules is not None and len(kept) > max_rules:
        shorter = select_cheapest([listed[k] for k in kept], rows, n_classes, max_rules)
        kept = [kept[k] for k in shorter]
    return _make_list(rules, [found[k] for k in kept], rows)


def _simplify(
    rules: RuleList, bits: ConditionBits, validation: ConditionBits, estimate: Estimate
) -> list[_Pruned]:
    """Each rule without the preconditions it does better without, each different one once."""
    listed = [(rule.conditions, rule.decision) for rule in rules.rules]
    left: dict[tuple[frozenset[object], int], tuple[Conditions, int, float]] = {}
    for dropped, (_, decision) in zip(drop_all(listed, validation, estimate), listed, strict=True):
        if dropped.conditions:
            key = (frozenset(dropped.conditions), decision)
            left.setdefault(key, (dropped.conditions, decision, dropped.error))
    found = count_covered([split_conditions(one[0]) for one in left.values()], bits)
    return [
        _Pruned(*one, covers)
        for one, covers in zip(left.values(), found, strict=True)
        if covers.majority == one[1]
    ]


def _make_list(rules: RuleList, kept: list[_Pruned], rows: LabeledRows) -> RuleList:
    n_classes = len(rules.labels.classes)
    uncovered = UncoveredRows(rows.cells)
    for one in kept:
        uncovered.take(uncovered.find_covered(one.conditions))
    everything = rows.count(slice(None), n_classes)
    made = tuple(Rule(one.conditions, one.decision, one.covered, everything, one.error) for one in kept)
    rest = rows.count(uncovered.rows, n_classes)
    return RuleList(rules.labels, made, majority_class(rows, uncovered.rows, n_classes), rest, everything)
