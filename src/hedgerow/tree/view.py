"""Which part of a Tree is shown.   In: a Tree, a depth or a budget of nodes.   Out: Items, in drawing order.

    0 asks                Item(node=0, up=-1)
    ├─ 1 leaf             Item(node=1, up=0)
    └─ 2 asks             Item(node=2, up=0)
       └─ … 8 more nodes  Item(node=-1, up=2, hidden=8)     a stub: what is not shown

With a depth, everything down to it is shown. Without, as many levels as the budget allows, and of a node with
very many children the ones with the most rows. A leaf where rows would stop, but none did, is not worth a line.
"""

from dataclasses import dataclass
from numbers import Integral

import numpy as np

from hedgerow.tree.tree import NONE, Tree
from hedgerow.tree.walk import subtree_size
from hedgerow.types import Count


@dataclass(frozen=True)
class Item:
    node: int  # -1: a stub
    up: int  # place of the parent in the list of Items; -1 for the root
    depth: int
    place: int = 0  # which child of its parent
    last: bool = True  # nothing follows under the same parent
    hidden: int = 0  # nodes a stub stands for


def view(tree: Tree, max_depth: int | None, *, budget: int, deepest: int, widest: int) -> tuple[Item, ...]:
    """The Items to show, each after its parent, a subtree in one piece."""
    depth = _depth_shown(tree, max_depth, budget, deepest)
    most = widest if max_depth is None else tree.n_nodes
    size = subtree_size(tree)
    items: list[Item] = []
    waiting = [Item(0, NONE, 0)]
    while waiting:
        item = waiting.pop()
        here = len(items)
        items.append(item)
        if item.node != NONE and tree.n_children[item.node]:
            waiting.extend(reversed(_under(tree, size, item, here, 0 if item.depth >= depth else most)))
    return tuple(items)


def _under(tree: Tree, size: Count, item: Item, here: int, most: int) -> list[Item]:
    """The Items right under one: its children, at most so many, and a stub for the rest."""
    first, many = int(tree.first_child[item.node]), int(tree.n_children[item.node])
    if tree.stop_leaves[first + many - 1] and not tree.n_rows[first + many - 1]:
        many -= 1
    chosen = list(range(many))
    if many > most:
        rows = tree.n_rows[first : first + many]
        chosen = sorted(np.argsort(-rows, kind="stable")[:most].tolist())
    hidden = sum(int(size[first + place]) for place in range(many)) - sum(
        int(size[first + place]) for place in chosen
    )
    below = [Item(first + place, here, item.depth + 1, place, last=False) for place in chosen]
    if hidden:
        return [*below, Item(NONE, here, item.depth + 1, hidden=hidden)]
    return [*below[:-1], Item(first + many - 1, here, item.depth + 1, many - 1)]


def _depth_shown(tree: Tree, max_depth: int | None, budget: int, deepest: int) -> int:
    if max_depth is None:
        until = np.cumsum(np.bincount(tree.depth))  # nodes down to each depth
        return max(1, min(deepest, int(np.searchsorted(until, budget, side="right")) - 1))
    if not isinstance(max_depth, Integral) or isinstance(max_depth, bool) or max_depth < 0:
        raise ValueError(
            f"max_depth={max_depth!r}; wanted a whole number from 0 (the root alone), or None for as much of "
            "the tree as is readable."
        )
    return int(max_depth)
