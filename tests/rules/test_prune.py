"""Post-pruning: order, no rule without use, the default, limits, held-out rows, weights."""

import numpy as np
import pytest
from tests.rules.examples import embedded, learned, mixed

from hedgerow.rules import DEFAULT, post_prune
from hedgerow.rules.bitset import ConditionBits
from hedgerow.rules.rule import RuleList
from hedgerow.rules.select import select_cheapest, select_useful
from hedgerow.tree.conditions import Span

CASES = [mixed(seed, n_classes=k) for seed, k in ((0, 2), (1, 3), (2, 6))]


@pytest.mark.parametrize("case", range(3))
def test_rules_come_in_the_order_of_their_estimate(case):
    _, _, rules, _, _ = learned(*CASES[case])
    keys = [(round(rule.error, 12), -rule.weight) for rule in rules.rules]
    assert keys == sorted(keys)
    assert len({(frozenset(rule.conditions), rule.decision) for rule in rules.rules}) == len(rules)


@pytest.mark.parametrize("case", range(3))
def test_every_rule_is_needed(case):
    """Each is right for a row it decides, and without it some decision would be another."""
    _, _, rules, rows, known = learned(*CASES[case])
    fired, decisions = rules.match(rows), rules.predict(rows)
    for k, rule in enumerate(rules.rules):
        assert rule.conditions
        assert (known.codes[fired == k] == rule.decision).any()
        others = rules.rules[:k] + rules.rules[k + 1 :]
        without = RuleList(rules.labels, others, rules.default, rules.rest, rules.everything)
        assert (without.predict(rows) != decisions).any()


@pytest.mark.parametrize("case", range(3))
def test_statistics_are_those_of_the_rows_a_rule_covers(case):
    _, _, rules, rows, known = learned(*CASES[case])
    for rule in rules.rules:
        alone = RuleList(rules.labels, (rule,), 0, rules.rest, rules.everything)
        inside = alone.match(rows) == 0
        assert rule.rows == inside.sum()
        assert rule.covered.counts == tuple(
            np.bincount(known.codes[inside], minlength=len(rule.covered.counts))
        )
        assert rule.covered.majority == rule.decision
    rest = rules.match(rows) == DEFAULT
    assert rules.rest.rows == rest.sum()
    if rest.any():
        assert rules.default == np.bincount(known.codes[rest]).argmax()


@pytest.mark.parametrize("case", range(3))
def test_probabilities_have_their_largest_at_the_decision(case):
    _, _, rules, rows, _ = learned(*CASES[case])
    assert np.array_equal(rules.predict_proba(rows).argmax(axis=1), rules.predict(rows))
    assert np.allclose(rules.predict_proba(rows).sum(axis=1), 1)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_a_shorter_list_keeps_what_it_would_miss_most(most):
    table, y = embedded("titanic")
    _, _, rules, rows, _ = learned(table, y)
    _, _, short, _, _ = learned(table, y, max_rules=most)
    assert len(short) <= most < len(rules)
    right = [np.mean(found.predict(rows) == y) for found in (rules, short)]
    assert right[0] > right[1] > 0.75  # always died: 0.62


def test_the_rule_given_up_costs_least():
    """Against trying each."""
    table, y = mixed(3, n_classes=2)
    _, _, rules, rows, known = learned(table, y)
    listed = [(rule.conditions, rule.decision) for rule in rules.rules]
    kept = select_cheapest(listed, known, 2, len(listed) - 1)

    def right(k):
        others = rules.rules[:k] + rules.rules[k + 1 :]
        return (
            RuleList(rules.labels, others, rules.default, rules.rest, rules.everything).predict(rows) == y
        ).sum()

    gone = next(k for k in range(len(listed)) if k not in kept)
    assert right(gone) == max(right(k) for k in range(len(listed)))


def test_the_drawing_of_select():
    """Rows a to g in one column, 0 to 6; the classes no (0) and yes (1)."""
    X = np.arange(7.0)[:, None]
    known = learned(X, np.array([1, 1, 0, 0, 1, 0, 0])).known
    listed = [
        ((Span(0, -np.inf, 1.5, False),), 1),
        ((Span(0, 1.5, 3.5, False),), 0),
        ((Span(0, 0.5, 4.5, False),), 1),
    ]
    assert select_useful(listed, ConditionBits(known, 2)) == [
        0,
        1,
        2,
    ]  # 2 would take c and d from the default
    listed[2] = ((Span(0, 3.5, 4.5, False),), 1)
    assert select_useful(listed, ConditionBits(known, 2)) == [0, 2]


def test_rows_held_out_judge_instead():
    table, y = mixed(4, n=400, n_classes=2)
    _, full, _, rows, known = learned(table, y)
    half = np.arange(400) % 2 == 0
    found = post_prune(full, known, unseen=known.take(half))
    for rule in found.rules:
        alone = RuleList(found.labels, (rule,), 0, found.rest, found.everything)
        inside = (alone.match(rows) == 0) & half
        wrong = (known.codes[inside] != rule.decision).sum()
        assert rule.error == pytest.approx((wrong + 0.5) / (inside.sum() + 1))


def test_rows_of_weight_zero_are_not_there_and_weights_are_repeats():
    table, y = mixed(5)
    repeats = np.random.default_rng(5).integers(0, 3, len(y))
    _, _, weighted, rows, _ = learned(table, y, repeats.astype(float))
    again = np.repeat(np.arange(len(y)), repeats)
    _, _, repeated, _, _ = learned(table.take(again), y[again])
    assert np.array_equal(weighted.predict(rows), repeated.predict(rows))
    assert [rule.covered.counts for rule in weighted.rules] == [
        rule.covered.counts for rule in repeated.rules
    ]


def test_one_class_needs_no_rule():
    _, _, rules, rows, _ = learned(np.arange(6.0)[:, None], np.zeros(6, int))
    assert len(rules) == 0
    assert rules.predict(rows).tolist() == [0] * 6


@pytest.mark.parametrize("options", [{"max_rules": 0}, {"confidence": 0}])
def test_limits_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match="is out of range"):
        learned(*mixed(0), **options)


def test_the_lecture_s_example():
    """Full and not hungry: the rule keeps what it needs, and Some means to wait."""
    table, y = embedded("restaurant")
    _, full, rules, rows, _ = learned(table, y)
    assert len(full) > len(rules)
    output = [(row["condition"], row["class"]) for row in rules.to_table()]
    assert ("Pat = Some", "1") in output
    assert np.mean(rules.predict(rows) == y) >= 10 / 12
