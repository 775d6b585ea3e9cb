"""PruningData: rows that a pruning is decided on.   In: rows as trees read them, their target.   Out: what of them
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
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Count, Float, FloatAny, Index, Mask

ROUNDING = 1e-12  # of the root's loss: sums in another order


@dataclass(frozen=True, eq=False)
class PruningData:
    rows: FloatAny  # rows x columns, as encode.matrix makes them
    target: Target  # and the weight of each row
    criterion: str = ""  # the loss of a regression; squared error unless it says another
    regrow: Callable[[Float], Tree] | None = None  # the same growing with other weights of the same rows
    threads: int = 1
    sets: Count | None = None  # for each row its set of exact copies, which folds keep together

    @property
    def weight(self) -> Float:
        given = self.target.weight
        return np.ones(len(self.rows)) if given is None else given

    def take(self, rows: Count) -> "PruningData":
        """The data of some of the rows."""
        target, weight = self.target, self.target.weight
        part = None if weight is None else weight[rows]
        if isinstance(target, Classes):
            kept: Target = replace(target, codes=target.codes[rows], weight=part)
        else:
            kept = replace(target, values=target.values[rows], weight=part)
        return replace(self, rows=self.rows[rows], target=kept, regrow=None, sets=None)


@dataclass(frozen=True, eq=False)
class Arrivals:
    """Where rows end: row `row[i]` comes to `leaf[i]` with `share[i]` of itself."""

    row: Count
    leaf: Count
    share: Float


def find_arrivals(tree: Tree, data: PruningData) -> Arrivals:
    if spreads(tree):
        return Arrivals(*native.multiway_ends(*pack_forked(tree), data.rows, data.threads))
    leaf = predict.leaves(tree, data.rows, data.threads).astype(np.int64)
    return Arrivals(np.arange(len(leaf)), leaf, np.ones(len(leaf)))


def tally(place: Count | Index, amount: Float, n: int) -> Float:
    """What stands at each of n places."""
    return np.asarray(np.bincount(place, amount, n), np.float64)


def count_reached(tree: Tree, data: PruningData) -> Float:
    """Nodes x classes: the weight of each class; of a regression nodes x 1: the weight."""
    return sum_arrivals(tree, data, find_arrivals(tree, data))


def sum_arrivals(tree: Tree, data: PruningData, ended: Arrivals) -> Float:
    """The same, of rows whose leaves are known."""
    part = data.weight[ended.row] * ended.share
    target = data.target
    n_classes = target.n_classes if isinstance(target, Classes) else 1
    place = ended.leaf * n_classes
    if isinstance(target, Classes):
        place = place + target.codes[ended.row]
    total = tally(place, part, tree.n_nodes * n_classes).reshape(tree.n_nodes, n_classes)
    return add_up(tree, total)


def add_up(tree: Tree, own: Float) -> Float:
    """Nodes x outputs: what stands at a node and at all nodes below it."""
    total = own.copy()
    for level in reversed(by_level(tree)[1:]):
        up = tree.parent[level]
        starts = np.flatnonzero(np.append(True, up[1:] != up[:-1]))  # siblings stand next to each other
        total[up[starts]] += np.add.reduceat(total[level], starts, axis=0)
    return total


def compute_losses(tree: Tree, data: PruningData) -> Float:
    """For each node: what the rows that reach it would lose if it were their leaf. Classes: weight guessed wrong."""
    if isinstance(data.target, Numbers):
        return compute_losses_and_squares(tree, data)[0]
    here = count_reached(tree, data)
    right: Float = here[np.arange(tree.n_nodes), tree.value.argmax(axis=1)]
    wrong: Float = here.sum(axis=1) - right
    return wrong


def compute_losses_and_squares(tree: Tree, data: PruningData) -> tuple[Float, Float]:
    """Also the sum of the squared losses, from which comes their spread."""
    if isinstance(data.target, Classes):
        wrong = compute_losses(tree, data)
        return wrong, wrong  # a loss of 0 or 1 is its own square
    ended = find_arrivals(tree, data)
    y, part, node = data.target.values[ended.row], data.weight[ended.row] * ended.share, ended.leaf
    total, squares = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    while len(node):  # from the leaves to the root, all rows one step at a time
        loss = compute_loss(data.criterion, y, tree.value[node, 0])
        total += tally(node, part * loss, tree.n_nodes)
        with np.errstate(over="ignore"):  # of numbers beyond 1e77; only their spread is then unknown
            squares += tally(node, part * loss * loss, tree.n_nodes)
        going = node > 0
        y, part, node = y[going], part[going], tree.parent[node[going]].astype(np.int64)
    return total, squares


SMOOTHING = 2.0  # rows, shared as at the root, that are added to each node: no leaf is certain


def compute_log_losses_and_squares(tree: Tree, data: PruningData) -> tuple[Float, Float]:
    """Of classes, for each node: the log loss of the rows that reach it, were it their leaf; the sum of its squares.
    Shares of a node are drawn towards those of the root as by SMOOTHING rows."""
    n_classes, counted = tree.value.shape[1], data.weight[data.weight > 0]
    row = float(counted.mean()) if len(counted) else 1.0
    root = (tree.weight[0] * tree.value[0] + row) / (tree.weight[0] + n_classes * row)
    extra = SMOOTHING * row
    shares = (tree.weight[:, None] * tree.value + extra * root) / (tree.weight[:, None] + extra)
    here, loss = count_reached(tree, data), -np.log(shares)
    return (here * loss).sum(axis=1), (here * loss * loss).sum(axis=1)


def compute_loss(criterion: str, y: Float, value: Float) -> Float:
    """Of each number, given what is predicted for it: the criterion's own loss."""
    return native.criterion_loss(criterion, np.ascontiguousarray(y), np.ascontiguousarray(value))


def class_weights(tree: Tree) -> Float:
    """Nodes x classes: the training weight of each class, as the Tree itself tells it."""
    return tree.value * tree.weight[:, None]


def cheaper_as_leaf(tree: Tree, as_leaf: Float, as_split: Float, slack: float) -> Mask:
    """Where a node as a leaf costs no more than its test and the best of what is below it. Ties prune."""
    inner, best = tree.kind != LEAF, np.where(tree.kind == LEAF, as_leaf, as_split)
    leaf = np.zeros(tree.n_nodes, bool)
    for level in reversed(by_level(tree)):
        leaf[level] = inner[level] & (as_leaf[level] <= best[level] + slack)
        best[level] = np.where(leaf[level], as_leaf[level], best[level])
        below = level[level > 0]
        np.add.at(best, tree.parent[below], best[below])
    return leaf
