"""Dropping preconditions: equal to its slow twin, never to a worse estimate, never to a narrower rule."""

import numpy as np
import pytest
from tests.rules.examples import learned, mixed
from tests.rules.twin import drop_slowly

from hedgerow.rules.bitset import ConditionBits
from hedgerow.rules.drop import drop_all, merge_conditions, split_conditions
from hedgerow.rules.estimate import held_out, pessimistic
from hedgerow.rules.match import find_covered
from hedgerow.tree.conditions import Choice, Span

INF = float("inf")


def drop_preconditions(conditions, decision, rows, estimate):
    """Of one rule."""
    bits = ConditionBits(rows, 1 + max(decision, int(rows.codes.max(initial=0))))
    return drop_all([(conditions, decision)], bits, estimate)[0]


@pytest.mark.parametrize(
    "estimate", [pessimistic(0.25), pessimistic(0.9), held_out], ids=["low", "high", "out"]
)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_equals_its_slow_twin(seed, weighted, estimate):
    table, y = mixed(seed, n=61)
    weight = np.random.default_rng(seed).uniform(0.1, 3, 61) if weighted else None
    model, full, _, rows, known = learned(table, y, weight)
    n_levels = [len(levels) for levels in model.labels_.levels]
    for rule in full.rules:
        found = drop_preconditions(rule.conditions, rule.decision, known, estimate)
        conditions, error = drop_slowly(
            rule.conditions, rule.decision, rows, known.codes, known.weight, n_levels, estimate
        )
        assert found.conditions == conditions
        assert found.error == pytest.approx(error, abs=1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_the_estimate_never_gets_worse_and_no_row_is_lost(seed):
    table, y = mixed(seed)
    _, full, _, _, known = learned(table, y)
    for rule in full.rules:
        found = drop_preconditions(rule.conditions, rule.decision, known, pessimistic(0.25))
        assert found.error <= found.before + 1e-12
        assert set(find_covered(rule.conditions, known.cells)) <= set(
            find_covered(found.conditions, known.cells)
        )
        assert len(split_conditions(found.conditions)) <= len(split_conditions(rule.conditions))


def test_the_ends_of_an_interval_are_two_preconditions():
    both, other = Span(0, 2.0, 4.0, True), Choice(1, (0, 2), False, False)
    assert split_conditions((both, other)) == [Span(0, 2.0, INF, True), Span(0, -INF, 4.0, True), other]
    assert merge_conditions(split_conditions((both, other))) == (both, other)


def test_only_missing_cells_and_known_cells_stay_whole():
    for condition in (Span(0, INF, INF, True), Span(0, -INF, INF, False)):
        assert split_conditions((condition,)) == [condition]


def test_a_useless_precondition_goes_and_a_useful_one_stays():
    """x decides; z is noise."""
    random = np.random.default_rng(0)
    X = random.uniform(size=(300, 2))
    known = learned(X, (X[:, 0] > 0.5).astype(int)).known
    noisy = (Span(0, 0.5, INF, False), Span(1, -INF, 0.9, False))
    assert drop_preconditions(noisy, 1, known, pessimistic(0.25)).conditions == noisy[:1]


def test_hundreds_of_preconditions_do_not_overflow():
    X = np.tile(np.arange(5.0)[:, None], (1, 300))
    conditions = tuple(Span(j, 0.5, 3.5, False) for j in range(300))
    known = learned(X, np.array([0, 1, 1, 1, 0])).known
    found = drop_preconditions(conditions, 1, known, pessimistic(0.25))
    assert len(split_conditions(found.conditions)) == 2
    assert found.error == pytest.approx(1 - 0.25 ** (1 / 3))
