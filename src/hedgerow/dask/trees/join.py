"""One tree of all its parts.   In: a root; some of its nodes were split here, others grown in one place.   Out: a Tree,
its nodes in the order in which the compiled growers number them."""

from typing import Any

import numpy as np

from hedgerow.dask.trees.grower import Node, Rules
from hedgerow.tree.tree import LEAF, NONE, SUBSET, THRESHOLD, Tree
from hedgerow.types import Count, Mask, Word

OF_A_NODE = ("feature", "kind", "threshold", "n_children", "value", "weight", "n_rows", "impurity")


def join_tree(rules: Rules, root: Node) -> Tree:
    """A pair of children is numbered when their parent is split, the first child's branch before the second's."""
    parts: list[
        tuple[Tree, Count, Count]
    ] = []  # a tree, the numbers of its nodes and of their first children
    stack, size = [(root, 0)], 1
    while stack:
        node, at = stack.pop()
        if node.rest is not None:
            numbers = np.append(at, np.arange(size, size + node.rest.n_nodes - 1))
            child = node.rest.first_child
            parts.append((node.rest, numbers, np.where(child == NONE, NONE, numbers[child])))
            size += node.rest.n_nodes - 1
        else:
            is_leaf = node.children is None
            parts.append((_as_tree(rules, node), np.array([at]), np.array([NONE if is_leaf else size])))
            if node.children is not None:
                stack += [(node.children[1], size + 1), (node.children[0], size)]
                size += 2
    return _write(rules, parts, size)


def _write(rules: Rules, parts: list[tuple[Tree, Count, Count]], size: int) -> Tree:
    n_values = max(1, rules.n_classes)
    arrays: dict[str, Any] = {name: np.empty(size) for name in OF_A_NODE} | {
        "value": np.empty((size, n_values))
    }
    first, missing, start = (np.full(size, NONE, np.int64) for _ in range(3))
    words, n_words = [np.empty(0, np.uint64)], 0
    for tree, numbers, child in parts:
        for name, array in arrays.items():
            array[numbers] = getattr(tree, name)
        first[numbers] = child
        missing[numbers] = np.where(child == NONE, NONE, child + tree.missing_child - tree.first_child)
        start[numbers] = np.where(tree.kind == SUBSET, tree.subset_start + n_words, NONE)
        words.append(tree.subset_bits)
        n_words += len(tree.subset_bits)
    n_levels = rules.columns.schema.n_levels
    subsets = np.flatnonzero(start != NONE)  # their words follow the order of the nodes
    length = n_levels[arrays["feature"][subsets].astype(np.int64)] // 64 + 1
    begin = np.cumsum(length) - length
    at = np.arange(length.sum()) + np.repeat(start[subsets] - begin, length)
    start[subsets] = begin
    arrays |= {"first_child": first, "missing_child": missing, "subset_start": start}
    return Tree(**arrays, subset_bits=np.concatenate(words)[at], n_levels=n_levels)


def _as_tree(rules: Rules, node: Node) -> Tree:
    """A node that was split here, or is a leaf, as the first node of a tree."""
    facts: dict[str, Any] = {
        "value": node.value[None],
        "weight": np.array([node.weight]),
        "n_rows": np.array([node.n_rows]),
        "impurity": np.array([node.impurity]),
        "n_levels": rules.columns.schema.n_levels,
    }
    if node.split is None:
        none = np.array([NONE])
        facts |= {"feature": none, "kind": np.array([LEAF]), "threshold": np.array([np.nan])}
        facts |= {"first_child": none, "missing_child": none, "n_children": none + 1, "subset_start": none}
        return Tree(**facts, subset_bits=np.empty(0, np.uint64))
    split, by_levels = node.split, len(node.split.levels) > 0
    facts |= {
        "feature": np.array([split.column]),
        "kind": np.array([SUBSET if by_levels else THRESHOLD]),
        "threshold": np.array([split.threshold]),
        "first_child": np.array([1]),
        "missing_child": np.array([1 if split.missing_first else 2]),
        "n_children": np.array([2]),
        "subset_start": np.array([0 if by_levels else NONE]),
    }
    return Tree(**facts, subset_bits=_pack_bits(split.levels))


def _pack_bits(bits: Mask) -> Word:
    padded = np.zeros((len(bits) + 63) // 64 * 64, bool)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)
