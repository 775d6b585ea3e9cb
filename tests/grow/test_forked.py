"""Multiway splits, fractional instances, gain ratio: grown trees against the slow twin, and what they promise."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.tree import predict
from hedgerow.tree.check import check
from hedgerow.tree.decide import value_of
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, THRESHOLD
from twins.cases import random_case
from twins.forked import audit

CLASSES = ("gini", "entropy", "misclassification", "gain_ratio", "conditional_entropy")
LIMITS = ({}, {"min_rows_leaf": 2}, {"max_depth": 2}, {"min_rows_split": 9}, {"min_weight_leaf": 3.0})


def forked_case(seed, criterion, *, n_classes=3, limits=None, **more):
    """A random case that forks. The case makers know three criteria of classes: the target is theirs."""
    target = "entropy" if criterion in CLASSES else criterion
    case = random_case(seed, target, n_classes=n_classes, limits=limits, **more)
    return replace(case, criterion=criterion)


def agrees(case):
    tree = case.grown()
    check(tree)
    audit(tree, case)
    return tree


@pytest.mark.parametrize("criterion", CLASSES)
@given(
    seed=st.integers(0, 10**6),
    n_classes=st.integers(2, 4),
    weights=st.sampled_from(["none", "whole", "uneven"]),
    missing=st.sampled_from([0.0, 0.15, 0.4]),
    limits=st.sampled_from(LIMITS),
    numbers=st.integers(0, 2),
)
def test_fractions_as_the_twin(criterion, seed, n_classes, weights, missing, limits, numbers):
    weights = "none" if criterion == "gain_ratio" else weights  # see test_weights_are_repeated_rows
    limits = {"multiway": True, "fractional": True, **limits}
    agrees(
        forked_case(
            seed,
            criterion,
            n=43,
            numbers=numbers,
            categories=2,
            n_levels=4,
            n_classes=n_classes,
            weights=weights,
            missing=missing,
            limits=limits,
        )
    )


@pytest.mark.parametrize("criterion", [*CLASSES, "squared_error"])
@given(
    seed=st.integers(0, 10**6),
    weights=st.sampled_from(["none", "whole", "uneven"]),
    missing=st.sampled_from([0.0, 0.2]),
    limits=st.sampled_from([*LIMITS, {"min_decrease": 0.02}]),
)
def test_a_learned_direction_as_the_twin(criterion, seed, weights, missing, limits):
    if criterion == "gain_ratio":
        missing, weights = 0.0, "none"  # its missing cells are fractions; weights: see below
    limits = {"multiway": True, **limits}
    agrees(
        forked_case(
            seed,
            criterion,
            n=43,
            numbers=1,
            categories=2,
            n_levels=4,
            weights=weights,
            missing=missing,
            limits=limits,
        )
    )


@pytest.mark.parametrize("criterion", [*CLASSES, "squared_error"])
@given(seed=st.integers(0, 10**6), missing=st.sampled_from([0.0, 0.2]))
def test_two_branches_and_fractions_as_the_twin(criterion, seed, missing):
    tree = agrees(
        forked_case(
            seed,
            criterion,
            n=37,
            numbers=1,
            categories=1,
            n_levels=4,
            missing=missing,
            limits={"fractional": True},
        )
    )
    assert not np.any(tree.kind == MULTIWAY)
    assert (tree.missing_child == NONE).all()


@given(seed=st.integers(0, 10**6), missing=st.sampled_from([0.0, 0.2]))
def test_fractions_of_numbers_as_the_twin(seed, missing):
    limits = {"multiway": True, "fractional": True}
    agrees(forked_case(seed, "squared_error", n=37, numbers=1, categories=2, missing=missing, limits=limits))
