"""How large a fitted model is.   In: any fitted estimator.   Out: a Size: a count of its parts, in its own unit, and
how many numbers it takes to write the model down, by which kinds of models are compared.

    tree            leaves; two numbers a test (column, threshold), one a leaf and class
    rules           rules; two numbers a condition and one a rule
    ensemble        the sum over its members
    support vectors one number a column and a coefficient for each
    linear model    its coefficients
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.estimators.delegating import unwrap


@dataclass(frozen=True)
class Size:
    count: float
    unit: str  # "leaf", "rule", "support vector", "coefficient"
    numbers: float

    def __str__(self) -> str:
        return many(self.count, self.unit)


def measure_size(model: Any) -> Size | None:
    """None where it is not known."""
    if hasattr(model, "steps"):  # a pipeline is as large as what stands at its end
        return measure_size(model.steps[-1][1])
    for inside in ("best_estimator_", "model_"):  # a search, a model of some of the rows
        if hasattr(model, inside):
            return measure_size(getattr(model, inside))
    for count in (
        _blend,
        _tree,
        _rules,
        _rounds,
        _gradient_trees,
        _members,
        _support_vectors,
        _coefficients,
        _constant,
    ):
        found = count(model)
        if found is not None:
            return found
    return None


def median_size(sizes: list[Size]) -> Size | None:
    """Of the fold in the middle by what it takes to write it down: a size that a model really had (no model has 1.2
    leaves)."""
    if not sizes or len({size.unit for size in sizes}) > 1:
        return None
    return sorted(sizes, key=lambda size: (size.numbers, size.count))[(len(sizes) - 1) // 2]


def _blend(model: Any) -> Size | None:
    """A weighted vote of different models: as many numbers as all of them."""
    if not hasattr(model, "weights_") or not hasattr(model, "estimators_"):
        return None
    return sum_sizes([measure_size(unwrap(one)) for one in model.estimators_])


def sum_sizes(sizes: Sequence[Size | None]) -> Size | None:
    """Of models of any kind together."""
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return None
    return Size(float(len(known)), "model", sum(size.numbers for size in known) + len(known))


def _tree(model: Any) -> Size | None:
    tree = getattr(model, "hedgerow_tree_", None) or getattr(model, "tree_", None)
    leaves = getattr(tree, "n_leaves", None)
    if tree is None or leaves is None:
        return None
    outputs = np.asarray(tree.value).reshape(len(tree.value), -1).shape[1]
    nodes = getattr(tree, "n_nodes", None) or tree.node_count
    return _leaves(leaves, nodes, outputs)


def _leaves(leaves: int, nodes: int, outputs: int) -> Size:
    return Size(float(leaves), "leaf", float(2 * (nodes - leaves) + leaves * max(1, outputs - 1)))


def _rules(model: Any) -> Size | None:
    rules = getattr(model, "rules_", None)
    rules = getattr(rules, "rules", rules)
    if rules is None or not hasattr(rules, "__len__"):
        return None
    conditions = sum(len(getattr(rule, "conditions", ())) for rule in rules)
    return Size(float(len(rules)), "rule", float(2 * conditions + len(rules) + 1))


def _rounds(model: Any) -> Size | None:
    """Of a booster of hedgerow: the leaves of its trees; a coefficient for each input of other predictors."""
    rounds = getattr(getattr(model, "rounds_", None), "rounds", None)
    if rounds is None:
        return None
    weaks = [weak for round in rounds for weak in getattr(round, "weaks", None) or (round.weak,)]
    sizes = [_tree(_Holder(weak.tree)) if hasattr(weak, "tree") else None for weak in weaks]
    numbers = sum(4.0 if size is None else size.numbers for size in sizes) + len(weaks)
    return Size(float(len(rounds)), "round", numbers)


def _gradient_trees(model: Any) -> Size | None:
    """Of gradient boosting of hedgerow."""
    column = getattr(getattr(model, "trees_", None), "column", None)
    if column is None:
        return None
    leaves = int(np.count_nonzero(np.asarray(column) < 0))
    return _leaves(leaves, len(column), 1)


def _members(model: Any) -> Size | None:
    forest = getattr(model, "forest_", None)
    if forest is not None:  # counted as stored: no tree is unpacked
        sizes: list[Size | None] = [
            _leaves(tree.n_leaves, tree.n_nodes, tree.n_outputs) for tree in forest.trees.parts
        ]
    else:
        members = getattr(model, "estimators_", None)
        if members is None or len(members) == 0:
            return _histogram_trees(model)
        sizes = [measure_size(member) for member in np.asarray(members, object).reshape(-1)]
    known = [size for size in sizes if size is not None]
    if not known or len(known) < len(sizes) or len({size.unit for size in known}) > 1:
        return None
    return Size(sum(s.count for s in known), known[0].unit, sum(s.numbers for s in known) + len(known))


def _histogram_trees(model: Any) -> Size | None:
    """scikit-learn's HistGradientBoosting*."""
    rounds = getattr(model, "_predictors", None)
    if rounds is None:
        return None
    nodes = [tree.nodes["is_leaf"] for members in rounds for tree in members]
    leaves = float(sum(leaf.sum() for leaf in nodes))
    return Size(leaves, "leaf", float(2 * sum(len(leaf) - leaf.sum() for leaf in nodes)) + leaves)


def _support_vectors(model: Any) -> Size | None:
    vectors = getattr(model, "support_vectors_", None)
    if vectors is None:
        return None
    return Size(
        float(vectors.shape[0]), "support vector", float(vectors.shape[0] * (vectors.shape[1] + 1) + 1)
    )


def _coefficients(model: Any) -> Size | None:
    weights = getattr(model, "coef_", None)
    if weights is None or not hasattr(weights, "__len__"):
        return None
    many = weights.count_nonzero() if hasattr(weights, "tocsr") else np.count_nonzero(weights)
    used = float(many + np.size(getattr(model, "intercept_", 0)))
    return Size(used, "coefficient", used)


def _constant(model: Any) -> Size | None:
    if type(model).__name__ not in ("DummyClassifier", "DummyRegressor"):
        return None
    return Size(1.0, "leaf", 1.0)


@dataclass(frozen=True)
class _Holder:
    tree_: Any
