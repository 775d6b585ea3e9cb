"""Evidence: rows that a pruning is decided on.   In: rows as trees read them, their target.   Out: what of them
reached every node, and what they would lose there.

            0     reached [[5, 4],        losses [4,      the rows of a node are those of its children:
          /   \\            [4, 1],                1,      leaves are counted, the rest is added up from below
         1     2           [1, 3]]                1]

A row whose missing cell is spread over several children (missing_child -1) counts in each by its share.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from hedgerow.core import native
from hedgerow.grow.target import Classes, Numbers, Target
from hedgerow.tree import predict
from hedgerow.tree.pack import pack_forked, spreads
from hedgerow.tree.tree import Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Count, Float, FloatAny, Index


@dataclass(frozen=True, eq=False)
class Evidence:
    rows: FloatAny  # rows x columns, as encode.matrix makes them
    target: Target  # and the weight of each row
    criterion: str = ""  # the loss of a regression; squared error unless it says another
    regrow: Callable[[Float], Tree] | None = None  # the same growing with other weights of the same rows
    threads: int = 1

    @property
    def weight(self) -> Float:
        given = self.target.weight
        return np.ones(len(self.rows)) if given is None else given

    def take(self, rows: Count) -> "Evidence":
        """The evidence of some of the rows."""
        target, weight = self.target, self.target.weight
        part = None if weight is None else weight[rows]
        if isinstance(target, Classes):
            kept: Target = replace(target, codes=target.codes[rows], weight=part)
        else:
            kept = replace(target, values=target.values[rows], weight=part)
        return replace(self, rows=self.rows[rows], target=kept, regrow=None)


@dataclass(frozen=True, eq=False)
class Arrivals:
    """Where rows end: row `row[i]` comes to `leaf[i]` with `share[i]` of itself."""

    row: Count
    leaf: Count
    share: Float


def arrivals(tree: Tree, evidence: Evidence) -> Arrivals:
    if spreads(tree):
        return Arrivals(*native.forked_ends(*pack_forked(tree), evidence.rows, evidence.threads))
    leaf = predict.leaves(tree, evidence.rows, evidence.threads).astype(np.int64)
    return Arrivals(np.arange(len(leaf)), leaf, np.ones(len(leaf)))


def tally(place: Count | Index, amount: Float, n: int) -> Float:
    """What stands at each of n places."""
    return np.asarray(np.bincount(place, amount, n), np.float64)


def reached(tree: Tree, evidence: Evidence) -> Float:
    """Nodes x classes: the weight of each class; of a regression nodes x 1: the weight."""
    return summed(tree, evidence, arrivals(tree, evidence))


def summed(tree: Tree, evidence: Evidence, ended: Arrivals) -> Float:
    """The same, of rows whose leaves are known."""
    part = evidence.weight[ended.row] * ended.share
    target = evidence.target
    n_classes = target.n_classes if isinstance(target, Classes) else 1
    place = ended.leaf * n_classes
    if isinstance(target, Classes):
        place = place + target.codes[ended.row]
    total = tally(place, part, tree.n_nodes * n_classes).reshape(tree.n_nodes, n_classes)
    return added_up(tree, total)


def added_up(tree: Tree, own: Float) -> Float:
    """Nodes x outputs: what stands at a node and at all nodes below it."""
    total = own.copy()
    for level in reversed(by_level(tree)[1:]):
        up = tree.parent[level]
        starts = np.flatnonzero(np.append(True, up[1:] != up[:-1]))  # siblings stand next to each other
        total[up[starts]] += np.add.reduceat(total[level], starts, axis=0)
    return total


def losses(tree: Tree, evidence: Evidence) -> Float:
    """For each node: what the rows that reach it would lose if it were their leaf. Classes: weight guessed wrong."""
    if isinstance(evidence.target, Numbers):
        return losses_and_squares(tree, evidence)[0]
    here = reached(tree, evidence)
    right: Float = here[np.arange(tree.n_nodes), tree.value.argmax(axis=1)]
    wrong: Float = here.sum(axis=1) - right
    return wrong


def losses_and_squares(tree: Tree, evidence: Evidence) -> tuple[Float, Float]:
    """Also the sum of the squared losses, from which comes their spread."""
    if isinstance(evidence.target, Classes):
        wrong = losses(tree, evidence)
        return wrong, wrong  # a loss of 0 or 1 is its own square
    ended = arrivals(tree, evidence)
    y, part, node = evidence.target.values[ended.row], evidence.weight[ended.row] * ended.share, ended.leaf
    total, squares = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    while len(node):  # from the leaves to the root, all rows one step at a time
        loss = loss_of(evidence.criterion, y, tree.value[node, 0])
        total += tally(node, part * loss, tree.n_nodes)
        with np.errstate(over="ignore"):  # of numbers beyond 1e77; only their spread is then unknown
            squares += tally(node, part * loss * loss, tree.n_nodes)
        going = node > 0
        y, part, node = y[going], part[going], tree.parent[node[going]].astype(np.int64)
    return total, squares


def loss_of(criterion: str, y: Float, value: Float) -> Float:
    """Of each number, given what is predicted for it: the criterion's own loss."""
    if criterion == "absolute_error":
        return np.abs(y - value)
    if criterion == "poisson":
        least = np.finfo(np.float64).tiny
        return np.maximum(0.0, y * np.log(np.maximum(y, least) / np.maximum(value, least)) - y + value)
    return np.square(y - value)


def class_weights(tree: Tree) -> Float:
    """Nodes x classes: the training weight of each class, as the Tree itself tells it."""
    return tree.value * tree.weight[:, None]
