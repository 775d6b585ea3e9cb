"""Tests of cells.   In: a tensor of cells, tests.   Out: rows x tests: 1 to the first child, 0 to the second, NaN where
the cell is missing.
"""

from typing import Any, NamedTuple

import numpy as np

from hedgerow.export.program.to_onnx.graph import Graph


class Test(NamedTuple):
    column: int
    threshold: float | None = None  # number <= threshold
    levels: tuple[int, ...] = ()  # a level that is one of these
    above: bool = False  # number > threshold
    known: int | None = None  # a level from this one on counts as missing


def test_at(tree: dict[str, Any], at: int) -> Test:
    """What a node asks; a child for each level is no such test."""
    levels = tree["levels"][at]
    return Test(tree["column"][at], tree["threshold"][at], tuple(levels or ()))


def stand_ins(tree: dict[str, Any], at: int) -> list[Test]:
    """What is tested where the cell is missing, one after the other."""
    found = tree["surrogates"][at] if "surrogates" in tree else None
    return [
        Test(one["column"], one["threshold"], tuple(one["levels"] or ()), not one["below"], one["known"])
        for one in found or ()
    ]


def add_tests(graph: Graph, cells: str, tests: list[Test], n_levels: list[int | None]) -> str:
    """Numbers all at once; of a category, a table of its levels."""
    numbers = [k for k, test in enumerate(tests) if test.threshold is not None]
    parts, order = list[str](), list[int]()
    if numbers:
        parts.append(_add_thresholds(graph, cells, [tests[k] for k in numbers]))
        order += numbers
    for column in sorted({test.column for test in tests if test.threshold is None}):
        some = [k for k, test in enumerate(tests) if test.threshold is None and test.column == column]
        parts.append(_add_sets(graph, cells, [tests[k] for k in some], n_levels[column]))
        order += some
    places = np.argsort(order).tolist()
    return graph.take(graph.join(parts), places)


def _add_thresholds(graph: Graph, cells: str, tests: list[Test]) -> str:
    x = graph.take(cells, [test.column for test in tests])
    at_most = graph.add("LessOrEqual", x, graph.constant([[float(test.threshold or 0.0) for test in tests]]))
    turned = graph.add("Xor", at_most, graph.constant([[test.above for test in tests]], np.bool_))
    answer = graph.to_number(turned)
    return graph.add("Where", graph.add("IsNaN", x), graph.constant(np.nan), answer)


def _add_sets(graph: Graph, cells: str, tests: list[Test], n_levels: int | None) -> str:
    """A row of the table for each level, one never seen, and a missing cell."""
    many = (n_levels or 0) + 1
    table = np.zeros((many + 1, len(tests)))
    for k, test in enumerate(tests):
        table[[level for level in test.levels if level < many], k] = 1.0
        table[many if test.known is None else test.known :, k] = np.nan
    place = level_places(graph, cells, tests[0].column, many)
    return graph.add("Gather", graph.constant(table), place, axis=0)


def level_places(graph: Graph, cells: str, column: int, missing: int) -> str:
    """A level's number, `missing` for a missing cell."""
    x = graph.add("Squeeze", graph.take(cells, [column]), graph.constant([1], np.int64))
    known = graph.add("Where", graph.add("IsNaN", x), graph.constant(float(missing)), x)
    return graph.add("Cast", known, to=7)  # int64
