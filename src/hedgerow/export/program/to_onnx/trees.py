"""Trees in ONNX.   In: trees of a scoring program.   Out: their sums, or the value of each tree's leaf.

The TreeEnsemble operator asks numbers alone, "at most a threshold?", and a leaf adds one number to one target. So tests
of levels, and those with surrogates, become columns of 0 and 1 beside the cells; a tree whose leaves hold several
numbers gives the leaf's place instead, and a table has the values:

    one number a leaf      TreeEnsemble adds the trees in order
    several                TreeEnsemble -> places -> Gather -> CumSum, some trees at a time: the same order
    shares of a row        the product of the shares along each path, times the leaves' values
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hedgerow.export.program.steps import EACH, Step
from hedgerow.export.program.to_onnx.cell_tests import Test, add_tests, level_places, stand_ins, test_at
from hedgerow.export.program.to_onnx.graph import ML, Graph

TREES = 32  # whose values are added at a time
Tree = dict[str, Any]
NODE = (
    "nodes_featureids", "nodes_splits", "nodes_missing_value_tracks_true", "nodes_trueleafs",
    "nodes_truenodeids", "nodes_falseleafs", "nodes_falsenodeids",
)  # fmt: skip
NUMBERS = ("nodes_splits", "leaf_weights")
LEQ = 0  # the mode of a node: at most the threshold


def add_trees(graph: Graph, step: Step, cells: str, n_levels: list[int | None]) -> str:
    trees, width = step["trees"], len(step["start"])
    whole = [tree for tree in trees if not tree.get("share")]
    if len(whole) < len(trees):
        total = _add_shared(graph, trees, cells, n_levels, step["start"])
    elif not trees:
        total = graph.join([graph.fill(x, cells, 1) for x in step["start"]])
    elif width == 1 or all(tree["output"] is not None for tree in trees):
        total = _add_sums(graph, step, cells, n_levels)
    else:
        total = _add_values(graph, step, cells, n_levels)
    return total if step["divide"] is None else graph.scale("Div", total, step["divide"])


def add_leaves(graph: Graph, step: Step, cells: str, n_levels: list[int | None]) -> str:
    made = Ensemble()
    for t, tree in enumerate(step["trees"]):
        made.add_tree(tree, [(t, value[0]) if value else (t, 0.0) for value in tree["value"]])
    return made.write(graph, cells, len(step["trees"]), n_levels)


def _add_sums(graph: Graph, step: Step, cells: str, n_levels: list[int | None]) -> str:
    made = Ensemble()
    for target, x in enumerate(step["start"]):
        made.add_leaf(target, x)
    for tree in step["trees"]:
        target = tree["output"] or 0
        made.add_tree(tree, [(target, value[0]) if value else (target, 0.0) for value in tree["value"]])
    return made.write(graph, cells, len(step["start"]), n_levels)


def _add_values(graph: Graph, step: Step, cells: str, n_levels: list[int | None]) -> str:
    trees, width = step["trees"], len(step["start"])
    axis, one = graph.constant([1], np.int64), graph.constant(1, np.int64)
    total = graph.add("Expand", graph.constant([[step["start"]]]), _shape(graph, cells, width))
    for begin in range(0, len(trees), TREES):
        made, table = Ensemble(), list[list[float]]()
        some = trees[begin : begin + TREES]
        for t, tree in enumerate(some):
            made.add_tree(tree, [(t, float(len(table) + at)) for at in range(len(tree["value"]))])
            table += [value or [0.0] * width for value in tree["value"]]
        places = graph.add("Cast", made.write(graph, cells, len(some), n_levels), to=7)
        values = graph.add("Gather", graph.constant(table), places, axis=0)
        so_far = graph.add("CumSum", graph.add("Concat", total, values, axis=1), one)
        total = graph.add("Gather", so_far, graph.constant([len(some)], np.int64), axis=1)
    return graph.add("Squeeze", total, axis)


def _shape(graph: Graph, cells: str, width: int) -> str:
    rows = graph.add("Shape", cells, start=0, end=1)
    return graph.add("Concat", rows, graph.constant([1, width], np.int64), axis=0)


# ------------------------------------------------------------------------------------- the TreeEnsemble operator


@dataclass
class Ensemble:
    """Nodes that ask numbers; columns of 0 and 1 that are needed besides the cells, by what they answer."""

    nodes: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in NODE})
    leaves: list[tuple[int, float]] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)
    tests: dict[tuple[Any, ...], int] = field(default_factory=dict)  # tests -> place behind the cells

    def add_leaf(self, target: int, value: float) -> None:
        """A tree of one leaf: a node whose children are the same."""
        self.roots.append(self._node(0, 0.0, False))
        for side in ("true", "false"):
            self._link(self.roots[-1], side, True, self._leaf(target, value))

    def add_tree(self, tree: Tree, values: list[tuple[int, float]]) -> None:
        if tree["child"][0] < 0:
            self.add_leaf(*values[0])
            return
        begin = len(self.nodes["nodes_featureids"])
        self.roots.append(begin)
        waiting: list[tuple[int, int | None, str]] = [(0, None, "")]
        while waiting:
            at, parent, side = waiting.pop()
            child = tree["child"][at]
            if child < 0:
                self._link(parent, side, True, self._leaf(*values[at]))
                continue
            waiting += self._ask(tree, at, parent, side)

    def _ask(self, tree: Tree, at: int, parent: int | None, side: str) -> list[tuple[int, int | None, str]]:
        child, missing, j = tree["child"][at], tree["missing"][at], tree["column"][at]
        if tree["levels"][at] == EACH:
            return self._ask_each(tree, at, parent, side)
        others = stand_ins(tree, at)
        if missing not in (child, child + 1):
            gap = self._begin(parent, side, ("gap", j), 0.5, False)  # 0: there is a cell
            return [
                (missing, gap, "false"),
                *self._two_ways(tree, at, gap, "true", False),
            ]
        if others:
            key = ("first", test_at(tree, at), *others, missing == child)
            node = self._begin(parent, side, key, 0.5, False)  # 0: to the second child
            return [(child + 1, node, "true"), (child, node, "false")]
        return self._two_ways(tree, at, parent, side, missing == child)

    def _two_ways(
        self, tree: Tree, at: int, parent: int | None, side: str, missing_first: bool
    ) -> list[tuple[int, int | None, str]]:
        child = tree["child"][at]
        if tree["threshold"][at] is not None:
            node = self._begin(parent, side, tree["column"][at], tree["threshold"][at], missing_first)
            return [(child, node, "true"), (child + 1, node, "false")]
        node = self._begin(parent, side, ("test", test_at(tree, at)), 0.5, not missing_first)
        return [(child + 1, node, "true"), (child, node, "false")]

    def _ask_each(
        self, tree: Tree, at: int, parent: int | None, side: str
    ) -> list[tuple[int, int | None, str]]:
        """A search among the numbers of levels; one never seen goes the way of a missing cell."""
        child, many, j, missing = (
            tree["child"][at], tree["children"][at], tree["column"][at], tree["missing"][at],
        )  # fmt: skip
        gap = self._begin(parent, side, ("gap", j), 0.5, False)
        found: list[tuple[int, int | None, str]] = [(missing, gap, "false")]
        known = self._begin(gap, "true", j, many - 0.5, False)
        found.append((missing, known, "false"))
        waiting: list[tuple[int, int, int, str]] = [(0, many - 1, known, "true")]
        while waiting:
            low, high, above, way = waiting.pop()
            if low == high:
                found.append((child + low, above, way))
                continue
            middle = (low + high) // 2
            node = self._begin(above, way, j, middle + 0.5, False)
            waiting += [(low, middle, node, "true"), (middle + 1, high, node, "false")]
        return found

    def _begin(
        self, parent: int | None, side: str, test: int | tuple[Any, ...], split: float, first: bool
    ) -> int:
        column = test if isinstance(test, int) else -1 - self.tests.setdefault(test, len(self.tests))
        node = self._node(column, split, first)
        if parent is not None:
            self._link(parent, side, False, node)
        return node

    def _node(self, column: int, split: float, missing_first: bool) -> int:
        for name, value in zip(NODE, (column, split, int(missing_first), 0, 0, 0, 0), strict=True):
            self.nodes[name].append(value)
        return len(self.nodes["nodes_featureids"]) - 1

    def _link(self, parent: int | None, side: str, leaf: bool, to: int) -> None:
        assert parent is not None
        self.nodes[f"nodes_{side}leafs"][parent] = int(leaf)
        self.nodes[f"nodes_{side}nodeids"][parent] = to

    def _leaf(self, target: int, value: float) -> int:
        self.leaves.append((target, value))
        return len(self.leaves) - 1

    def write(self, graph: Graph, cells: str, n_targets: int, n_levels: list[int | None]) -> str:
        source, n_cells = self._add_columns(graph, cells, n_levels), len(n_levels)
        columns = [j if j >= 0 else n_cells - 1 - j for j in self.nodes["nodes_featureids"]]
        splits = graph.tensor(self.nodes["nodes_splits"])
        rest = {name: values for name, values in self.nodes.items() if name not in NUMBERS}
        return graph.add(
            "TreeEnsemble", source, domain=ML, n_targets=n_targets, aggregate_function=1, post_transform=0,
            tree_roots=self.roots, leaf_targetids=[target for target, _ in self.leaves],
            leaf_weights=graph.tensor([value for _, value in self.leaves]), nodes_splits=splits,
            nodes_modes=graph.tensor([LEQ] * len(columns), np.uint8),
            **{**rest, "nodes_featureids": columns},
        )  # fmt: skip

    def _add_columns(self, graph: Graph, cells: str, n_levels: list[int | None]) -> str:
        parts, order = [cells], list[int]()
        for kind, add in (("gap", _add_gaps), ("test", _add_answers), ("first", _add_firsts)):
            some = [key for key in self.tests if key[0] == kind]
            if some:
                parts.append(add(graph, cells, some, n_levels))
                order += [self.tests[key] for key in some]
        n = len(n_levels)
        places = [*range(n), *(n + np.argsort(order)).tolist()] if order else []
        return graph.take(graph.join(parts), places) if order else cells


def _add_gaps(graph: Graph, cells: str, keys: list[tuple[Any, ...]], n_levels: list[int | None]) -> str:
    return graph.to_number(graph.add("IsNaN", graph.take(cells, [j for _, j in keys])))


def _add_answers(graph: Graph, cells: str, keys: list[tuple[Any, ...]], n_levels: list[int | None]) -> str:
    return add_tests(graph, cells, [test for _, test in keys], n_levels)


def _add_firsts(graph: Graph, cells: str, keys: list[tuple[Any, ...]], n_levels: list[int | None]) -> str:
    """The answer of the first test that has one."""
    many = max(len(key) - 2 for key in keys)
    never = Test(0, np.nan)  # no number is at most NaN; its answer is of no use, and never taken
    found = graph.constant(np.nan)
    for k in range(many):
        tests = [key[1 + k] if k < len(key) - 2 else never for key in keys]
        used = np.array([[k < len(key) - 2 for key in keys]])
        answer = graph.add(
            "Where",
            graph.constant(used, np.bool_),
            add_tests(graph, cells, tests, n_levels),
            graph.constant(np.nan),
        )
        found = answer if k == 0 else graph.add("Where", graph.add("IsNaN", found), answer, found)
    usual = graph.constant([[float(key[-1]) for key in keys]])
    return graph.add("Where", graph.add("IsNaN", found), usual, found)


# --------------------------------------------------------------------------------- rows that go down every branch


def _add_shared(
    graph: Graph, trees: list[Tree], cells: str, n_levels: list[int | None], start: list[float]
) -> str:
    total = graph.constant([start])
    for tree in trees:
        total = graph.add("Add", total, _add_paths(graph, tree, cells, n_levels, len(start)))
    return total


def _add_paths(graph: Graph, tree: Tree, cells: str, n_levels: list[int | None], width: int) -> str:
    """The share of a row that comes to each leaf: the product of the shares of the steps to it."""
    leaves = [at for at, child in enumerate(tree["child"]) if child < 0]
    values = graph.constant([tree["value"][at] for at in leaves])
    if len(leaves) == 1:
        return values
    inner = [at for at, child in enumerate(tree["child"]) if child >= 0]
    parts, place = list[str](), {0: 0}
    n = 1
    for at in inner:
        parts.append(_add_branches(graph, tree, at, cells, n_levels))
        for k in range(tree["children"][at]):
            place[tree["child"][at] + k] = n
            n += 1
    shares = graph.join([graph.fill(1.0, cells, 1), *parts])  # the root's own share is all of the row
    parent = {tree["child"][at] + k: at for at in inner for k in range(tree["children"][at])}
    paths = [_path(leaf, parent) for leaf in leaves]
    longest = max(map(len, paths))
    steps = [[place[at] for at in path] + [0] * (longest - len(path)) for path in paths]
    along = graph.add("Gather", shares, graph.constant(steps, np.int64), axis=1)
    whole = graph.add("ReduceProd", along, graph.constant([2], np.int64), keepdims=0)
    return graph.add("MatMul", whole, values)


def _path(leaf: int, parent: dict[int, int]) -> list[int]:
    path = [leaf]
    while path[-1]:
        path.append(parent[path[-1]])
    return path


def _add_branches(graph: Graph, tree: Tree, at: int, cells: str, n_levels: list[int | None]) -> str:
    """Rows x children: 1 for the one a row goes to, or each one's share."""
    child, many, j = tree["child"][at], tree["children"][at], tree["column"][at]
    missing = tree["missing"][at]
    shares = [tree["share"][child + k] if missing < 0 else float(child + k == missing) for k in range(many)]
    if tree["levels"][at] == EACH:
        table = np.vstack([np.eye(many), np.tile(shares, ((n_levels[j] or 0) + 2 - many, 1))])
        return graph.add(
            "Gather", graph.constant(table), level_places(graph, cells, j, len(table) - 1), axis=0
        )
    first = add_tests(graph, cells, [test_at(tree, at)], n_levels)
    for one in stand_ins(tree, at):
        other = add_tests(graph, cells, [one], n_levels)
        first = graph.add("Where", graph.add("IsNaN", first), other, first)
    both = graph.join([first, graph.add("Sub", graph.constant(1.0), first)])
    return graph.add("Where", graph.add("IsNaN", both), graph.constant([shares]), both)
