"""Each method against its definition, one node at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.prune import (
    ChiSquare,
    DepthLimit,
    LeafLimit,
    MinimumDescriptionLength,
    Pessimistic,
    ReducedError,
    compute_losses,
    count_reached,
)
from hedgerow.prune.data import class_weights
from hedgerow.tree.check import check
from prune.samples import KINDS, TWINS, case_of, data_of
from twins import pruning as twin

each_kind = pytest.mark.parametrize("kind", TWINS)
seeds = given(seed=st.integers(0, 10**6))
few = settings(max_examples=12)


@each_kind
@few
@seeds
def test_what_reached_each_node(kind, seed):
    case = case_of(kind, seed, weights="uneven")
    tree = case.grown()
    np.testing.assert_allclose(count_reached(tree, data_of(case)), class_weights(tree), atol=1e-9)
    other = case_of(kind, seed + 1)
    np.testing.assert_allclose(compute_losses(tree, data_of(other)), twin.losses(tree, other), atol=1e-9)


@pytest.mark.parametrize("kind", ["plain", "categories"])
@few
@seeds
def test_losses_of_a_regression(kind, seed):
    case, other = case_of(kind, seed, "squared_error"), case_of(kind, seed + 1, "squared_error")
    tree = case.grown()
    np.testing.assert_allclose(compute_losses(tree, data_of(other)), twin.losses(tree, other), atol=1e-8)


@each_kind
@few
@seeds
def test_reduced_error(kind, seed):
    tree, other = case_of(kind, seed).grown(), case_of(kind, seed + 1, n=41)
    kept = ReducedError().prune(tree, data_of(other))
    assert twin.shape_of(kept) == twin.shape_in(
        tree, twin.reduced_error(tree, compute_losses(tree, data_of(other)))
    )


@each_kind
@few
@seeds
def test_chi_square(kind, seed):
    tree = case_of(kind, seed).grown()
    for significance in (0.5, 0.05, 0.001):
        kept = ChiSquare(significance).prune(tree)
        assert twin.shape_of(kept) == twin.shape_in(tree, twin.chi_square(tree, significance))


@each_kind
@few
@seeds
def test_minimum_description_length(kind, seed):
    tree = case_of(kind, seed).grown()
    for price in (0.1, 0.4, 1.0):
        kept = MinimumDescriptionLength(price).prune(tree)
        assert twin.shape_of(kept) == twin.shape_in(tree, twin.minimum_description_length(tree, price))


@each_kind
@few
@seeds
def test_depth_and_leaves_chosen_on_held_out_rows(kind, seed):
    tree, other = case_of(kind, seed).grown(), data_of(case_of(kind, seed + 1, n=41))
    loss = compute_losses(tree, other)
    assert DepthLimit().prune(tree, other).max_depth == twin.depth_limit(tree, loss)
    assert LeafLimit().prune(tree, other).n_leaves == twin.leaf_limit(tree, loss)


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("raising", [True, False])
@few
@seeds
def test_pessimistic(kind, raising, seed):
    case = case_of(kind, seed, n=131, weights="whole" if seed % 2 else "none")
    tree = case.grown()
    for confidence in (0.25, 0.05):
        kept = Pessimistic(confidence, raising).prune(tree, data_of(case))
        check(kept)
        assert twin.shape_of(kept) == twin.shape_in(tree, twin.pessimistic(tree, case, confidence, raising))


@pytest.mark.slow
def test_raising_happens_in_these_tests_and_rows_are_told_anew():
    """A raised tree is not a cut one; its numbers are those of the rows that now reach its nodes."""
    raised = 0
    for kind in KINDS:
        for seed in range(25):
            case = case_of(kind, seed, n=131)
            tree, data = case.grown(), data_of(case)
            kept = Pessimistic().prune(tree, data)
            np.testing.assert_allclose(count_reached(kept, data), class_weights(kept), atol=1e-9)
            raised += twin.shape_of(kept) != twin.shape_of(Pessimistic(raising=False).prune(tree))
    assert raised > 5
