"""The packed layouts: which trees have one, and that every node is in it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.pack import MISSING_FIRST, NARROW, SUBSET_NODE, WIDE, pack, pack_narrow, packable
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, THRESHOLD

from .examples import Builder
from .strategies import trees

PACKABLE = trees(spread=False).filter(packable)


@given(trees())
def test_two_ways_at_each_node_and_one_for_missing_cells(tree):
    inner = tree.kind != LEAF
    spread = (tree.missing_child[inner] == NONE).any()
    assert packable(tree) == (not (tree.kind == MULTIWAY).any() and not spread)


@given(PACKABLE)
def test_every_node_is_in_its_place(tree):
    packed = pack(tree)
    assert packed.feature_bits == 0
    nodes = packed.nodes.reshape(-1).view(WIDE)
    leaf, by_number, by_set = (tree.kind == kind for kind in (LEAF, THRESHOLD, SUBSET))
    np.testing.assert_array_equal(nodes["child"][leaf], np.flatnonzero(leaf))  # a leaf leads to itself
    np.testing.assert_array_equal(nodes["child"][~leaf], tree.first_child[~leaf])
    np.testing.assert_array_equal(nodes["feature"][~leaf] & (SUBSET_NODE - 1), tree.feature[~leaf])
    np.testing.assert_array_equal((nodes["feature"] & SUBSET_NODE) > 0, by_set)
    first = (nodes["feature"] & MISSING_FIRST) > 0
    np.testing.assert_array_equal(first, leaf | (tree.missing_child == tree.first_child))
    np.testing.assert_array_equal(nodes["threshold"][by_number], tree.threshold[by_number])
    np.testing.assert_array_equal(nodes["threshold"][by_set], tree.subset_start[by_set])


@given(PACKABLE)
def test_narrow_nodes_hold_the_same(tree):
    packed = pack_narrow(tree)
    if packed is None:
        assert (tree.kind == SUBSET).any()
        return
    nodes, bits = packed.nodes.reshape(-1).view(NARROW), np.uint32(packed.feature_bits)
    leaf = tree.kind == LEAF
    child, feature = (
        nodes["word"] >> (bits + np.uint32(1)),
        nodes["word"] & ((np.uint32(1) << bits) - np.uint32(1)),
    )
    np.testing.assert_array_equal(child, np.where(leaf, np.arange(tree.n_nodes), tree.first_child))
    np.testing.assert_array_equal(feature[~leaf], tree.feature[~leaf])
    np.testing.assert_array_equal(
        (nodes["word"] >> bits) & 1, leaf | (tree.missing_child == tree.first_child)
    )


@given(st.floats(allow_nan=False), st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_narrow_threshold_asks_32_bit_numbers_the_same_question(threshold, x):
    b = Builder((0,))
    b.root([0.5], 9)
    b.threshold(0, 0, threshold, [([0.0], 4), ([1.0], 5)], 0)
    narrow = pack_narrow(b.tree()).nodes.reshape(-1).view(NARROW)["threshold"][0]
    beside = np.float32(narrow)
    for number in (
        np.float32(x),
        beside,
        np.nextafter(beside, np.float32(np.inf)),
        np.nextafter(beside, np.float32(-np.inf)),
    ):
        assert (number <= narrow) == (float(number) <= threshold)


@given(PACKABLE)
def test_a_tree_is_packed_once(tree):
    assert pack(tree) is pack(tree)
    assert pack_narrow(tree) is pack_narrow(tree)
