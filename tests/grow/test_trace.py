"""The trace: what each column offered, against the twin's list of all splits."""

import numpy as np
import pytest

from hedgerow.grow import grow_traced, offers
from hedgerow.grow.trace import to_text
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import LEAF
from tree.same import assert_same
from twins.cases import random_case
from twins.grower import rows_of
from twins.loss import CLASSES, NUMBERS
from twins.split import scored


@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
@pytest.mark.parametrize("seed", range(4))
def test_each_column_offers_its_best(criterion, seed):
    limits = {"max_depth": 3, "min_rows_leaf": 2}
    case = random_case(
        seed,
        criterion,
        n=37,
        numbers=2,
        categories=1,
        missing=0.1,
        weights="uneven",
        ties=False,
        limits=limits,
    )
    tree, trace = grow_traced(case.encoded(), case.target(), criterion, case.limits)
    assert trace.gain.shape == trace.threshold.shape == (tree.n_nodes, 3)
    for node, rows in enumerate(rows_of(tree, case)):
        if tree.kind[node] == LEAF:
            continue
        found = scored(case, rows)
        for column in range(3):
            mine = [s.gain for s in found if s.column == column]
            if mine:
                assert trace.gain[node, column] == pytest.approx(max(mine), rel=1e-9, abs=1e-9)
            else:
                assert np.isnan(trace.gain[node, column])
        assert trace.threshold[node, tree.feature[node]] == pytest.approx(tree.threshold[node], nan_ok=True)


@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
@pytest.mark.parametrize("max_leaves", [0, 6])
def test_looking_does_not_change_the_tree(criterion, max_leaves):
    case = random_case(
        3, criterion, n=61, numbers=2, categories=1, missing=0.1, limits={"max_leaves": max_leaves}
    )
    tree, trace = grow_traced(case.encoded(), case.target(), criterion, case.limits)
    assert_same(tree, case.grown())
    assert len(trace.gain) == tree.n_nodes


def test_offers_come_best_first_with_the_chosen_one_at_the_top():
    case = random_case(3, "gini", n=61, numbers=3, ties=False)
    tree, trace = grow_traced(case.encoded(), case.target(), "gini", case.limits)
    for node in np.flatnonzero(tree.kind != LEAF):
        listed = offers(tree, trace, int(node))
        assert [o.decrease for o in listed] == sorted((o.decrease for o in listed), reverse=True)
        assert listed[0].decrease >= next(o for o in listed if o.chosen).decrease - 1e-9
        assert sum(o.chosen for o in listed) == 1


def test_a_leaf_offers_nothing():
    case = random_case(3, "gini", n=61, numbers=3, limits={"max_depth": 1})
    tree, trace = grow_traced(case.encoded(), case.target(), "gini", case.limits)
    assert offers(tree, trace, 1) == []


def test_as_text():
    case = random_case(3, "gini", n=61, numbers=2, categories=1, limits={"max_depth": 1})
    tree, trace = grow_traced(case.encoded(), case.target(), "gini", case.limits)
    labels = Labels(
        ("height", "weight", "town"), ((), (), tuple("abcde")), frozenset(), ("no", "yes", "maybe")
    )
    text = to_text(tree, trace, labels)
    assert text.startswith("node 0: 61 rows")
    assert text.count("->") == 1
    assert all(name in text for name in ("height", "weight", "town"))
