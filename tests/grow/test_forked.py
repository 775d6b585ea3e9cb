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
LIMITS = ({}, {"min_rows_leaf": 2}, {"max_depth": 2}, {"min_rows_split": 9}, {"min_weight_leaf": 2.9})


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


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@given(
    seed=st.integers(0, 10**6),
    weights=st.sampled_from(["none", "whole"]),
    missing=st.sampled_from([0.0, 0.15, 0.4]),
    limits=st.sampled_from(LIMITS),
    numbers=st.integers(0, 2),
)
def test_stops_as_the_twin(criterion, seed, weights, missing, limits, numbers):
    shape = {"n": 43, "numbers": numbers, "categories": 2, "n_levels": 4}
    limits = {"stops": True, **limits}
    agrees(forked_case(seed, criterion, **shape, weights=weights, missing=missing, limits=limits))


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


# --- promises ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("fractional", [False, True])
@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio", "squared_error"])
def test_rows_are_sent_as_they_were_in_training(criterion, fractional):
    """Training rows sent down the tree bring each leaf the weight it was grown with; two ways of predicting agree."""
    limits = {"multiway": True, "fractional": fractional, "min_rows_leaf": 2}
    missing = 0.0 if criterion == "gain_ratio" and not fractional else 0.2
    case = forked_case(5, criterion, n=301, numbers=2, categories=3, missing=missing, limits=limits)
    tree = case.grown()
    np.testing.assert_allclose(predict.values(tree, case.X), value_of(tree, case.X), rtol=1e-12)
    leaves = tree.kind == LEAF
    marks = replace(tree, value=np.eye(tree.n_nodes))  # each node says its own name
    reached = value_of(marks, case.X).sum(axis=0)
    np.testing.assert_allclose(reached[leaves], tree.weight[leaves], rtol=1e-9, atol=1e-12)


def test_thousands_of_levels():
    levels = np.random.default_rng(0).permutation(np.repeat(np.arange(5000.0), 3))
    case = forked_case(0, "entropy", n=15_000, limits={"multiway": True, "max_features": 1})
    case = replace(case, X=levels[:, None], y=levels % 3, n_levels=np.array([5000], np.int32))
    for criterion in ("entropy", "gain_ratio"):
        tree = replace(case, criterion=criterion).grown()
        check(tree)
        assert (tree.n_nodes, tree.n_children[0]) == (5001, 5000)
        assert (np.argmax(predict.values(tree, case.X), axis=1) == case.y).all()


def test_a_category_is_asked_once_on_a_path():
    case = forked_case(2, "entropy", n=401, numbers=0, categories=4, limits={"multiway": True})
    tree = case.grown()
    for node in np.flatnonzero(tree.kind == MULTIWAY):
        up = tree.parent[node]
        while up >= 0:
            assert tree.feature[up] != tree.feature[node]
            up = tree.parent[up]


def test_depth_leaves_and_columns_are_limited():
    case = forked_case(3, "entropy", n=401, numbers=2, categories=3, limits={"multiway": True})
    assert replace(case, limits=replace(case.limits, max_depth=2)).grown().max_depth == 2
    tree = replace(case, limits=replace(case.limits, min_rows_leaf=20)).grown()
    for node in np.flatnonzero(tree.kind != LEAF):
        first, many = tree.first_child[node], tree.n_children[node]
        assert np.count_nonzero(tree.n_rows[first : first + many] >= 20) >= 2
    few = replace(case, limits=replace(case.limits, max_features=2))
    assert len({int(few.grown(seed=seed).feature[0]) for seed in range(20)}) > 1
    np.testing.assert_array_equal(few.grown(seed=4).feature, few.grown(seed=4).feature)


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_matter(threads):
    case = forked_case(3, "gain_ratio", n=401, numbers=2, categories=3, missing=0.1)
    case = replace(case, limits=replace(case.limits, multiway=True, fractional=True))
    one, other = case.grown(), case.grown(threads=threads)
    np.testing.assert_array_equal(one.value, other.value)
    np.testing.assert_array_equal(one.threshold, other.threshold)


@pytest.mark.parametrize(
    "fork", [{"splits": "multiway"}, {"missing": "fractional"}, {"criterion": "gain_ratio"}]
)
@pytest.mark.parametrize("clash", [{"max_leaf_nodes": 5}, {"monotonic_cst": [1, 0]}, {"splitter": "random"}])
def test_what_does_not_go_together(fork, clash):
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 2
    name = next(iter(clash))
    with pytest.raises(ValueError, match=rf"{next(iter(fork))}=.* and {name}=.* do not go together"):
        DecisionTreeClassifier(**fork, **clash).fit(X, y)


@pytest.mark.parametrize("fork", [{"splits": "multiway"}, {"missing": "fractional"}])
def test_medians_do_not_fork(fork):
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30.0)
    with pytest.raises(ValueError, match="criterion='absolute_error' do not go together"):
        DecisionTreeRegressor(criterion="absolute_error", **fork).fit(X, y)


def test_every_kind_of_split_in_one_tree():
    case = forked_case(7, "entropy", n=301, numbers=1, categories=1, limits={"fractional": True})
    assert set(case.grown().kind) == {LEAF, THRESHOLD, SUBSET}
    case = replace(case, limits=replace(case.limits, multiway=True))
    assert set(case.grown().kind) == {LEAF, THRESHOLD, MULTIWAY}


# --- once otherwise ---------------------------------------------------------------------------------
def test_a_split_without_gain_is_not_made():
    """Exclusive or: neither category tells anything by itself, however many rows say so."""
    for k in range(1, 30):
        a, b = np.tile([0.0, 0.0, 1.0, 1.0], k), np.tile([0.0, 1.0, 0.0, 1.0], k)
        case = forked_case(0, "gain_ratio", n=4 * k, n_classes=2, limits={"multiway": True})
        case = replace(case, X=np.column_stack([a, b]), y=(a != b) * 1.0, n_levels=np.array([2, 2], np.int32))
        assert case.grown().n_nodes == 1


def test_weights_are_repeated_rows():
    X, y, w = np.array([[0.0], [1.0], [2.0]]), np.array([0, 0, 1]), np.array([100, 100, 100])
    model = DecisionTreeClassifier(criterion="gain_ratio", missing="fractional")
    rows = model.fit(np.repeat(X, w, axis=0), np.repeat(y, w)).hedgerow_tree_.n_nodes
    assert model.fit(X, y, sample_weight=w).hedgerow_tree_.n_nodes == rows == 3


def test_gain_ratio_learns_where_missing_numbers_go():
    x = np.concatenate([np.arange(10.0), np.full(10, np.nan), np.arange(20.0, 30.0)])
    y = np.repeat([0, 1], [20, 10])
    tree = DecisionTreeClassifier(criterion="gain_ratio").fit(x[:, None], y).hedgerow_tree_
    assert (tree.n_nodes, tree.missing_child[0]) == (3, 1)


def test_no_branch_of_a_poisson_tree_has_mean_zero():
    case = forked_case(0, "poisson", n=6, limits={"multiway": True, "max_features": 1})
    X = np.array([0.0, 0, 1, 1, 2, 2])[:, None]
    case = replace(case, X=X, y=np.array([0.0, 0, 1, 2, 3, 5]), n_levels=np.array([3], np.int32))
    assert (case.grown().value > 0).all()
