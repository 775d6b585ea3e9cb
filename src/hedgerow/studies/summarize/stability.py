"""How stable the questions of the tree to read are.   In: FullTree, the training rows.   Out: TreeStability, for
the nodes of the recorded tree.

The tree is grown again on bootstrap rows, as deep as it is shown at its chosen size. Fewer replicas of larger tables.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from hedgerow.encode import matrix
from hedgerow.fitting.grower import make_grower
from hedgerow.fitting.params import validate_tree
from hedgerow.fitting.stability import count_agreement, draw_weights
from hedgerow.fitting.stability_report import Stability
from hedgerow.fitting.tree import refit_tree
from hedgerow.intake import Samples, TargetData
from hedgerow.studies.records import NodeStability, TreeStability
from hedgerow.studies.summarize.tree import FullTree, cut_to_read, make_target
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import LEAF, Tree

MOST_DEPTH = 5
REPLICAS = (20, 100)  # at least, at most
MOST_CELLS = 3_000_000  # of all replicas together


def summarize_stability(full: FullTree | None, train: Samples, goal: TargetData) -> TreeStability | None:
    if full is None or full.table is None:
        return None
    recorded = cut_to_read(full.tree, full.table)
    shown = cut(full.tree, full.table.mask(full.tree, full.table.chosen))
    if shown.n_leaves == 1 or shown.n_leaves > recorded.n_leaves:
        shown = recorded
    shown = cut(shown, (shown.depth >= MOST_DEPTH) & (shown.kind != LEAF))
    params = validate_tree(goal.task, {"max_depth": int(shown.depth.max()), **full.options})
    target = make_target(train, goal)
    grower = make_grower(train.table, target, params)
    n_rows = train.table.n_rows
    most = MOST_CELLS // (n_rows * max(1, len(train.table.columns)))
    n_replicas = int(np.clip(most, *REPLICAS))
    counts = count_agreement(
        shown,
        matrix(grower.rows.schema, train.table),
        np.ones(n_rows) if target.weight is None else target.weight,
        draw_weights(target, n_rows, n_replicas, 0),
        lambda drawn: refit_tree(grower, replace(target, weight=drawn), params),
    )
    found = Stability(shown, full.labels, counts, n_replicas)
    nodes: list[NodeStability | None] = [None] * recorded.n_nodes
    for there, node in _same_places(recorded, shown):
        if shown.kind[node] != LEAF:
            nodes[there] = _record(found, node)
    return TreeStability(n_replicas, found.sentence, tuple(nodes))


def _same_places(larger: Tree, smaller: Tree) -> Iterator[tuple[int, int]]:
    """The nodes of a tree and of what was cut from it that stand at the same place."""
    waiting = [(0, 0)]
    while waiting:
        there, node = waiting.pop()
        yield there, node
        first, second = int(larger.first_child[there]), int(smaller.first_child[node])
        waiting.extend((first + k, second + k) for k in range(int(smaller.n_children[node])))


def _record(found: Stability, node: int) -> NodeStability:
    return NodeStability(
        same_column=int(found.counts.same_column[node]),
        rival=int(found.counts.rival[node]),
        interval=found.interval(node),
        instead=tuple(found.rivals(node)),
    )
