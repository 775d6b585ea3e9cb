"""Rules counted by bits: against masks in NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hedgerow.rules.bitset as here
from hedgerow.rules.bitset import ConditionBits, assign_rows, count_covered, make_bitsets
from hedgerow.rules.rows import Cells, LabeledRows, holds
from hedgerow.tree.conditions import Choice, Span


def drawn(seed, n, n_classes, weighted):
    """Two numbers (one with holes) and a category; rules of none to five preconditions."""
    rng = np.random.default_rng(seed)
    x, z, c = rng.normal(size=n), rng.normal(size=n), rng.integers(0, 6, n).astype(np.int32)
    z[rng.random(n) < 0.2] = np.nan
    weight = rng.uniform(0.1, 3, n) if weighted else np.ones(n)
    known = LabeledRows(
        Cells((x, z, c), (0, 0, 4), n), rng.integers(0, n_classes, n).astype(np.int32), weight
    )
    rules = [[one(rng) for _ in range(rng.integers(0, 6))] for _ in range(rng.integers(1, 40))]
    return known, rules, rng.integers(0, n_classes, len(rules)).astype(np.int32), rng


def one(rng):
    if rng.random() < 0.3:
        levels = tuple(np.flatnonzero(rng.random(4) < 0.6).tolist())
        return Choice(2, levels, bool(rng.random() < 0.5), bool(rng.random() < 0.5))
    low, high = (-np.inf, rng.normal()) if rng.random() < 0.5 else (rng.normal(), np.inf)
    return Span(int(rng.integers(0, 2)), low, high, bool(rng.random() < 0.5))


def masks(rule, known):
    return np.array([holds(part, known.cells) for part in rule], bool).reshape(len(rule), known.cells.n_rows)


def summed(rows, known, decision):
    """Wrong and right weight."""
    right = known.codes == decision
    return [known.weight[rows & ~right].sum(), known.weight[rows & right].sum()]


cases = given(
    seed=st.integers(0, 10**6),
    n=st.sampled_from([1, 7, 63, 64, 65, 200]),
    n_classes=st.sampled_from([1, 2, 5]),
    weighted=st.booleans(),
)


@settings(max_examples=60)
@cases
def test_sums_are_those_of_masks(seed, n, n_classes, weighted):
    known, rules, decision, _ = drawn(seed, n, n_classes, weighted)
    for threads in (1, 3):
        for bitset in make_bitsets(rules, ConditionBits(known, n_classes, threads)):
            left = (np.random.default_rng(seed).random(len(bitset.part)) < 0.7).astype(np.uint8)
            some = np.flatnonzero(np.random.default_rng(seed).random(len(bitset)) < 0.8)
            if not len(some):
                continue
            covered, gained, places = bitset.sums(some, left, decision)
            at = 0
            for k, r in enumerate(some.tolist()):
                kept = left[bitset.begin[r] : bitset.begin[r + 1]].astype(bool)
                fails = (~masks(rules[r], known))[kept]
                many = fails.sum(axis=0)
                np.testing.assert_allclose(covered[k], summed(many == 0, known, decision[r]), atol=1e-12)
                wanted = np.zeros((len(kept), 2))
                wanted[kept] = [summed((many == 1) & f, known, decision[r]) for f in fails] or np.zeros(
                    (0, 2)
                )
                np.testing.assert_allclose(gained[at : at + len(kept)], wanted, atol=1e-12)
                at += len(kept)
            assert at == len(places) == len(gained)


@settings(max_examples=40)
@cases
def test_counts_and_takers(seed, n, n_classes, weighted):
    known, rules, decision, _ = drawn(seed, n, n_classes, weighted)
    bits = ConditionBits(known, n_classes, 2)
    for rule, found in zip(rules, count_covered(rules, bits), strict=True):
        wanted = known.count(np.flatnonzero(masks(rule, known).all(axis=0)), n_classes)
        assert found.rows == wanted.rows
        np.testing.assert_allclose(found.counts, wanted.counts, rtol=1e-10)
    taker, free = np.full(n, -1), np.ones(n, bool)
    for k, rule in enumerate(rules):
        rows = free & masks(rule, known).all(axis=0)
        if (known.codes[rows] == decision[k]).any():
            taker[rows], free = k, free & ~rows
    np.testing.assert_array_equal(assign_rows(rules, decision, bits), taker)


def test_small_bitsets_change_nothing(monkeypatch):
    known, rules, decision, _ = drawn(5, 200, 3, True)
    rules, decision = rules * 20, np.tile(decision, 20)
    whole = ConditionBits(known, 3)
    wanted = count_covered(rules, whole), assign_rows(rules, decision, whole).tolist()
    monkeypatch.setattr(here, "MOST_BYTES", 1)
    small = ConditionBits(known, 3)
    assert len(list(make_bitsets(rules, small))) > 1 or small.most >= 64
    assert (count_covered(rules, small), assign_rows(rules, decision, small).tolist()) == wanted


@pytest.mark.parametrize("n", [1, 64])
def test_the_bindings_refuse_what_does_not_fit(n):
    known, *_ = drawn(1, n, 2, False)
    bits = ConditionBits(known, 2)
    bitset = next(make_bitsets([[Span(0, 0.0, np.inf, False)]], bits))
    with pytest.raises(ValueError, match="a decision is no class"):
        bitset.sums(np.array([0]), np.ones(1, np.uint8), np.array([7], np.int32))
    with pytest.raises(ValueError, match="has no bits"):
        here.native.rule_counts(
            bitset.holds,
            n,
            bitset.begin,
            np.array([9], np.int32),
            np.ones(1, np.uint8),
            bits.of_class,
            None,
            1,
        )
