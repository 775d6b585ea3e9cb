"""Trees in SQL.   In: trees of a scoring program, the columns they ask.   Out: stages with the sums of their values.

A tree is a CASE that gives the number of the leaf. Where a row goes down every branch of a missing cell by shares, each
node is the sum of its children's values times their shares, which are 0 and 1 where the cell is there.
"""

from typing import Any

from hedgerow.export.program.steps import EACH, Step
from hedgerow.export.program.to_sql.query import Query, is_in

SLICE = 8  # depth of a tree that is written in one expression
TREES = 30  # in one stage
Tree = dict[str, Any]


def add_trees(query: Query, step: Step, k: int, names: list[str]) -> int:
    number, width = query.dialect.number, len(step["start"])
    totals = [f"s{k}_{i}" for i in range(width)]
    query.add({name: number(x) for name, x in zip(totals, step["start"], strict=True)})
    for begin in range(0, len(step["trees"]), TREES):
        some = step["trees"][begin : begin + TREES]
        values, made = _add_values(query, some, names)
        sums = {}
        for i, total in enumerate(totals):
            terms = [
                value[0 if tree["output"] == i else i]
                for tree, value in zip(some, values, strict=True)
                if tree["output"] in (None, i)
            ]
            sums[total] = " + ".join([total, *terms])
        query.add(sums, drop=made)
    if step["divide"] is not None:
        query.add({total: f"{total} / {number(step['divide'])}" for total in totals})
    return width


def add_leaf_values(query: Query, step: Step, k: int, names: list[str]) -> int:
    for begin in range(0, len(step["trees"]), TREES):
        values, made = _add_values(query, step["trees"][begin : begin + TREES], names)
        query.add({f"s{k}_{begin + i}": value[0] for i, value in enumerate(values)}, drop=made)
    return len(step["trees"])


def _add_values(query: Query, trees: list[Tree], names: list[str]) -> tuple[list[list[str]], tuple[str, ...]]:
    """For each tree the expressions of its value's numbers; and the columns they need."""
    slices: dict[int, dict[str, str]] = {}
    values = []
    for n, tree in enumerate(trees):
        width = len(next(value for value in tree["value"] if value is not None))
        if "share" in tree:
            for i in range(width):
                _slice(Shared(query, tree, f"t{n}", names, i), slices)
            values.append([f"t{n}_0_{i}" for i in range(width)])
        else:
            _slice(Whole(query, tree, f"t{n}", names), slices)
            values.append([_value_at(query, tree, f"t{n}_0", i) for i in range(width)])
    made: list[str] = []
    for depth in sorted(slices, reverse=True):
        query.add(slices[depth], drop=tuple(made))
        made = list(slices[depth])
    return values, tuple(made)


def _value_at(query: Query, tree: Tree, leaf: str, i: int) -> str:
    whens = [
        f"WHEN {at} THEN {query.dialect.number(value[i])}"
        for at, value in enumerate(tree["value"])
        if tree["child"][at] < 0
    ]
    return f"CASE {leaf} {' '.join(whens)} END"


def _slice(tree: "Whole", slices: dict[int, dict[str, str]]) -> None:
    """All slices of a tree, deepest last, as expressions of the nodes they lead to."""
    waiting = [(0, 0)]
    while waiting:
        root, depth = waiting.pop()
        below: list[int] = []
        slices.setdefault(depth, {})[tree.name(root)] = tree.write(root, 0, below)
        waiting += [(at, depth + 1) for at in below]


