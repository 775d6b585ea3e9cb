"""Two trees compared node by node.   In: a Tree, another one of other rows, and rows.   Out: what the other one asks
where this one asks.

A node is matched with the other tree's node at the same place: root with root; child with child as long as the other
tree asks the same column, or a rival of it, at each node above. A rival is another column whose question sends at least
RIVAL of the node's weight the same way. Where it sends them the opposite way, its children are matched crosswise.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.tree.decide import child_place
from hedgerow.tree.tree import LEAF, NONE, THRESHOLD, Tree
from hedgerow.types import Count, Float, Index, Mask

RIVAL = 0.9
NOT_REACHED, SAME_SPLIT, SAME_COLUMN, RIVAL_COLUMN, OTHER_COLUMN, NO_QUESTION = 0, 1, 2, 3, 4, 5


@dataclass(frozen=True, eq=False)
class Matched:
    """By node of the first tree."""

    outcome: Index  # NOT_REACHED ... NO_QUESTION; 0 at leaves
    column: Index  # that the other tree asks there; -1: none, or not reached
    threshold: Float  # of the same column; NaN elsewhere


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a Tree and where they are in it."""

    cells: Float  # rows x columns, as trees read them
    weight: Float
    members: tuple[Count, ...]  # by node: its rows
    places: tuple[Count, ...]  # by node: the child each of them goes to, from 0


def rows_of(tree: Tree, cells: Float, weight: Float) -> Rows:
    used = np.flatnonzero(weight)
    members = [used] + [used[:0]] * (tree.n_nodes - 1)
    places = [used[:0]] * tree.n_nodes
    for node in np.flatnonzero(tree.kind != LEAF):
        here = members[node]
        places[node] = child_place(tree, int(node), cells, here)
        first = int(tree.first_child[node])
        for place in range(int(tree.n_children[node])):
            members[first + place] = here[places[node] == place]
    return Rows(cells, weight, tuple(members), tuple(places))


def match(tree: Tree, other: Tree, rows: Rows) -> Matched:
    outcome = np.zeros(tree.n_nodes, np.int32)
    column = np.full(tree.n_nodes, NONE, np.int32)
    threshold = np.full(tree.n_nodes, np.nan)
    partner = np.full(tree.n_nodes, NONE, np.int64)
    partner[0] = 0
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        there = int(partner[node])
        if there < 0:
            continue
        if other.kind[there] == LEAF:
            outcome[node] = NO_QUESTION
            continue
        column[node] = other.feature[there]
        outcome[node], crossed = _compare(tree, node, other, there, rows)
        if outcome[node] in (SAME_SPLIT, SAME_COLUMN) and other.kind[there] == THRESHOLD:
            threshold[node] = other.threshold[there]
        if outcome[node] != OTHER_COLUMN:
            _match_children(tree, node, other, there, partner, crossed)
    return Matched(outcome, column, threshold)


def _compare(tree: Tree, node: int, other: Tree, there: int, rows: Rows) -> tuple[int, bool]:
    """The outcome, and whether the other's yes is this one's no."""
    here = rows.members[node]
    weight = rows.weight[here]
    own = rows.places[node]
    its = child_place(other, there, rows.cells, here)
    straight = float(weight @ (own == its)) / float(weight.sum())
    two_way = tree.n_children[node] == 2 and other.n_children[there] == 2
    across = float(weight @ (own == 1 - its)) / float(weight.sum()) if two_way else 0.0
    agree, crossed = max(straight, across), across > straight
    if other.feature[there] == tree.feature[node]:
        return (SAME_SPLIT if agree == 1.0 else SAME_COLUMN), crossed
    return (RIVAL_COLUMN if agree >= RIVAL else OTHER_COLUMN), crossed


def _match_children(tree: Tree, node: int, other: Tree, there: int, partner: Count, crossed: bool) -> None:
    many = min(int(tree.n_children[node]), int(other.n_children[there]))
    places = range(many - 1, -1, -1) if crossed else range(many)
    for place, its in enumerate(places):
        partner[int(tree.first_child[node]) + place] = int(other.first_child[there]) + its


def stands(outcome: Index) -> Mask:
    """Where the other tree asks the same column or a rival."""
    return np.isin(outcome, (SAME_SPLIT, SAME_COLUMN, RIVAL_COLUMN))
