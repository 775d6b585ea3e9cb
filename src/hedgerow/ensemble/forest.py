"""Forests.   In: Encoded rows, a target, a criterion, limits, Draws.   Out: a Forest: Trees, and who drew which rows.

Tree t is the tree that `grow` makes with the seed and the weights of tree t: it depends on nothing else, not on the
threads, not on how many trees are grown with it, so that growing on (`first_tree`) is the same as having grown more.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.core.criteria import CRITERIA
from hedgerow.encode import Encoded
from hedgerow.encode.blocks import BlockEncoded
from hedgerow.encode.sparse import SparseEncoded
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.trees import Slim, Trees
from hedgerow.grow import Classes, Limits, Target
from hedgerow.grow.grow import Grown, tree_of
from hedgerow.grow.scale import Scale, scale_of
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float, SmallInt

Progress = Callable[[int, int], None]  # trees grown, trees wanted


@dataclass(frozen=True, eq=False)
class Forest:
    trees: Trees
    draws: Draws

    def __init__(self, trees: Sequence[Tree], draws: Draws) -> None:
        object.__setattr__(self, "trees", trees if isinstance(trees, Trees) else Trees(trees))
        object.__setattr__(self, "draws", draws)

    @property
    def n_outputs(self) -> int:
        return self.trees[0].n_outputs

    def first(self, n_trees: int) -> "Forest":
        return replace(self, trees=self.trees[:n_trees])

    def with_more(self, more: "Forest") -> "Forest":
        return replace(self, trees=self.trees + more.trees)


def grow_forest(
    rows: Encoded,
    target: Target,
    criterion: str,
    limits: Limits,
    draws: Draws,
    n_trees: int,
    *,
    first_tree: int = 0,
    class_weight: Float | None = None,
    balanced: bool = False,
    monotone: SmallInt | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Forest:
    """Trees first_tree .. first_tree + n_trees - 1. The target's own weight is not looked at: the Draws have it.

    `class_weight`: by class, on top of the draws. `balanced`: all classes weigh the same in each tree.
    """
    carried = draws.weight if draws.carries_weight else None
    scale = scale_of(replace(target, weight=carried), criterion)
    given = _given(
        rows,
        scale.target,
        criterion,
        scale.rescale_limits(limits),
        draws,
        class_weight,
        balanced,
        monotone,
        threads,
    )
    trees: list[Tree | Slim] = []
    part = n_trees if progress is None else min(n_trees, threads)
    while len(trees) < n_trees:
        began = time.monotonic()
        grown = native.grow_forest(**given, first_tree=first_tree + len(trees), n_trees=part, threads=threads)
        grown.reverse()
        while grown:  # each is let go once it has become a Tree
            trees.append(_keep_tree(rows, target, criterion, scale, grown.pop()))
        if progress:
            progress(len(trees), n_trees)
        part = min(n_trees - len(trees), _worth_a_second(part, time.monotonic() - began, threads))
    return Forest(Trees(trees), draws)


def _keep_tree(rows: Encoded, target: Target, criterion: str, scale: Scale, grown: Any) -> Tree | Slim:
    if isinstance(grown, tuple):
        return Slim(rows.schema.n_levels, criterion, *grown)
    return scale.unscale(tree_of(rows, target, Grown(**grown), seen=CRITERIA[criterion].ratio))


def _worth_a_second(trees: int, seconds: float, threads: int) -> int:
    """How many trees take about a second, if so many took so long; at most four times as many at once."""
    return max(threads, min(4 * trees, int(trees / max(seconds, 1e-3))))


def _given(
    rows: Encoded,
    target: Target,
    criterion: str,
    limits: Limits,
    draws: Draws,
    class_weight: Float | None,
    balanced: bool,
    monotone: SmallInt | None,
    threads: int,
) -> dict[str, Any]:
    """All that the native grower asks for, but which trees and how many threads."""
    n_columns = len(rows.codes)
    classes = target if isinstance(target, Classes) else None
    sparse = rows.entries if isinstance(rows, SparseEncoded) else None
    edges = [] if sparse else [np.empty(0) if e is None else e for e in rows.edges]
    by_value = [
        kind != "category" and (limits.random_splits or not len(edges[j]))
        for j, kind in enumerate(() if sparse else rows.schema.kinds)
    ]
    return {
        "codes": () if sparse else rows.codes,
        "sparse": None if sparse is None else sparse.arrays,
        "records": rows.make_room_for_records() if isinstance(rows, BlockEncoded) else None,
        "n_codes": rows.n_codes,
        "n_levels": rows.schema.n_levels,
        "monotone": np.zeros(n_columns, np.int8) if monotone is None else monotone,
        "values": [] if sparse else rows.all_values(np.flatnonzero(by_value), threads),
        "edges": edges,
        "criterion": criterion,
        "n_classes": classes.n_classes if classes else 0,
        "classes": classes.codes if classes else None,
        "target": None if isinstance(target, Classes) else target.values,
        "weight": target.weight,
        "class_weight": class_weight,
        "balanced": balanced,
        "exact": target.exact,
        "limits": asdict(limits),
        "how": draws.how,
        "size": draws.size,
        "order": draws.order,
        "line": draws.line,
        "seed": draws.seed,
    }


def tree_weight(
    target: Target, draws: Draws, tree: int, class_weight: Float | None = None, balanced: bool = False
) -> Float | None:
    """The weight of each row in one tree."""
    weight = draws.weights(tree)
    if not isinstance(target, Classes):
        return weight
    if balanced:
        mass = np.bincount(target.codes, weight, minlength=target.n_classes)
        factor = np.where(mass > 0, mass.sum() / (target.n_classes * np.maximum(mass, 1e-300)), 1.0)
        class_weight = factor if class_weight is None else class_weight * factor
    if class_weight is None:
        return weight
    by_row = class_weight[target.codes]
    return by_row if weight is None else weight * by_row


def mean_tree_weight(target: Target, draws: Draws, by_class: Float | None) -> float:
    """The weight that the rows of one tree have together, on average."""
    weight = np.ones(draws.n_rows) if draws.weight is None else draws.weight
    factor = 1.0
    if by_class is not None and isinstance(target, Classes):
        mass = np.bincount(target.codes, weight, target.n_classes)
        factor = mean_class_weight(by_class, mass)
    with np.errstate(over="ignore"):
        total = float(min(weight.sum(), np.finfo(np.float64).max))
    return factor * (total if draws.how == "all" else float(draws.size))


def mean_class_weight(by_class: Float, mass: Float | Count) -> float:
    """`mass`: of the rows of each class."""
    return float((by_class * mass).sum() / mass.sum())


class SayProgress:
    """Says how far growing is, once a second, on standard error."""

    def __init__(self, name: str) -> None:
        self.name, self.began = name, time.monotonic()
        self.next = self.began + 1

    def __call__(self, done: int, wanted: int) -> None:
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + 1
        print(f"{self.name}: {done} of {wanted} trees after {now - self.began:.0f} s", file=sys.stderr)