class Whole:
    """A tree in which a row has one leaf: its number."""

    def __init__(self, query: Query, tree: Tree, prefix: str, names: list[str]) -> None:
        self.query, self.tree, self.prefix, self.names = query, tree, prefix, names

    def name(self, at: int) -> str:
        return f"{self.prefix}_{at}"

    def write(self, at: int, depth: int, below: list[int]) -> str:
        tree, child = self.tree, self.tree["child"][at]
        if child < 0:
            return self._leaf(at)
        if depth == SLICE:
            below.append(at)
            return self.name(at)
        return self._inner(tree, at, child, lambda to: self.write(to, depth + 1, below))

    def _leaf(self, at: int) -> str:
        return str(at)

    def _inner(self, tree: Tree, at: int, child: int, part: Any) -> str:
        x, missing = self.names[tree["column"][at]], tree["missing"][at]
        if tree["levels"][at] == EACH:
            others = [k for k in range(tree["children"][at]) if child + k != missing]
            whens = " ".join(f"WHEN {k} THEN {part(child + k)}" for k in others)
            return f"CASE {x} {whens} ELSE {part(missing)} END" if whens else part(missing)
        gap = f"WHEN {x} IS NULL THEN {part(missing)} " if missing not in (child, child + 1) else ""
        first = self._first(tree, at, x, missing == child)
        return f"CASE {gap}WHEN {first} THEN {part(child)} ELSE {part(child + 1)} END"

    def _first(self, tree: Tree, at: int, x: str, missing_first: bool) -> str:
        first = self._test(x, tree["threshold"][at], tree["levels"][at])
        others = self._stand_ins(tree, at)
        if others:
            whens = f"WHEN {first} THEN 1 WHEN {x} IS NOT NULL THEN 0 {others}"
            return f"CASE {whens} ELSE {int(missing_first)} END = 1"
        return f"({x} IS NULL OR {first})" if missing_first else first

    def _test(self, x: str, threshold: float | None, levels: list[int] | None) -> str:
        return (
            is_in(x, levels)
            if levels is not None
            else f"{x} <= {self.query.dialect.number(threshold or 0.0)}"
        )

    def _stand_ins(self, tree: Tree, at: int) -> str:
        """What is tested where the cell is missing: 1 to the first child, 0 to the second."""
        whens = []
        for one in (tree["surrogates"][at] or ()) if "surrogates" in tree else ():
            x = self.names[one["column"]]
            answers = f"{x} IS NOT NULL" if one["known"] is None else f"{x} < {one['known']}"
            first = self._test(x, one["threshold"], one["levels"])
            yes, no = (1, 0) if one["below"] else (0, 1)
            whens.append(f"WHEN {answers} AND {first} THEN {yes} WHEN {answers} THEN {no}")
        return " ".join(whens)


class Shared(Whole):
    """A tree in which a row may have several leaves, each with a share of it: one number of their values."""

    def __init__(self, query: Query, tree: Tree, prefix: str, names: list[str], i: int) -> None:
        super().__init__(query, tree, prefix, names)
        self.i = i

    def name(self, at: int) -> str:
        return f"{self.prefix}_{at}_{self.i}"

    def _leaf(self, at: int) -> str:
        return self.query.dialect.number(self.tree["value"][at][self.i])

    def _inner(self, tree: Tree, at: int, child: int, part: Any) -> str:
        x, missing, number = self.names[tree["column"][at]], tree["missing"][at], self.query.dialect.number
        terms = []
        for k in range(tree["children"][at]):
            share = tree["share"][child + k] if missing < 0 else float(child + k == missing)
            yes, no = number(1.0), number(0.0)
            if tree["levels"][at] == EACH:
                known = f"{x} < {tree['children'][at]}"
                part_of = f"CASE WHEN {x} = {k} THEN {yes} WHEN {known} THEN {no} ELSE {number(share)} END"
            else:
                first = self._test(x, tree["threshold"][at], tree["levels"][at])
                sides = (yes, no) if k == 0 else (no, yes)
                others = self._stand_ins(tree, at)
                way = f"CASE WHEN {first} THEN 1 WHEN {x} IS NOT NULL THEN 0 {others} END"
                part_of = f"CASE {way} WHEN 1 THEN {sides[0]} WHEN 0 THEN {sides[1]} ELSE {number(share)} END"
            terms.append(f"{part_of} * ({part(child + k)})")
        return "(" + " + ".join(terms) + ")"
