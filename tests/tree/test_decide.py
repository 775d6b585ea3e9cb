from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.decide import leaf_of, path_of, value_of
from hedgerow.tree.tree import LEAF, Tree

from . import naive
from .examples import houses, restaurant, single_leaf, titanic
from .strategies import rows_for, trees

NAN = np.nan


@given(trees(), st.randoms(use_true_random=False))
def test_values_and_paths_agree_with_one_row_at_a_time(tree: Tree, random: Random) -> None:
    X = rows_for(tree, random)
    got, (indptr, indices) = value_of(tree, X), path_of(tree, X)
    for i, row in enumerate(X):
        np.testing.assert_allclose(got[i], naive.value(tree, row), atol=1e-9)
        assert indices[indptr[i] : indptr[i + 1]].tolist() == sorted(naive.visits(tree, row))


@given(trees(spread=False), st.randoms(use_true_random=False))
def test_one_leaf_each_where_nothing_spreads(tree: Tree, random: Random) -> None:
    X = rows_for(tree, random)
    leaf = leaf_of(tree, X)
    assert leaf.dtype == np.int32
    assert (tree.kind[leaf] == LEAF).all()
    assert leaf.tolist() == [max(naive.visits(tree, row)) for row in X]
    np.testing.assert_array_equal(value_of(tree, X), tree.value[leaf])  # to the bit


@given(trees(), st.randoms(use_true_random=False))
def test_the_shares_of_a_row_sum_to_one(tree: Tree, random: Random) -> None:
    if tree.n_outputs > 1:  # class shares
        np.testing.assert_allclose(value_of(tree, rows_for(tree, random)).sum(axis=1), 1)


def test_titanic_by_hand() -> None:
    # sex female 0, male 1; age; pclass; sibsp
    X = [
        [1, 5, 2, 0],
        [1, 5, 2, 4],
        [1, NAN, 0, 0],
        [0, 30, 1, 0],
        [0, 30, 2, 0],
        [2, 30, 0, 0],
        [0, 1, 3, 0],
    ]
    assert leaf_of(titanic()[0], X).tolist() == [7, 8, 4, 5, 6, 5, 5]


def test_known_against_missing() -> None:
    X = [[1, np.inf, 0, 0], [1, -np.inf, 0, 0], [1, NAN, 0, 0]]
    assert leaf_of(houses()[0], X).tolist() == [7, 7, 8]


def test_a_level_never_seen_at_a_multiway_node_is_as_good_as_missing() -> None:
    tree = restaurant()[0]
    unseen, missing = value_of(tree, [[3, 1, 3, 1], [NAN, 1, 3, 1]])
    np.testing.assert_array_equal(unseen, missing)
    np.testing.assert_allclose(missing, [2 / 12, 4 / 12 + 6 / 12])


def test_no_single_leaf_is_said() -> None:
    with pytest.raises(ValueError, match=r"row 1 has no single leaf: its cell in column 0 .* Use value_of"):
        leaf_of(restaurant()[0], [[0, 1, 1, 1], [NAN, 1, 1, 1]])


@pytest.mark.parametrize("cell", [-1, 0.5, 3, np.inf])
def test_a_cell_that_is_no_level_is_refused(cell: float) -> None:
    with pytest.raises(ValueError, match=r"row 1, column 0 holds .* from 0 to 1, 2 for a level never seen"):
        value_of(titanic()[0], [[0, 1, 1, 1], [cell, 1, 1, 1]])


def test_shapes() -> None:
    tree = titanic()[0]
    assert value_of(tree, np.zeros((0, 4))).shape == (0, 2)
    assert leaf_of(tree, np.zeros((0, 4))).shape == (0,)
    assert [part.tolist() for part in path_of(tree, np.zeros((0, 4)))] == [[0], []]
    assert leaf_of(single_leaf()[0], [[NAN]]).tolist() == [0]
    with pytest.raises(ValueError, match=r"shape \(4,\); wanted rows x 4"):
        leaf_of(tree, np.zeros(4))
    with pytest.raises(ValueError, match=r"shape \(2, 3\); wanted rows x 4"):
        leaf_of(tree, np.zeros((2, 3)))
