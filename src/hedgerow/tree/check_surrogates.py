"""Are the surrogates of a Tree whole?   In: a Tree whose nodes are.   Out: nothing, or a TreeError."""

import numpy as np

from hedgerow.tree.errors import TreeError
from hedgerow.tree.tree import NONE, PER_SURROGATE, SUBSET, THRESHOLD, Tree
from hedgerow.types import Mask


def check_surrogates(tree: Tree) -> None:
    lengths = {name: len(getattr(tree, name)) for name in PER_SURROGATE}
    if len(set(lengths.values())) > 1:
        raise TreeError(f"arrays of surrogates differ in length: {lengths}")
    if not lengths["surrogate_node"]:
        _no(len(tree.surrogate_bits) > 0, "surrogate_bits", "empty where there is no surrogate")
        return
    node, feature = tree.surrogate_node, tree.surrogate_feature
    _no(((node < 0) | (node >= tree.n_nodes)).any(), "surrogate_node", "a node of the tree")
    _no((np.diff(node) < 0).any(), "surrogate_node", "in the order of the nodes")
    two_way = np.isin(tree.kind[node], (THRESHOLD, SUBSET))
    _no(not two_way.all(), "surrogate_node", "a node with a two-way test")
    _no(((feature < 0) | (feature >= tree.n_features)).any(), "surrogate_feature", "a column of the tree")
    category = tree.n_levels[feature] > 0
    _check_numbers(tree, category)
    _check_categories(tree, category)
    for name in ("surrogate_agreement", "surrogate_adjusted"):
        share = getattr(tree, name)
        _no(not ((share >= 0) & (share <= 1 + 1e-9)).all(), name, "a share from 0 to 1")


def _check_numbers(tree: Tree, category: Mask) -> None:
    finite = np.isfinite(tree.surrogate_threshold)
    _no((finite == category).any(), "surrogate_threshold", "finite for numbers, NaN for categories")
    _no((tree.surrogate_first_below > 1).any(), "surrogate_first_below", "0 or 1")


def _check_categories(tree: Tree, category: Mask) -> None:
    start = tree.surrogate_start
    _no((start[~category] != NONE).any(), "surrogate_start", "-1 for numbers")
    many = (tree.n_levels[tree.surrogate_feature[category]].astype(np.int64) + 63) // 64
    room = len(tree.surrogate_bits) - many
    outside = (start[category] < 0) | (start[category] > room)
    _no(outside.any(), "surrogate_start", "its words inside surrogate_bits")


def _no(wrong: bool | np.bool_, field: str, wanted: str) -> None:
    if wrong:
        raise TreeError(f"{field} is wrong somewhere; wanted {wanted}")
