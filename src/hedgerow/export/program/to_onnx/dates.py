"""Dates in ONNX: the step `dates`.   In: days since 1970-01-01, rows x dates.   Out: their parts.

By eras of 400 years from 1 March on, so that leap days come last.
"""

import numpy as np

from hedgerow.export.program.to_onnx.graph import Graph
from hedgerow.features.dates import FARTHEST


def add_parts(graph: Graph, days: str, part: str) -> str:
    near = graph.add("Less", graph.add("Abs", days), graph.constant(float(FARTHEST)))
    known = graph.add("Where", near, days, graph.constant(0.0))
    whole = graph.add("Floor", known)
    if part == "hour":
        hours = graph.add("Mul", graph.add("Sub", known, whole), graph.constant(24.0))
        found = graph.add("Floor", graph.add("Add", hours, graph.constant(1e-6)))
    elif part == "weekday":
        found = _rest(graph, graph.add("Add", whole, graph.constant(3.0)), 7.0)
    else:
        found = _add_calendar(graph, whole, part)
    return graph.add("Where", near, found, graph.constant(np.nan))


def add_span(graph: Graph, first: str, second: str) -> str:
    days = graph.add("Sub", second, first)
    return graph.add("Where", graph.add("IsInf", days), graph.constant(np.nan), days)


def _quotient(graph: Graph, x: str, by: float) -> str:
    return graph.add("Floor", graph.add("Div", x, graph.constant(by)))


def _rest(graph: Graph, x: str, by: float) -> str:
    return graph.add("Sub", x, graph.add("Mul", _quotient(graph, x, by), graph.constant(by)))


def _add_calendar(graph: Graph, whole: str, part: str) -> str:
    day = graph.add("Add", whole, graph.constant(719468.0))
    era, day = _quotient(graph, day, 146097.0), _rest(graph, day, 146097.0)
    without = graph.add("Sub", day, _quotient(graph, day, 1460.0))
    without = graph.add("Add", without, _quotient(graph, day, 36524.0))
    without = graph.add("Sub", without, _quotient(graph, day, 146096.0))
    year = _quotient(graph, without, 365.0)
    leaps = graph.add("Sub", _quotient(graph, year, 4.0), _quotient(graph, year, 100.0))
    before = graph.add("Add", graph.add("Mul", year, graph.constant(365.0)), leaps)
    times = graph.add("Mul", graph.add("Sub", day, before), graph.constant(5.0))
    month = _quotient(graph, graph.add("Add", times, graph.constant(2.0)), 153.0)
    late = graph.to_number(graph.add("GreaterOrEqual", month, graph.constant(10.0)))  # January, February
    if part == "month":
        moved = graph.add("Add", month, graph.constant(2.0))
        return graph.add("Sub", moved, graph.add("Mul", late, graph.constant(12.0)))
    years = graph.add("Add", graph.add("Mul", era, graph.constant(400.0)), year)
    return graph.add("Add", years, late)
