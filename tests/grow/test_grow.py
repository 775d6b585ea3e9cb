"""Native growing against its slow twin, and the promises that hold where chance decides."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from hedgerow.tree.check import check
from hedgerow.tree.tree import LEAF, SUBSET, THRESHOLD
from tree.same import assert_same
from twins.cases import Case, random_case
from twins.grower import Doubtful, assert_equal, audit, grown, rows_of
from twins.loss import CLASSES, NUMBERS

CRITERIA = (*CLASSES, *NUMBERS)


@st.composite
def problems(draw: st.DrawFn, criterion: str, **fixed: object) -> Case:
    """Anything at once: ties, missing cells, weights, categories, limits."""
    options: dict[str, object] = {
        "n": draw(st.integers(1, 37)),
        "numbers": draw(st.integers(1, 3)),
        "categories": draw(st.integers(0, 2)),
        "missing": draw(st.sampled_from([0.0, 0.0, 0.3, 0.9])),
        "weights": draw(st.sampled_from(["none", "whole", "uneven"])),
        "ties": draw(st.booleans()),
        "n_classes": draw(st.integers(2, 4)),
        "limits": draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "max_depth": st.integers(0, 4),
                    "min_rows_split": st.integers(2, 9),
                    "min_rows_leaf": st.integers(1, 6),
                    "min_weight_leaf": st.sampled_from([0.0, 1.7310, 4.0419]),
                    "min_decrease": st.sampled_from([0.0, 0.0171, 0.1003]),
                },
            )
        ),
    }
    return random_case(draw(st.integers(0, 10**6)), criterion, **{**options, **fixed})


@pytest.mark.parametrize("criterion", CRITERIA)
@given(data=st.data(), subtree_rows=st.sampled_from([1, 5, 16, 65536]))
def test_every_node_is_what_the_definition_says(criterion, data, subtree_rows):
    case = data.draw(problems(criterion))
    tree = case.grown(subtree_rows=subtree_rows)
    check(tree)
    audit(tree, case)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(data=st.data(), max_leaves=st.integers(2, 9))
def test_best_first_splits_the_best_node_first(criterion, data, max_leaves):
    case = data.draw(problems(criterion, categories=0, missing=0.1))
    case = replace(case, limits=replace(case.limits, max_leaves=max_leaves))
    try:
        wanted = grown(case)
    except Doubtful:
        assume(False)
    tree = case.grown()
    check(tree)
    assert_equal(tree, wanted)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(12))
def test_best_first_without_a_binding_limit_grows_the_same_tree(criterion, seed):
    case = random_case(
        seed, criterion, n=43, categories=2, missing=0.1 * (seed % 2), weights="uneven", ties=False
    )
    free = replace(case, limits=replace(case.limits, max_leaves=len(case.y) + 1))
    assert_same(case.grown(), free.grown())


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("max_leaves", [2, 3, 7, 12])
def test_best_first_splits_categories_as_depth_first_does(criterion, max_leaves):
    """Each split best-first made is one that depth-first makes at the same rows."""
    case = random_case(
        max_leaves, criterion, n=61, numbers=1, categories=2, n_levels=7, weights="uneven", ties=False
    )
    most = replace(case, limits=replace(case.limits, max_leaves=max_leaves))
    whole, part = case.grown(), most.grown()
    by_rows = {rows.tobytes(): node for node, rows in enumerate(rows_of(whole, case))}
    assert part.n_leaves == max_leaves
    for node, rows in enumerate(rows_of(part, case)):
        assert rows.tobytes() in by_rows, f"node {node} holds rows that no node of the whole tree holds"
        if part.kind[node] != LEAF:
            assert part.feature[node] == whole.feature[by_rows[rows.tobytes()]]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("subtree_rows", [1, 5, 16, 200])
def test_row_sets_of_subtrees_do_not_change_the_tree(criterion, subtree_rows):
    case = random_case(7, criterion, n=331, numbers=3, categories=2, n_levels=9, missing=0.1, weights="whole")
    assert_same(case.grown(), case.grown(subtree_rows=subtree_rows))


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("weights", ["none", "uneven"])
def test_threads_do_not_change_the_tree(criterion, weights):
    """Large enough for columns of one node to be shared between threads."""
    limits = {"max_depth": 6} if criterion == "absolute_error" else {}
    case = random_case(
        3, criterion, n=30_011, numbers=3, categories=2, missing=0.05, weights=weights, limits=limits
    )
    one = case.grown()
    for threads in (2, 3, 8):
        assert_same(one, case.grown(threads=threads))
        assert_same(one, case.grown(threads=threads, subtree_rows=1500))


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_large_root_is_split_as_the_definition_says(criterion):
    """More rows than one block of the scan, more than 255 distinct values, and missing cells."""
    limits = {"max_depth": 1, "min_rows_leaf": 350}
    case = random_case(11, criterion, n=1301, numbers=2, missing=0.1, ties=False, n_classes=2, limits=limits)
    audit(case.grown(), case)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("random_splits", [False, True])
@given(data=st.data(), seed=st.integers(0, 99), max_features=st.integers(1, 3))
@settings(max_examples=15)
def test_chance_makes_legal_trees(criterion, random_splits, data, seed, max_features):
    case = data.draw(problems(criterion))
    most = min(max_features, case.X.shape[1])
    case = replace(case, limits=replace(case.limits, max_features=most, random_splits=random_splits))
    tree = case.grown(seed=seed)
    check(tree)
    assert_same(tree, case.grown(seed=seed, subtree_rows=5))
    for node, rows in enumerate(rows_of(tree, case)):
        assert tree.n_rows[node] == len(rows)
        if node:
            assert len(rows) >= case.limits.min_rows_leaf
            assert case.w[rows].sum() >= case.limits.min_weight_leaf - 1e-9
    assert tree.max_depth <= case.limits.max_depth
    inside = _inside(tree, case)
    assert inside, "a random threshold lies outside the values of its node"


def _inside(tree, case):
    for node, rows in enumerate(rows_of(tree, case)):
        if tree.kind[node] == THRESHOLD and np.isfinite(tree.threshold[node]):
            cells = case.X[rows, tree.feature[node]]
            if not np.nanmin(cells) <= tree.threshold[node] < np.nanmax(cells):
                return False
    return True


@pytest.mark.parametrize("random_splits", [False, True])
def test_other_seeds_make_other_trees(random_splits):
    case = random_case(5, "gini", n=97, numbers=7, ties=False)
    limits = replace(case.limits, max_features=2, random_splits=random_splits)
    trees = [replace(case, limits=limits).grown(seed=seed) for seed in range(7)]
    assert len({tuple(tree.threshold.tolist()) for tree in trees}) > 1


def test_every_column_is_drawn_at_some_node():
    case = random_case(5, "gini", n=400, numbers=7, ties=False)
    tree = replace(case, limits=replace(case.limits, max_features=1)).grown()
    assert set(tree.feature[tree.kind != LEAF].tolist()) == set(range(7))


def test_a_constant_column_does_not_use_up_the_draw():
    """With one column a node, columns that cannot split are passed over until one can."""
    case = random_case(5, "gini", n=200, numbers=3, ties=False)
    X = np.column_stack([np.zeros((200, 9)), case.X])
    case = replace(case, X=X, n_levels=np.zeros(12, np.int32), limits=replace(case.limits, max_features=1))
    tree = case.grown(seed=3)
    assert (tree.impurity[tree.kind == LEAF] == 0).all()


@pytest.mark.parametrize("criterion", NUMBERS)
def test_a_random_category_split_competes_by_its_gain(criterion):
    """One category explains everything: a random split of its two levels beats a random cut of noise."""
    rng = np.random.default_rng(1)
    level = rng.integers(0, 2, 200).astype(float)
    X = np.column_stack([rng.normal(size=200), level])
    case = random_case(0, criterion, n=200)
    limits = replace(case.limits, random_splits=True, max_depth=1)
    case = replace(
        case, X=X, n_levels=np.array([0, 2], np.int32), y=1 + 100 * level + rng.random(200), limits=limits
    )
    assert [int(case.grown(seed=seed).feature[0]) for seed in range(5)] == [1] * 5


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(("scale", "offset"), [(1, 1), (1, 0.1), (0.1, 1e6), (1e-6, 0.1), (1 / 3, 7.1)])
@pytest.mark.parametrize("weight", [None, 0.1])
def test_a_split_without_gain_is_still_made(criterion, scale, offset, weight):
    """Exclusive or: the first split gains nothing, the second everything. Rounding must not forbid the first."""
    for n in (8, 404, 4004):
        a, b = np.tile([0.0, 0, 1, 1], n // 4), np.tile([0.0, 1, 0, 1], n // 4)
        y = (a != b).astype(float)
        case = random_case(0, criterion, n=n, n_classes=2)
        y = y if criterion in CLASSES else y * scale + offset
        w = None if weight is None else np.full(n, weight)
        tree = replace(case, X=np.column_stack([a, b]), y=y, weight=w).grown()
        assert tree.n_leaves == 4, f"{n} rows"


@pytest.mark.parametrize("weights", ["none", "whole", "uneven"])
@given(seed=st.integers(0, 10**6))
@example(seed=3)
def test_poisson_never_expects_nothing(weights, seed):
    """A leaf whose targets are all zero would have an infinite deviance at the first event."""
    case = random_case(seed, "poisson", n=41, numbers=2, categories=1, missing=0.1, weights=weights)
    y = np.where(np.arange(41) % 3 == 0, case.y, 0.0)
    y[case.used[0]] = 1.0
    tree = replace(case, y=y).grown()
    assert (tree.value[1:] > 1e-9).all()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_zero_weight_is_no_row_and_two_is_two_rows(criterion):
    case = random_case(2, criterion, n=83, numbers=2, categories=2, missing=0.2, weights="whole", ties=False)
    times = case.w.astype(int)
    again = replace(case, X=np.repeat(case.X, times, axis=0), y=np.repeat(case.y, times), weight=None)
    weighted, repeated = case.grown(), again.grown()
    for name in ("feature", "kind", "threshold", "first_child", "missing_child", "subset_bits", "weight"):
        np.testing.assert_array_equal(getattr(weighted, name), getattr(repeated, name), err_msg=name)
    np.testing.assert_allclose(weighted.value, repeated.value, rtol=1e-12)
    gone = replace(case, X=case.X[times > 0], y=case.y[times > 0], weight=case.weight[times > 0])
    assert_same(weighted, gone.grown())


@pytest.mark.parametrize("criterion", CRITERIA)
@given(seed=st.integers(0, 10**6), factor=st.sampled_from([1e-9, 0.5, 1e9]))
@settings(max_examples=10)
def test_the_unit_of_weight_does_not_matter(criterion, seed, factor):
    case = random_case(
        seed, criterion, n=41, numbers=2, categories=1, missing=0.1, weights="uneven", ties=False
    )
    one, other = case.grown(), replace(case, weight=case.w * factor).grown()
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_array_equal(one.subset_bits, other.subset_bits)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@given(
    seed=st.integers(0, 10**6), shift=st.sampled_from([0.0, 2.0**20, -(2.0**30)]), power=st.integers(-20, 20)
)
def test_no_digits_are_lost_far_from_zero(criterion, seed, shift, power):
    """Small whole numbers, scaled and moved by powers of two: nothing is rounded on the way in."""
    case = random_case(seed, criterion, n=41, numbers=3)
    near = replace(case, limits=replace(case.limits, max_depth=3))
    far = replace(near, y=near.y * 2.0**power + shift)
    np.testing.assert_array_equal(near.grown().threshold, far.grown().threshold)


def test_levels_absent_from_a_node_and_levels_never_seen_go_with_most_of_the_weight():
    rng = np.random.default_rng(4)
    X = np.column_stack([np.repeat([0.0, 1.0], [30, 11]), rng.integers(0, 4, 41).astype(float)])
    y = np.where(X[:, 0] == 0, X[:, 1] < 1, X[:, 1] < 2).astype(float)
    X[:, 0] = np.where(X[:, 0] == 0, 0.0, 3.0)
    case = random_case(0, "gini", n=41, n_classes=2)
    case = replace(case, X=X, y=y, n_levels=np.array([0, 7], np.int32))
    tree = case.grown()
    for node in np.flatnonzero(tree.kind == SUBSET):
        first = tree.first_child[node]
        heavier_first = tree.weight[first] > tree.weight[first + 1]
        word = int(tree.subset_bits[tree.subset_start[node]])
        for level in (4, 5, 6, 7):  # the last is "never seen"
            assert bool(word >> level & 1) == heavier_first
        assert (tree.missing_child[node] == first) == heavier_first


@pytest.mark.parametrize("n_levels", [63, 64, 65, 300])
def test_any_number_of_levels(n_levels):
    rng = np.random.default_rng(n_levels)
    n = 3 * n_levels
    level = rng.permutation(np.arange(n) % n_levels).astype(float)
    good = rng.random(n_levels) < 0.5
    for criterion in ("gini", "squared_error", "absolute_error"):
        case = random_case(0, criterion, n=n, n_classes=2)
        case = replace(
            case,
            X=level[:, None],
            y=good[level.astype(int)].astype(float),
            n_levels=np.array([n_levels], np.int32),
        )
        tree = case.grown()
        check(tree)
        assert tree.n_nodes == 3
        audit(tree, case)
