"""Raised branches: the native judging against the same in NumPy."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.prune import Pessimistic
from hedgerow.prune.methods.pessimistic import TOLERANCE, find_collapsible
from hedgerow.prune.raising import raise_subtrees
from hedgerow.tree.check import check
from hedgerow.tree.cut import cut
from prune.samples import KINDS, case_of, data_of
from twins import raising as twin

SAME = ("feature", "kind", "first_child", "n_children", "missing_child", "n_rows", "surrogate_node")


def assert_alike(one, two):
    for name in SAME:
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), name)
    for name in ("threshold", "value", "weight", "impurity"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), atol=1e-9, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), confidence=st.sampled_from([0.5, 0.25, 0.05]))
def test_it_is_the_twins(kind, seed, confidence):
    case = case_of(kind, seed, n=151, weights=("none", "whole", "uneven")[seed % 3])
    tree, data = case.grown(), data_of(case)
    small = cut(tree, find_collapsible(tree))
    kept = raise_subtrees(small, data, confidence, TOLERANCE)
    check(kept)
    assert_alike(kept, twin.raise_subtrees(small, data, confidence))


def test_branches_are_raised_where_missing_cells_are_spread_and_where_surrogates_stand_in():
    """Else the test above would say little."""
    for kind in ("spread", "surrogates"):
        raisings = 0
        for seed in range(40):
            case = case_of(kind, seed, n=151)
            tree, data = case.grown(), data_of(case)
            kept = Pessimistic().prune(tree, data)
            only_cut = Pessimistic(raising=False).prune(tree)
            raisings += kept.n_nodes != only_cut.n_nodes
        assert raisings > 3, kind


@pytest.mark.parametrize("kind", ["spread", "surrogates"])
def test_the_same_bits_for_any_number_of_threads(kind):
    case = case_of(kind, 7, n=5000)
    tree, data = case.grown(), data_of(case)
    wanted = Pessimistic().prune(tree, data)
    for threads in (2, 3, 8):
        object.__setattr__(data, "threads", threads)
        found = Pessimistic().prune(tree, data)
        for field in fields(wanted):
            np.testing.assert_array_equal(getattr(found, field.name), getattr(wanted, field.name))


def test_32_bit_rows_and_rows_without_weight():
    case = case_of("spread", 11, n=151)
    tree, data = case.grown(), data_of(case)
    wanted = Pessimistic().prune(tree, data)
    more = type(data)(
        np.concatenate([case.X, case.X[:20]]).astype(np.float32),
        type(data.target)(
            np.concatenate([data.target.codes, 1 - np.minimum(1, data.target.codes[:20])]).astype(np.int32),
            data.target.n_classes,
            np.concatenate([data.weight, np.zeros(20)]),
        ),
    )
    found = Pessimistic().prune(tree, more)
    np.testing.assert_array_equal(found.feature, wanted.feature)
    np.testing.assert_allclose(found.value, wanted.value, atol=1e-9)
