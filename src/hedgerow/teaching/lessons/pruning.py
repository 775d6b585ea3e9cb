"""Pruning a tree by hand.   In: LessonRows.   Out: what the page shows: for every node its errors, its chi-square test,
its bits and its rows of a validation set."""

from typing import Any

import numpy as np

from hedgerow.estimators import DecisionTreeClassifier
from hedgerow.grow import Classes
from hedgerow.prune import PruningData
from hedgerow.prune.data import class_weights, compute_losses
from hedgerow.prune.methods.minimum_description_length import bits_of_rows, bits_of_test
from hedgerow.prune.sequence import node_risk
from hedgerow.table.split import stratified_split
from hedgerow.teaching.lesson_rows import LessonRows, tree_nodes
from hedgerow.teaching.node_costs import measure_nodes

TITLE = "Pruning a tree by hand"
LEAD = (
    "Click a split to make it a leaf, and again to grow it back. A pruning weighs what its leaves lose against how "
    "many there are: by C_alpha, by bits for tree and rows, by a chi-square test, or by rows the tree has not seen."
)
KEYS = "Keys: Tab to a node and Enter to cut it; w cuts the weakest link, c prunes by chi-square, r grows all back."
EXAMPLE = "titanic_891"
SIGNIFICANCE = 0.05
UNSEEN = 0.3  # share of the rows the tree does not see
MOST_LEAVES = 10
FEWEST = 30  # rows; of fewer none are held out


def prepare(rows: LessonRows) -> dict[str, Any]:
    unseen = np.zeros(rows.table.n_rows, bool)
    if rows.table.n_rows >= FEWEST:
        unseen = stratified_split(rows.codes.astype(np.int64), UNSEEN, 0)
    seen, held = np.flatnonzero(~unseen), np.flatnonzero(unseen)
    model = DecisionTreeClassifier(max_leaf_nodes=MOST_LEAVES).fit(rows.table.take(seen), rows.labels[seen])
    tree = model.hedgerow_tree_
    costs = measure_nodes(model, significance=SIGNIFICANCE)
    cells, _ = model._rows(rows.table.take(held)) if len(held) else (np.empty((0, tree.n_features)), 1)
    codes = np.searchsorted(model.classes_, rows.labels[held]).astype(np.int32)
    losses = compute_losses(tree, PruningData(np.asarray(cells), Classes(codes, len(rows.classes))))
    error = node_risk(tree, "misclassification")
    leaf_bits, split_bits = 1 + bits_of_rows(class_weights(tree)), 1 + bits_of_test(tree)
    nodes = tree_nodes(tree, model.labels_)
    at = {int(node): k for k, node in enumerate(costs.node)}
    for k, node in enumerate(nodes):
        node |= {
            "rows": float(tree.weight[k]),
            "error": float(error[k]),
            "unseen_error": float(losses[k]),
            "bits_leaf": float(leaf_bits[k]),
            "bits_split": float(split_bits[k]),
        }
        if k in at:
            node |= {
                "chi_square": float(costs.chi_square[at[k]]),
                "critical": float(costs.critical_value[at[k]]),
                "freedom": int(costs.degrees_of_freedom[at[k]]),
                "p": float(costs.p_value[at[k]]),
            }
    largest = float(np.max(costs.alpha, initial=1.0))
    return {
        "nodes": nodes,
        "classes": list(rows.classes),
        "n_rows": len(seen),
        "n_unseen": len(held),
        "significance": SIGNIFICANCE,
        "largest_alpha": largest,
    }
