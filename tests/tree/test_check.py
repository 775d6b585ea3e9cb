"""check accepts every valid tree, refuses every single damage, and never crashes or loops on noise."""

import time
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.check import TreeError, check
from hedgerow.tree.tree import Tree

from .examples import EXAMPLES, Builder, houses, restaurant, titanic
from .same import changed
from .strategies import trees


@pytest.mark.parametrize("example", EXAMPLES)
def test_accepts_the_examples(example: Any) -> None:
    check(example()[0])


@given(trees())
def test_accepts_valid_trees(tree: Tree) -> None:
    check(tree)


# titanic: 0 subset(sex) -> 1, 2;  1 threshold(age) -> 3, 4;  2 subset(pclass) -> 5, 6;
#          3 threshold(sibsp) -> 7, 8
DAMAGE = [
    ("kind", 1, 4, "wanted 0 leaf"),
    ("kind", 1, 0, "feature is 1; wanted -1 at a leaf"),
    ("kind", 5, 1, "wanted a column from 0 to 3"),
    ("kind", 1, 2, "threshold is 9.5; wanted NaN|wanted a column with levels|subset"),
    ("kind", 0, 1, "wanted a column of numbers"),
    ("feature", 5, 0, "wanted -1 at a leaf"),
    ("feature", 1, -1, "wanted a column from 0 to 3"),
    ("feature", 1, 4, "wanted a column from 0 to 3"),
    ("feature", 1, 0, "wanted a column of numbers"),
    ("feature", 0, 1, "wanted a column with levels"),
    ("n_children", 5, 2, "wanted 0 at a leaf"),
    ("n_children", 1, 0, "wanted at least 1"),
    ("n_children", 1, -3, "wanted at least 1"),
    ("n_children", 1, 2**31 - 1, "end before node 9"),
    ("n_children", 3, 1, "has no parent"),
    ("n_children", 0, 1, "has no parent"),
    ("n_children", 1, 3, "has two parents"),
    ("first_child", 5, 3, "wanted -1 at a leaf"),
    ("first_child", 1, 1, "after its parent"),
    ("first_child", 1, 0, "after its parent"),
    ("first_child", 1, -1, "after its parent"),
    ("first_child", 1, 5, "exactly one"),
    ("first_child", 3, 2**31 - 1, "end before node 9"),
    ("first_child", 0, 2, "exactly one"),
    ("missing_child", 5, 6, "wanted -1 at a leaf"),
    ("missing_child", 1, 5, "own children"),
    ("missing_child", 1, 1, "own children"),
    ("missing_child", 1, -2, "own children"),
    ("missing_child", 1, 2**31 - 1, "own children"),
    ("threshold", 1, np.nan, "wanted a finite number"),
    ("threshold", 1, -np.inf, "wanted a finite number"),
    ("threshold", 5, 0.0, "wanted NaN"),
    ("threshold", 0, np.inf, "wanted NaN"),
    ("subset_start", 5, 0, "wanted -1"),
    ("subset_start", 0, -1, "inside the 2"),
    ("subset_start", 0, 2, "inside the 2"),
    ("subset_start", 0, 2**63 - 1, "inside the 2"),
    ("subset_start", 0, -(2**63), "inside the 2"),
    ("subset_start", 0, 1, "words of its own"),
    ("subset_bits", 0, 0b1010, "bit beyond level 2"),
    ("subset_bits", 1, 1 << 63, "bit beyond level 3"),
    ("value", (4, 1), np.nan, "finite numbers"),
    ("value", (4, 0), -np.inf, "finite numbers"),
    ("weight", 4, -1.0, "at least 0"),
    ("weight", 4, np.inf, "at least 0"),
    ("weight", 4, 540.0, "sum of its children"),
    ("weight", 0, 0.0, "sum of its children"),
    ("n_rows", 4, -1, "wanted a count"),
    ("n_rows", 4, 2**63 - 1, "wanted a count"),
    ("n_rows", 4, 540, "sum of its children"),
    ("n_rows", 4, 578, "at least as many"),
    ("impurity", 4, np.nan, "at least 0"),
    ("impurity", 4, -0.1, "at least 0"),
    ("n_levels", 0, -1, "column 0: n_levels is -1"),
    ("n_levels", 0, 0, "wanted a column with levels"),
    ("n_levels", 1, 5, "wanted a column of numbers"),
    ("n_levels", 0, 2**31 - 1, "inside the 2"),
]


