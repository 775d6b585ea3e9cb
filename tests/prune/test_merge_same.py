"""Siblings that say the same."""

import numpy as np
import pytest

from hedgerow.prune import merge_same
from hedgerow.tree.check import check
from hedgerow.tree.decide import value_of
from hedgerow.tree.tree import LEAF
from prune.samples import KINDS, case_of


@pytest.mark.parametrize("kind", ["plain", "categories", "multiway"])
@pytest.mark.parametrize("seed", range(4))
def test_every_decision_stays(kind, seed):
    case = case_of(kind, seed, limits={"max_depth": 4, "multiway": kind == "multiway"})
    tree = case.grown()
    small = merge_same(tree)
    check(small)
    assert small.n_nodes <= tree.n_nodes
    assert (value_of(small, case.X).argmax(1) == value_of(tree, case.X).argmax(1)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_no_siblings_that_are_leaves_decide_alike(kind, seed):
    small = merge_same(case_of(kind, seed).grown())
    decision = small.value.argmax(1)
    for node in np.flatnonzero(small.kind != LEAF):
        below = np.arange(small.first_child[node], small.first_child[node] + small.n_children[node])
        if (small.kind[below] == LEAF).all():
            assert len(set(decision[below].tolist()) | {int(decision[node])}) > 1
    assert merge_same(small).n_nodes == small.n_nodes


def test_numbers_merge_only_when_equal():
    tree = case_of("plain", 1, "squared_error").grown()
    small = merge_same(tree)
    case = case_of("plain", 1, "squared_error")
    np.testing.assert_allclose(value_of(small, case.X), value_of(tree, case.X))
