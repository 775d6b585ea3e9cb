"""Trees of a scoring program.   In: a Tree, gradient trees, tables of stumps, rules.   Out: arrays that JSON holds."""

from typing import Any

import numpy as np

from hedgerow.boost.packed import Tables, Trees
from hedgerow.export.program.steps import EACH
from hedgerow.gradient.trees import GradientTrees
from hedgerow.rules import RuleList
from hedgerow.tree.conditions import Choice, Condition
from hedgerow.tree.pack import MISSING_FIRST, SUBSET_NODE, WIDE, parts_of_siblings
from hedgerow.tree.surrogates import surrogates_at
from hedgerow.tree.tree import LEAF, MULTIWAY, SUBSET, THRESHOLD, Tree
from hedgerow.types import Index, Word

PLACE = np.uint32(0x3FFFFFFF)
LARGEST = float(np.finfo(np.float64).max)


class Nodes:
    """The arrays of a tree, as they grow."""

    def __init__(self) -> None:
        names = ("column", "threshold", "levels", "child", "children", "missing", "value")
        self.arrays: dict[str, list[Any]] = {name: [] for name in names}

    def add(self, **node: Any) -> int:
        usual = {
            "column": -1,
            "threshold": None,
            "levels": None,
            "child": -1,
            "children": 0,
            "missing": -1,
            "value": None,
        }
        for name, value in (usual | node).items():
            self.arrays[name].append(value)
        return len(self.arrays["child"]) - 1

    def change(self, at: int, **node: Any) -> None:
        for name, value in node.items():
            self.arrays[name][at] = value

    def done(self, output: int | None = None) -> dict[str, Any]:
        return {**self.arrays, "output": output}


def finite(threshold: float) -> float:
    """A test of infinity asks whether there is a cell at all; no cell is larger than the largest float."""
    return min(max(threshold, -LARGEST), LARGEST)