@pytest.mark.parametrize(("field", "where", "value", "message"), DAMAGE)
def test_refuses_each_single_damage(field: str, where: Any, value: Any, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        check(changed(titanic()[0], field, where, value))


@pytest.mark.parametrize(
    ("field", "where", "value", "message"),
    [
        ("n_levels", 0, 4, "one child per level"),
        ("n_levels", 0, 0, "a column with levels at a multiway"),
        ("feature", 0, 2, "one child per level"),
        ("n_rows", 3, 13, "at least as many"),
        ("weight", 3, 5.0, "sum of its children"),
    ],
)
def test_refuses_damage_to_multiway_and_spread(field: str, where: int, value: Any, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        check(changed(restaurant()[0], field, where, value))


def test_rows_need_not_add_up_where_missing_cells_go_to_all_children() -> None:
    check(changed(restaurant()[0], "n_rows", 1, 5))
    with pytest.raises(TreeError, match="sum of its children"):
        check(changed(changed(restaurant()[0], "n_rows", 1, 5), "missing_child", 0, 1))


@pytest.mark.parametrize("field", [field.name for field in fields(Tree)])
def test_refuses_wrong_lengths_and_shapes(field: str) -> None:
    tree = titanic()[0]
    array = getattr(tree, field)
    other = np.ones(1, array.dtype) if field.startswith("surrogate_") else array[:-1]  # it has no surrogates
    with pytest.raises(TreeError):
        check(replace(tree, **{field: other}))
    with pytest.raises(TreeError, match=f"{field} is an array of .* dimension"):
        check(replace(tree, **{field: array[None]}))


def test_refuses_arrays_of_another_type_and_no_arrays() -> None:
    tree = titanic()[0]
    object.__setattr__(tree, "kind", tree.kind.astype(np.int64))
    with pytest.raises(TreeError, match=r"kind is an array of int64 .*wanted an array of uint8"):
        check(tree)
    object.__setattr__(tree, "kind", None)
    with pytest.raises(TreeError, match="kind is a NoneType"):
        check(tree)


def test_refuses_no_nodes_and_no_outputs() -> None:
    tree = titanic()[0]
    empty = {
        f.name: getattr(tree, f.name)[:0] for f in fields(Tree) if f.name not in ("n_levels", "subset_bits")
    }
    with pytest.raises(TreeError, match="no node"):
        check(replace(tree, **empty))
    with pytest.raises(TreeError, match="one per output"):
        check(replace(tree, value=tree.value[:, :0]))


def test_refuses_a_test_where_there_are_no_columns() -> None:
    with pytest.raises(TreeError, match="feature"):
        check(replace(houses()[0], n_levels=np.zeros(0, np.int32)))


@given(trees(), st.data())
def test_noise_is_refused_or_harmless(tree: Tree, data: st.DataObject) -> None:
    """One to three entries become anything at all: either a TreeError, or a tree that is still one."""
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from([f.name for f in fields(Tree) if len(getattr(tree, f.name))]))
        array = getattr(tree, name)
        raw = np.frombuffer(data.draw(st.binary(min_size=8, max_size=8)), np.uint8)[: array.itemsize]
        where = data.draw(st.integers(0, array.size - 1))
        wanted = data.draw(
            st.sampled_from([raw.tobytes(), array.dtype.type(0).tobytes(), array.flat[0].tobytes()])
        )
        copy = array.copy()
        copy.flat[where] = np.frombuffer(wanted, array.dtype)[0]
        tree = replace(tree, **{name: copy})
    try:
        check(tree)
    except TreeError:
        return
    assert tree.depth.max() < tree.n_nodes
    assert (tree.parent[1:] >= 0).all()


def chain(n_splits: int) -> Tree:
    n = 2 * n_splits + 1
    node = np.arange(n)
    inner = (node % 2 == 0) & (node < n - 1)
    return Tree(
        feature=np.where(inner, 0, -1),
        kind=inner,
        threshold=np.where(inner, 0.5, np.nan),
        subset_start=np.full(n, -1),
        first_child=np.where(inner, node + 1, -1),
        n_children=2 * inner,
        missing_child=np.where(inner, node + 1, -1),
        value=np.ones((n, 1)),
        weight=np.where(inner | (node == n - 1), 1.0, 0.0),
        n_rows=np.where(inner | (node == n - 1), 1, 0),
        impurity=np.zeros(n),
        subset_bits=np.zeros(0),
        n_levels=np.zeros(1),
    )


def test_a_large_tree_takes_well_under_a_second() -> None:
    tree = chain(150_000)
    start = time.perf_counter()
    check(tree)
    assert time.perf_counter() - start < 0.5


def test_cutting_off_subsets_by_a_builder_with_many_words_is_valid() -> None:
    b = Builder((200,))
    b.root([1.0], 3)
    b.subset(0, 0, {0, 63, 64, 127, 199, 200}, [([1.0], 1), ([0.0], 2)])
    check(b.tree())
