import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.tree import NONE, Tree
from hedgerow.tree.view import view

from .examples import deep, titanic, wide
from .strategies import trees


@given(trees(), st.none() | st.integers(0, 6), st.integers(1, 20), st.integers(1, 5))
def test_shown_and_hidden_make_the_whole_tree(
    tree: Tree, max_depth: int | None, budget: int, widest: int
) -> None:
    items = view(tree, max_depth, budget=budget, deepest=4, widest=widest)
    shown = [item.node for item in items if item.node != NONE]
    assert len(set(shown)) == len(shown)
    assert len(shown) + sum(item.hidden for item in items) == tree.n_nodes
    for k, item in enumerate(items[1:], start=1):
        parent = items[item.up]
        assert item.up < k
        assert item.depth == parent.depth + 1
        assert item.node == NONE or tree.parent[item.node] == parent.node
        assert item.last == all(later.up != item.up for later in items[k + 1 :])


def test_a_depth_shows_everything_down_to_it() -> None:
    tree = titanic()[0]
    for depth, wanted in [
        (0, [0]),
        (1, [0, 1, 2]),
        (2, [0, 1, 3, 4, 2, 5, 6]),
        (9, [0, 1, 3, 7, 8, 4, 2, 5, 6]),
    ]:
        items = view(tree, depth, budget=1, deepest=1, widest=1)
        assert [item.node for item in items if item.node != NONE] == wanted


def test_without_a_depth_the_budget_decides() -> None:
    assert len(view(deep(500)[0], None, budget=10_000, deepest=7, widest=9)) == 7 * 2 + 1 + 1
    items = view(wide()[0], None, budget=40, deepest=7, widest=9)
    assert [item.hidden for item in items if item.node == NONE] == [491]


@pytest.mark.parametrize("depth", [-1, 1.5, "2", True])
def test_a_wrong_depth_is_refused(depth: object) -> None:
    with pytest.raises(ValueError, match="wanted a whole number from 0"):
        view(titanic()[0], depth, budget=1, deepest=1, widest=1)  # type: ignore[arg-type]