def levels_of(words: Word, start: int, n_levels: int) -> list[int]:
    """The levels that go to the first child; the number of levels itself stands for one never seen."""
    return [k for k in range(n_levels + 1) if int(words[start + k // 64]) >> (k % 64) & 1]


def from_tree(tree: Tree) -> dict[str, Any]:
    nodes = Nodes()
    for k, kind in enumerate(tree.kind.tolist()):
        if kind == LEAF:
            nodes.add(value=tree.value[k].tolist())
            continue
        j = int(tree.feature[k])
        nodes.add(
            column=j,
            threshold=finite(float(tree.threshold[k])) if kind == THRESHOLD else None,
            levels=_tested_levels(tree, k, j),
            child=int(tree.first_child[k]),
            children=int(tree.n_children[k]) if kind == MULTIWAY else 2,  # a third is for missing cells alone
            missing=int(tree.missing_child[k]),
        )
    made = nodes.done()
    if len(tree.surrogate_node):
        made["surrogates"] = [_surrogates(tree, k) or None for k in range(tree.n_nodes)]
    if np.any(tree.missing_child[tree.kind != LEAF] < 0):
        made["share"] = parts_of_siblings(tree).tolist()
    return made


def _surrogates(tree: Tree, k: int) -> list[dict[str, Any]]:
    """What is tested where the node's cell is missing; a level never seen is no answer."""
    found = []
    for one in surrogates_at(tree, k):
        n_levels = int(tree.n_levels[one.column]) or None
        test: dict[str, Any] = {"threshold": finite(one.threshold), "levels": None, "below": one.first_below}
        if n_levels is not None:
            test = {"threshold": None, "levels": list(one.first_levels), "below": True}
        found.append({"column": one.column, **test, "known": n_levels})
    return found


def _tested_levels(tree: Tree, k: int, j: int) -> list[int] | str | None:
    if tree.kind[k] == MULTIWAY:
        return EACH
    if tree.kind[k] != SUBSET:
        return None
    return levels_of(tree.subset_bits, int(tree.subset_start[k]), int(tree.n_levels[j]))


def from_gradient(trees: GradientTrees) -> list[dict[str, Any]]:
    n_levels = trees.schema.n_levels
    made = []
    for t, (begin, end) in enumerate(zip(trees.start[:-1].tolist(), trees.start[1:].tolist(), strict=True)):
        nodes = Nodes()
        for k in range(begin, end):
            j, child = int(trees.column[k]), int(trees.first_child[k])
            if child < 0:
                nodes.add(value=[float(trees.value[k])])
                continue
            start = int(trees.subset_start[k])
            nodes.add(
                column=j,
                threshold=None if start >= 0 else finite(float(trees.threshold[k])),
                levels=levels_of(trees.subset_bits, start, int(n_levels[j])) if start >= 0 else None,
                child=child,
                children=2,
                missing=child + (0 if trees.missing_left[k] else 1),
            )
        made.append(nodes.done(t % trees.n_outputs))
    return made


def from_packed(packed: Trees, n_levels: Index) -> list[dict[str, Any]]:
    """Boosted trees: a leaf adds its amount to one column of the score."""
    flat = packed.nodes.reshape(-1).view(WIDE)
    ends = np.append(packed.root[1:], len(flat)).tolist()
    made = []
    for begin, end in zip(packed.root.tolist(), ends, strict=True):
        nodes = Nodes()
        for k in range(begin, end):
            node = flat[k]
            if int(node["child"]) == k:
                value = [0.0] * packed.width
                value[int(packed.column[k])] = float(packed.amount[k])
                nodes.add(value=value)
                continue
            j, child = int(node["feature"] & PLACE), int(node["child"]) - begin
            is_subset = bool(node["feature"] & SUBSET_NODE)
            start = int(node["threshold"]) if is_subset else 0
            nodes.add(
                column=j,
                threshold=None if is_subset else finite(float(node["threshold"])),
                levels=levels_of(packed.words, start, int(n_levels[j])) if is_subset else None,
                child=child,
                children=2,
                missing=child + (0 if node["feature"] & MISSING_FIRST else 1),
            )
        made.append(nodes.done())
    return made


def from_table(tables: Tables, k: int, n_levels: int) -> dict[str, Any]:
    """What one column adds to the score, as a tree: a child for each level, or a search among the thresholds."""
    lines = tables.lines[tables.line_start[k] : tables.line_start[k + 1]].tolist()
    ends = tables.ends[tables.end_start[k] : tables.end_start[k + 1]].tolist()
    *known, unseen, missing = lines
    column, nodes = int(tables.column[k]), Nodes()
    nodes.add()
    if n_levels:
        nodes.change(0, column=column, levels=[n_levels], child=1, children=2)  # never seen?
        nodes.add(value=unseen)
        nodes.add(column=column, levels=EACH, child=3, children=n_levels)
        for line in known:
            nodes.add(value=line)
    else:
        _search(nodes, column, ends, known)
    gap = nodes.add(value=missing)
    for at, child in enumerate(nodes.arrays["child"]):
        if child >= 0:
            nodes.change(at, missing=gap)
    return nodes.done()


def from_bins(ends: list[float], values: list[list[float]]) -> dict[str, Any]:
    """The value of the bin that a number is in; `ends` are the last numbers of all bins but the last."""
    nodes = Nodes()
    nodes.add()
    _search(nodes, 0, ends, values)
    for at, child in enumerate(nodes.arrays["child"]):
        if child >= 0:
            nodes.change(at, missing=child)
    return nodes.done()


def _search(nodes: Nodes, column: int, ends: list[float], values: list[list[float]]) -> None:
    """Below node 0, which is there."""
    waiting = [(0, 0, len(values) - 1)]
    while waiting:
        at, low, high = waiting.pop()
        if low == high:
            nodes.change(at, value=values[low])
            continue
        middle = (low + high) // 2
        child = nodes.add()
        nodes.add()
        nodes.change(at, column=column, threshold=ends[middle], child=child, children=2)
        waiting += [(child, low, middle), (child + 1, middle + 1, high)]


def from_rules(rules: RuleList) -> tuple[list[Any], list[list[float]], list[list[float]]]:
    """The conditions of each rule; for each, and for no rule, 1 for the class it decides; and the shares."""
    decisions = [*(rule.decision for rule in rules.rules), rules.default]
    rest = rules.rest if rules.rest.weight > 0 else rules.everything
    shares = [rule.covered.proba(rule.decision).tolist() for rule in rules.rules]
    shares.append(rest.proba(rules.default).tolist())
    n_classes = len(rules.labels.classes)
    chosen = [[float(k == decision) for k in range(n_classes)] for decision in decisions]
    return [[_condition(rules, one) for one in rule.conditions] for rule in rules.rules], chosen, shares


def _condition(rules: RuleList, condition: Condition) -> dict[str, Any]:
    j, made = condition.feature, {"column": condition.feature, "missing": condition.missing}
    if isinstance(condition, Choice):
        unseen = [len(rules.labels.levels[j])] if condition.unseen else []
        return {**made, "low": None, "high": None, "levels": [*condition.levels, *unseen]}
    if condition.low == np.inf or condition.high == -np.inf:  # missing cells alone
        return {**made, "low": None, "high": None, "levels": []}
    low, high = (float(end) if np.isfinite(end) else None for end in (condition.low, condition.high))
    return {**made, "low": low, "high": high, "levels": None}
