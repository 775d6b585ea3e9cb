"""A forest as few bytes.   In: Trees.   Out: 16 bytes a node and a table of the leaves; and back.

    node   threshold (8 bytes), first child (4), column and kind (4)
           a subset of up to 63 levels has its bits there, a larger one the place of its words, a multiway node the
           child for missing cells
    leaf   value, weight, number of rows, impurity

What an inner node carries follows from its children: weight and rows are their sums, the value is their mean, the
impurity theirs and their spread. Where it does not (medians, fractional rows) it is kept as well.

On the way back all trees are checked and filled at once, as one tree whose root has a child for each of them: tree by
tree, reading a forest of 200 small trees took ten times as long.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core import native
from hedgerow.core.criteria import CRITERIA
from hedgerow.tree.check import TreeError, check, check_structure
from hedgerow.tree.check_surrogates import check_surrogates
from hedgerow.tree.check_tests import words_needed
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, PER_NODE, PER_SURROGATE, SUBSET, THRESHOLD, Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Byte, Count, Float, Index, Mask, UIndex, Word

NODE = np.dtype([("threshold", "<f8"), ("child", "<i4"), ("word", "<u4")])
KIND_AT, SPREADS, MISSING_SECOND = np.uint32(30), np.uint32(1 << 29), np.uint32(1 << 28)
STOPS = SPREADS | MISSING_SECOND  # both: missing cells stop, in a third child
COLUMN = np.uint32((1 << 28) - 1)
CARRIED = ("weight", "n_rows", "value", "impurity")


@dataclass(frozen=True, eq=False)
class Compact:
    nodes: Byte  # nodes x 16
    starts: Count  # the root of each tree, and the end
    words: Word  # of large subsets
    word_starts: Count  # the first word of each tree, and the end
    n_levels: Index
    leaf_value: Float
    leaf_weight: Float
    leaf_rows: Count
    leaf_impurity: Float
    inner_value: Float  # of all inner nodes, or of none
    inner_weight: Float
    inner_rows: Count
    inner_impurity: Float
    stand_starts: Count  # the first surrogate of each tree, and the end; likewise of their words
    stand_word_starts: Count
    stand_node: Index
    stand_feature: Index
    stand_threshold: Float
    stand_first_below: Byte
    stand_start: Count
    stand_bits: Word
    stand_agreement: Float
    stand_adjusted: Float


STANDS = {name.replace("surrogate", "stand", 1): name for name in PER_SURROGATE}


def compact_forest(trees: Sequence[Tree], criterion: str) -> Compact:
    trees = tuple(trees)
    leaf = [tree.kind == LEAF for tree in trees]
    follow = [_follows(tree, rebuilt(tree, criterion)) for tree in trees]

    def carried(name: str, inner: bool) -> NDArray[Any]:
        if inner and all(name in one for one in follow):
            return np.empty((0, trees[0].n_outputs) if name == "value" else 0, getattr(trees[0], name).dtype)
        return np.concatenate(
            [getattr(tree, name)[~at if inner else at] for tree, at in zip(trees, leaf, strict=True)]
        )

    return Compact(
        nodes=np.concatenate([_nodes(tree) for tree in trees]).view(np.uint8).reshape(-1, NODE.itemsize),
        starts=_starts(tree.n_nodes for tree in trees),
        words=np.concatenate([_large(tree) for tree in trees]),
        word_starts=_starts(len(_large(tree)) for tree in trees),
        n_levels=trees[0].n_levels,
        **{f"leaf_{_short(name)}": carried(name, False) for name in CARRIED},
        **{f"inner_{_short(name)}": carried(name, True) for name in CARRIED},
        stand_starts=_starts(len(tree.surrogate_node) for tree in trees),
        stand_word_starts=_starts(len(tree.surrogate_bits) for tree in trees),
        stand_bits=np.concatenate([tree.surrogate_bits for tree in trees]),
        **{name: np.concatenate([getattr(tree, field) for tree in trees]) for name, field in STANDS.items()},
    )


def expand_forest(arrays: Mapping[str, NDArray[Any]], criterion: str) -> tuple[Tree, ...]:
    """The Trees, checked; TreeError for arrays that no forest has."""
    given = Compact(**{field.name: arrays[field.name] for field in fields(Compact)})
    nodes, leaf = _sizes(given)
    parts = _skeletons(given, nodes, leaf)
    joined, place = _join(given, parts)
    check_structure(joined)
    joined = _kept(given, rebuilt(joined, criterion), leaf, place)
    check(joined)
    parts |= {name: getattr(joined, name)[place] for name in CARRIED}
    trees = tuple(_cut_out(given, parts, t) for t in range(len(given.starts) - 1))
    for one in trees:
        check_surrogates(one)
    return trees


def rebuilt(tree: Tree, criterion: str) -> Tree:
    """The tree with what its inner nodes carry computed from its leaves."""
    if criterion not in CRITERIA:
        raise TreeError(f"was grown by criterion {criterion!r}, which this build does not have")
    weight, rows = tree.weight.copy(), tree.n_rows.copy()
    value, impurity = tree.value.copy(), np.where(tree.kind == LEAF, tree.impurity, 0.0)
    for level in reversed(by_level(tree)[1:]):
        nodes, up = np.unique(tree.parent[level], return_inverse=True)
        whole = np.bincount(up, weight[level])
        part = np.where(whole[up] > 0, weight[level], 1.0)
        total = np.maximum(np.bincount(up, part), 1e-300)
        weight[nodes] = whole
        rows[nodes] = np.bincount(up, rows[level]).astype(np.int64)
        for k in range(tree.n_outputs):
            value[nodes, k] = np.bincount(up, part * value[level, k]) / total
        if CRITERIA[criterion].squared_units:
            away = impurity[level] + (value[level, 0] - value[nodes[up], 0]) ** 2
            impurity[nodes] = np.bincount(up, part * away) / total
    inner = tree.kind != LEAF
    if CRITERIA[criterion].of_classes:
        impurity[inner] = native.criterion_impurity(criterion, value[inner])
    return replace(tree, weight=weight, n_rows=rows, value=value, impurity=impurity)


def _follows(tree: Tree, again: Tree) -> set[str]:
    """What need not be kept: sums to the last bit, means and impurities as near as rounding allows."""
    same = {
        name for name in ("weight", "n_rows") if np.array_equal(getattr(tree, name), getattr(again, name))
    }
    scale = max(float(np.abs(tree.value).max()), 1e-300)
    if np.abs(tree.value - again.value).max() <= 1e-12 * scale:
        same.add("value")
    most = max(float(np.abs(tree.impurity).max()), 1e-300)
    if np.abs(tree.impurity - again.impurity).max() <= 1e-9 * most:
        same.add("impurity")
    return same


def _nodes(tree: Tree) -> NDArray[Any]:
    out = np.zeros(tree.n_nodes, NODE)
    leaf, multiway = tree.kind == LEAF, tree.kind == MULTIWAY
    place = np.where(leaf | (tree.missing_child == NONE), 0, tree.missing_child - tree.first_child)
    out["threshold"] = np.select([tree.kind == THRESHOLD, multiway], [tree.threshold, place], 0.0)
    nodes, many = _subsets(tree.kind, tree.feature, tree.n_levels)
    small, bits = many == 1, out["threshold"].view(np.uint64)
    bits[nodes[small]] = tree.subset_bits[tree.subset_start[nodes[small]]]
    out["threshold"][nodes[~small]] = np.cumsum(many[~small]) - many[~small]
    out["child"] = np.where(leaf, 0, tree.first_child)
    spread = ~leaf & (tree.missing_child == NONE)
    out["word"] = (
        tree.kind.astype(np.uint32) << KIND_AT
        | np.where(spread, SPREADS, np.uint32(0))
        | np.where(~multiway & (place == 1), MISSING_SECOND, np.uint32(0))
        | np.where(~multiway & (place == 2), STOPS, np.uint32(0))
        | np.where(leaf, 0, tree.feature).astype(np.uint32)
    )
    return out


def _subsets(kind: Byte, feature: Any, n_levels: Index) -> tuple[Count, Count]:
    """The nodes that are subsets, and how many words each has."""
    nodes = np.flatnonzero(kind == SUBSET)
    return nodes, words_needed(n_levels[feature[nodes]]).astype(np.int64)


def _large(tree: Tree) -> Word:
    """The words of the subsets that have more than one, node by node."""
    nodes, many = _subsets(tree.kind, tree.feature, tree.n_levels)
    nodes, many = nodes[many > 1], many[many > 1]
    ramp = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    return np.asarray(tree.subset_bits[np.repeat(tree.subset_start[nodes], many) + ramp])


def _bits(given: Compact, kind: Byte, feature: UIndex, threshold: Float) -> tuple[Count, Word, Count]:
    """Where each subset's words start, all words node by node, and where those of each tree start: from the nodes and
    from those of large subsets."""
    nodes, many = _subsets(kind, feature, given.n_levels)
    tree = np.searchsorted(given.starts, nodes, side="right") - 1
    n_trees, small = len(given.starts) - 1, many == 1
    large = many[~small]
    in_tree = _starts(np.bincount(tree[~small], large, minlength=n_trees))
    place = threshold[nodes[~small]] + given.word_starts[tree[~small]]
    if not np.array_equal(in_tree, given.word_starts) or np.any(place != np.cumsum(large) - large):
        raise TreeError(f"the {len(given.words)} words of large subsets do not follow each other")
    start, is_small = np.full(len(kind), NONE, np.int64), np.repeat(small, many)
    start[nodes] = np.cumsum(many) - many
    bits = np.empty(int(many.sum()), np.uint64)
    bits[is_small] = np.ascontiguousarray(threshold[nodes[small]]).view(np.uint64)
    bits[~is_small] = given.words
    return start, bits, _starts(np.bincount(tree, many, minlength=n_trees))


def _short(name: str) -> str:
    return name.removeprefix("n_")


def _starts(sizes: Any) -> Count:
    return np.concatenate([[0], np.cumsum(list(sizes))]).astype(np.int64)


def _sizes(given: Compact) -> tuple[NDArray[Any], Mask]:
    """Nodes, and which are leaves, once all lengths agree."""
    if given.nodes.ndim != 2 or given.nodes.shape[1] != NODE.itemsize:
        raise TreeError(f"a node has {given.nodes.shape[-1]} bytes; wanted {NODE.itemsize}")
    nodes = np.ascontiguousarray(given.nodes).view(NODE).reshape(-1)
    leaves = nodes["word"] >> KIND_AT == LEAF
    many, inner = int(leaves.sum()), int((~leaves).sum())
    ends = {"starts": len(nodes), "word_starts": len(given.words), "stand_starts": len(given.stand_node)}
    for name, end in (ends | {"stand_word_starts": len(given.stand_bits)}).items():
        starts = getattr(given, name)
        least = 1 if name == "starts" else 0
        if len(starts) != len(given.starts) or len(starts) < 2 or starts[0] != 0 or starts[-1] != end:
            raise TreeError(f"{name} does not lead from 0 to {end} in {len(given.starts)} steps")
        if np.any(starts[1:] < starts[:-1]) or np.any(starts[1:] - starts[:-1] < least):
            raise TreeError(f"{name} does not rise")
    for name in map(_short, CARRIED):
        if len(getattr(given, f"leaf_{name}")) != many:
            raise TreeError(f"leaf_{name} has another length than there are leaves ({many})")
        if len(getattr(given, f"inner_{name}")) not in (0, inner):
            raise TreeError(f"inner_{name} has another length than there are inner nodes ({inner})")
    if given.leaf_value.shape[1] != given.inner_value.shape[1]:
        raise TreeError("leaf_value and inner_value have different numbers of outputs")
    if any(len(getattr(given, name)) != len(given.stand_node) for name in STANDS):
        raise TreeError("arrays of surrogates differ in length")
    return nodes, leaves


def _skeletons(given: Compact, nodes: NDArray[Any], leaf: Mask) -> dict[str, NDArray[Any]]:
    """The arrays of all trees, one tree after the other; what inner nodes carry is still zero."""
    word, first = nodes["word"], nodes["child"].astype(np.int64)
    kind = (word >> KIND_AT).astype(np.uint8)
    feature: UIndex = word & COLUMN
    if np.any(feature >= max(1, len(given.n_levels))):
        raise TreeError(f"a node tests column {int(feature.max())} of {len(given.n_levels)}")
    whole = np.where(kind == MULTIWAY, nodes["threshold"], 0.0)
    if np.any(~((whole >= 0) & (whole < 2**53) & (whole == np.floor(whole)))):
        raise TreeError("a multiway node leads to no place")
    stops = (kind != MULTIWAY) & ((word & STOPS) == STOPS)
    children = np.select([leaf, kind == MULTIWAY, stops], [0, given.n_levels[feature], 3], 2)
    place = np.select([kind == MULTIWAY, stops], [whole, 2], (word & MISSING_SECOND) > 0)
    missing = np.where(leaf | (((word & SPREADS) > 0) & ~stops), NONE, first + place)
    sizes = np.diff(given.starts)
    size = np.repeat(sizes, sizes)
    if np.any(~leaf & ((first < 1) | (first + children > size) | (missing >= size))):
        raise TreeError("a node leads beyond its tree")
    parts = {
        "feature": np.where(leaf, NONE, feature.astype(np.int64)),
        "kind": kind,
        "threshold": np.where(kind == THRESHOLD, nodes["threshold"], np.nan),
        "first_child": np.where(leaf, NONE, first),
        "n_children": children,
        "missing_child": missing.astype(np.int64),
    }
    parts["subset_start"], parts["subset_bits"], parts["bit_starts"] = _bits(
        given, kind, feature, nodes["threshold"]
    )
    for name in CARRIED:
        own = getattr(given, f"leaf_{_short(name)}")
        parts[name] = np.zeros((len(nodes), *own.shape[1:]), own.dtype)
        parts[name][leaf] = own
    return parts


def _join(given: Compact, parts: Mapping[str, NDArray[Any]]) -> tuple[Tree, Count]:
    """One tree whose root has the roots of all trees as children, and the place in it of each of their nodes.

    node 0   nodes 1 to trees   then
    root     the roots          the other nodes, tree by tree
    """
    n_trees, n_nodes = len(given.starts) - 1, int(given.starts[-1])
    tree = np.repeat(np.arange(n_trees), np.diff(given.starts))
    ahead = n_trees - tree  # by how much a node that is no root moves
    place = np.arange(n_nodes) + ahead
    place[given.starts[:-1]] = np.arange(1, n_trees + 1)
    shift = given.starts[tree] + ahead
    root: dict[str, float] = {"feature": len(given.n_levels), "kind": MULTIWAY, "n_children": n_trees}
    root |= {"first_child": 1, "missing_child": 1, "threshold": np.nan, "subset_start": NONE}
    arrays = {}
    for name in PER_NODE:
        own = parts[name]
        if name in ("first_child", "missing_child"):
            own = np.where(own == NONE, NONE, own + shift)
        arrays[name] = np.empty((n_nodes + 1, *own.shape[1:]), own.dtype)
        arrays[name][0], arrays[name][place] = root.get(name, 0), own
    levels = np.append(given.n_levels, n_trees)
    return Tree(**arrays, subset_bits=parts["subset_bits"], n_levels=levels), place


def _kept(given: Compact, tree: Tree, leaf: Mask, place: Count) -> Tree:
    """With what inner nodes carry that does not follow from their children."""
    new = {}
    for name in CARRIED:
        own = getattr(given, f"inner_{_short(name)}")
        if len(own):
            new[name] = getattr(tree, name).copy()
            new[name][place[~leaf]] = own
            new[name][0] = new[name][1 : len(given.starts)].sum(axis=0)
    return replace(tree, **new)


def _cut_out(given: Compact, parts: Mapping[str, NDArray[Any]], t: int) -> Tree:
    """The tree number t."""

    def part(starts: Count) -> slice:
        return slice(int(starts[t]), int(starts[t + 1]))

    nodes, bits, stand = part(given.starts), part(parts["bit_starts"]), part(given.stand_starts)
    arrays = {name: parts[name][nodes] for name in PER_NODE}
    start = arrays["subset_start"]
    arrays["subset_start"] = np.where(start == NONE, NONE, start - bits.start)
    return Tree(
        **arrays,
        subset_bits=parts["subset_bits"][bits],
        n_levels=given.n_levels,
        surrogate_bits=given.stand_bits[part(given.stand_word_starts)],
        **{field: getattr(given, name)[stand] for name, field in STANDS.items()},
    )
