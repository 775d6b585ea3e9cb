"""Trees as weak predictors.   In: rows as codes, shared by every round.   Out: a Tree that predicts two sides, or
that chooses a class.

    Tree(output_kind="calibrated", criterion="exponential")   leaves hold 1/2 log(mu+/mu-), grown by the decrease of
                                                        exponential loss (lecture 001)
    Tree(output_kind="signs")                                 leaves hold their heavier sign
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.weak_learner import OutputKind, Storage, Stored, WeakParams
from hedgerow.grow import Classes, Limits, grow
from hedgerow.prune import Method
from hedgerow.tree import predict
from hedgerow.tree.check import check
from hedgerow.tree.errors import TreeError
from hedgerow.tree.importance import importance
from hedgerow.tree.tree import ARRAYS, PER_NODE
from hedgerow.tree.tree import Tree as Grown
from hedgerow.types import Float, Index

ORDER = 2
PREDICTIONS = ("discrete", "confident")
READS_SPARSE = False


@dataclass(frozen=True, eq=False)
class TreeWeak:
    tree: Grown  # `value` holds the shares of the classes, or one output a node

    def outputs(self, rows: BoostInput) -> Float:
        values = predict.values(self.tree, rows.cells, rows.threads)
        return values[:, 0] if values.shape[1] == 1 else np.where(values[:, 1] > values[:, 0], 1.0, -1.0)

    def choices(self, rows: BoostInput) -> Index:
        return np.asarray(np.argmax(predict.values(self.tree, rows.cells, rows.threads), axis=1), np.int32)

    def describe(self) -> str:
        return f"tree of {self.tree.n_leaves} leaves, depth {self.tree.max_depth}"

    def importance(self, n_columns: int) -> Float:
        return importance(self.tree)


@dataclass(frozen=True)
class Tree:
    output_kind: OutputKind = "signs"  # or "calibrated"
    criterion: str | None = None  # None: "exponential" for calibrated outputs, "gini" for signs
    max_depth: int | None = None
    max_leaves: int | None = None
    min_rows_leaf: int = 1
    max_features: int | None = None
    multiway: bool = False
    fractional: bool = False  # and min_rows_leaf counts rows by their weight, as C4.5 does
    prune: Method | None = None  # one that needs no rows
    smoothing: float | None = None  # of calibrated outputs; None: half a row's weight

    @property
    def random(self) -> bool:
        return self.max_features is not None

    def fit(self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator) -> TreeWeak:
        tree = self.grow_tree(rows, (signs > 0).astype(np.int32), 2, weight, rng)
        if self.output_kind != "calibrated":
            return TreeWeak(tree)
        mass = tree.value * tree.weight[:, None] * rows.share
        smoothing = 0.5 * rows.share if self.smoothing is None else self.smoothing
        with np.errstate(divide="ignore"):
            output = 0.5 * (np.log(mass[:, 1:] + smoothing) - np.log(mass[:, :1] + smoothing))
        return TreeWeak(replace(tree, value=output))

    def fit_classes(
        self, rows: BoostInput, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> TreeWeak:
        return TreeWeak(self.grow_tree(rows, codes, n_classes, weight, rng))

    def grow_tree(
        self, rows: BoostInput, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> Grown:
        criterion = self.criterion or ("exponential" if self.output_kind == "calibrated" else "gini")
        encoded = rows.encoded
        limits = Limits(
            max_features=self.max_features or len(encoded.codes),
            max_depth=self.max_depth or 2**31 - 1,
            min_rows_split=2 if self.fractional else 2 * self.min_rows_leaf,
            min_rows_leaf=self.min_rows_leaf,
            max_leaves=self.max_leaves or 0,
            multiway=self.multiway and encoded.schema.has_categories,
            fractional=self.fractional,
        )
        seed = int(rng.integers(2**31 - 1)) if self.random else 0
        target = Classes(codes, n_classes, weight / rows.share)  # in rows
        tree = grow(encoded, target, criterion, limits, seed=seed, threads=rows.threads)
        if self.fractional and not encoded.n_missing.any():
            tree = replace(tree, missing_child=_heaviest_child(tree))
        return tree if self.prune is None else self.prune.prune(tree)


def build(params: WeakParams) -> Tree:
    output_kind: OutputKind = "calibrated" if params.predictions == "confident" else "signs"
    return Tree(output_kind, max_depth=params.max_depth, smoothing=params.smoothing)


def _heaviest_child(tree: Grown) -> Index:
    """Of each node, the child with the most weight (the first of equals); -1 at leaves. Where no cell was missing
    there are no shares to go by, and a tree that sends a row one way predicts faster."""
    child, heaviest = tree.first_child, np.full(tree.n_nodes, -1, np.int32)
    inner = np.flatnonzero(child >= 0)
    best = np.full(len(inner), -np.inf)
    for k in range(int(tree.n_children.max(initial=0))):
        there = k < tree.n_children[inner]
        weight = np.where(there, tree.weight[np.where(there, child[inner] + k, 0)], -np.inf)
        heavier = weight > best
        heaviest[inner[heavier]] = child[inner[heavier]] + k
        best = np.maximum(best, weight)
    return heaviest


# ---------------------------------------------------------------------------------- in a model file

NODES = tuple(name for name in PER_NODE if name != "value")  # of all trees, one behind the other
LAYOUT = {
    "tree_size": ("I64", 2),  # trees x (nodes, words)
    "value": ("F64", 2),
    "subset_bits": ("U64", 1),
    **{name: (ARRAYS[name].code, 1) for name in NODES},
}


def trees_to_arrays(trees: list[Grown]) -> dict[str, Any]:
    if any(len(tree.surrogate_node) for tree in trees):
        raise TypeError(
            "Boosted trees with surrogate splits cannot be saved as a model file; they can be pickled."
        )
    sizes = [[tree.n_nodes, len(tree.subset_bits)] for tree in trees]
    nodes = {name: _join([getattr(tree, name) for tree in trees], ARRAYS[name].dtype) for name in NODES}
    return {
        **nodes,
        "tree_size": np.array(sizes, np.int64).reshape(-1, 2),
        "value": np.vstack([tree.value for tree in trees]) if trees else np.empty((0, 1)),
        "subset_bits": _join([tree.subset_bits for tree in trees], np.uint64),
    }


def _join(arrays: list[Any], dtype: Any) -> Any:
    return np.concatenate(arrays).astype(dtype) if arrays else np.empty(0, dtype)


def trees_from_arrays(arrays: Mapping[str, Any], n_levels: Index) -> list[Grown]:
    size, value, words = arrays["tree_size"], arrays["value"], arrays["subset_bits"]
    if size.ndim != 2 or size.shape[1] != 2 or np.any(size < 0) or (len(size) and size[:, 0].min() < 1):
        raise ValueError("has trees of impossible sizes")
    total, n_words = (int(sum(size[:, k].tolist())) for k in (0, 1))
    if any(len(arrays[name]) != total for name in (*NODES, "value")) or len(words) != n_words:
        raise ValueError("has trees whose arrays differ in length")
    out, node, word = [], 0, 0
    for nodes, bits in size.tolist():
        here = slice(node, node + nodes)
        own = {name: arrays[name][here] for name in NODES}
        tree = Grown(**own, value=value[here], subset_bits=words[word : word + bits], n_levels=n_levels)
        try:
            check(tree)
        except TreeError as reason:
            raise ValueError(f"holds no valid tree: {reason}") from None
        out.append(tree)
        node, word = node + nodes, word + bits
    return out


def _write(weaks: list[TreeWeak]) -> dict[str, Any]:
    return trees_to_arrays([weak.tree for weak in weaks])


def _read(arrays: Mapping[str, Any], stored: Stored) -> list[TreeWeak]:
    wanted = (stored.n_classes,) if stored.form == "votes" else (1, 2)
    trees = trees_from_arrays(arrays, stored.n_levels)
    for tree in trees:
        if tree.n_outputs not in wanted:
            raise ValueError(f"has a tree of {tree.n_outputs} outputs for {stored.n_classes} classes")
    return [TreeWeak(tree) for tree in trees]


STORAGE = Storage("trees", TreeWeak, LAYOUT, _write, _read)
