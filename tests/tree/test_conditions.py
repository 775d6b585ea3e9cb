import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.conditions import Choice, Condition, Span, conditions, conditions_of_leaves, level_mask
from hedgerow.tree.tree import LEAF, SUBSET, Tree

from . import naive
from .examples import Builder, titanic
from .strategies import rows_for, trees


def test_spans_of_a_column_are_merged() -> None:
    b = Builder((0, 4))
    b.root([0.0], 9)
    b.threshold(0, 0, 5.0, [([0.0], 6), ([0.0], 3)])
    b.threshold(1, 0, 2.0, [([0.0], 3), ([0.0], 3)], missing=1)
    b.subset(4, 1, {0, 1, 3}, [([0.0], 2), ([0.0], 1)])
    b.subset(5, 1, {1, 4}, [([0.0], 1), ([0.0], 1)], missing=1)
    assert conditions(b.tree(), 4) == (Span(0, 2.0, 5.0, True),)
    assert conditions(b.tree(), 3) == (Span(0, -math.inf, 2.0, False),)
    assert conditions(b.tree(), 8) == (Span(0, 2.0, 5.0, True), Choice(1, (0, 3), False, True))


def test_the_root_has_none() -> None:
    assert conditions(titanic()[0], 0) == ()


def holds(condition: Condition, cell: float, n_levels: int) -> bool:
    if math.isnan(cell):
        return condition.missing
    if isinstance(condition, Span):
        return condition.low < cell <= condition.high
    return condition.unseen if cell == n_levels else int(cell) in condition.levels


@given(trees())
def test_all_leaves_at_once(tree: Tree) -> None:
    wanted = [(node, conditions(tree, node)) for node in range(tree.n_nodes) if tree.kind[node] == LEAF]
    assert list(conditions_of_leaves(tree)) == wanted


@pytest.mark.slow
@given(trees(), st.randoms(use_true_random=False))
def test_conditions_hold_exactly_for_the_rows_that_reach_the_node(tree: Tree, random: Random) -> None:
    for row in rows_for(tree, random, n=5):
        reached = naive.visits(tree, row)
        for node in range(tree.n_nodes):
            met = conditions(tree, node)
            held = all(holds(c, row[c.feature], int(tree.n_levels[c.feature])) for c in met)
            assert held == (node in reached)


@given(trees())
def test_level_masks_of_siblings_cover_every_level_once(tree: Tree) -> None:
    for node in np.flatnonzero(tree.kind == SUBSET).tolist():
        first, second = (level_mask(tree, node, place) for place in (0, 1))
        assert (first != second).all()
        assert first.tolist() == [naive.bit(tree, node, code) for code in range(len(first))]
