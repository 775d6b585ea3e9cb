"""Trees as weak predictors.   In: rows as codes, shared by every round.   Out: a Tree that answers for two sides, or
that chooses a class.

    Tree(gives="calibrated", criterion="exponential")   leaves answer 1/2 log(mu+/mu-), grown by the decrease of
                                                        exponential loss (lecture 001)
    Tree(gives="signs")                                 leaves answer with their heavier sign
    c45()                                               trees as C4.5 grows them
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.boost.rows import Rows
from hedgerow.boost.weak.learner import Answers
from hedgerow.grow import Classes, Limits, grow
from hedgerow.prune import Method
from hedgerow.prune.methods.pessimistic import Pessimistic
from hedgerow.tree import predict
from hedgerow.tree.tree import Tree as Grown
from hedgerow.types import Float, Index


@dataclass(frozen=True, eq=False)
class TreeWeak:
    tree: Grown  # `value` holds the shares of the classes, or one answer a node

    def answers(self, rows: Rows) -> Float:
        values = predict.values(self.tree, rows.matrix, rows.threads)
        return values[:, 0] if values.shape[1] == 1 else np.where(values[:, 1] > values[:, 0], 1.0, -1.0)

    def choices(self, rows: Rows) -> Index:
        return np.asarray(np.argmax(predict.values(self.tree, rows.matrix, rows.threads), axis=1), np.int32)

    def words(self) -> str:
        return f"tree of {self.tree.n_leaves} leaves, depth {self.tree.max_depth}"


@dataclass(frozen=True)
class Tree:
    gives: Answers = "signs"  # or "calibrated"
    criterion: str | None = None  # None: "exponential" for calibrated answers, "gini" for signs
    max_depth: int | None = None
    max_leaves: int | None = None
    min_rows_leaf: int = 1
    max_features: int | None = None
    multiway: bool = False
    fractional: bool = False  # and min_rows_leaf counts rows by their weight, as C4.5 does
    prune: Method | None = None  # one that needs no rows
    smoothing: float | None = None  # of calibrated answers; None: half a row's weight

    @property
    def random(self) -> bool:
        return self.max_features is not None

    def fit(self, rows: Rows, signs: Float, weight: Float, rng: np.random.Generator) -> TreeWeak:
        tree = self._grown(rows, (signs > 0).astype(np.int32), 2, weight, rng)
        if self.gives != "calibrated":
            return TreeWeak(tree)
        mass = tree.value * tree.weight[:, None] * rows.share
        smoothing = 0.5 * rows.share if self.smoothing is None else self.smoothing
        with np.errstate(divide="ignore"):
            answer = 0.5 * (np.log(mass[:, 1:] + smoothing) - np.log(mass[:, :1] + smoothing))
        return TreeWeak(replace(tree, value=answer))

    def fit_classes(
        self, rows: Rows, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> TreeWeak:
        return TreeWeak(self._grown(rows, codes, n_classes, weight, rng))

    def _grown(
        self, rows: Rows, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> Grown:
        criterion = self.criterion or ("exponential" if self.gives == "calibrated" else "gini")
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


def _heaviest_child(tree: Grown) -> Index:
    """Of each node, the child with the most weight (the first of equals); -1 at leaves. Where no cell was missing
    there are no shares to go by, and a tree that sends a row one way answers faster."""
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


def c45(gives: Answers = "signs") -> Tree:
    """C4.5's trees: gain ratio, a branch for each level, leaves of two rows, pessimistic pruning."""
    return Tree(
        gives,
        criterion="gain_ratio",
        multiway=True,
        fractional=True,
        min_rows_leaf=2,
        prune=Pessimistic(raising=False),
    )
