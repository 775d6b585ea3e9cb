"""Steps of a scoring program in plain operators.   In: a step, the tensor it reads.   Out: the tensor it makes, and how
many numbers that has.
"""

from typing import Any, NamedTuple

import numpy as np

from hedgerow.export.program.steps import PART_LEVELS, Step, by_step, refuse_words
from hedgerow.export.program.to_onnx.cell_tests import Test, add_tests, level_places
from hedgerow.export.program.to_onnx.dates import add_parts, add_span
from hedgerow.export.program.to_onnx.graph import Graph
from hedgerow.export.program.to_onnx.trees import add_leaves, add_trees

LARGEST = 1e100  # of a prepared number


class Made(NamedTuple):
    """The numbers of a step: rows x width. Which of them are levels, and of how many."""

    name: str
    n_levels: list[int | None]

    @property
    def width(self) -> int:
        return len(self.n_levels)


def plain(name: str, width: int) -> Made:
    return Made(name, [None] * width)


def write_take(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    return Made(graph.take(of.name, step["columns"]), [of.n_levels[j] for j in step["columns"]])


def write_recode(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    parts = []
    for j, known in enumerate(step["columns"]):
        x = graph.take(of.name, [j])
        if known is not None:
            numbers = graph.constant([[np.nan if k is None else k for k in known] or [np.nan]])
            place = graph.first_true(graph.to_number(graph.add("Equal", x, numbers)))
            place = graph.add("Unsqueeze", graph.to_number(place), graph.constant([1], np.int64))
            place = graph.add("Min", place, graph.constant(float(len(known))))
            x = graph.add("Where", graph.add("IsNaN", x), x, place)
        parts.append(x)
    levels = zip(of.n_levels, step["columns"], strict=True)
    return Made(graph.join(parts), [own if known is None else len(known) for own, known in levels])


def write_dates(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    parts = [add_parts(graph, graph.take(of.name, [one["column"]]), one["part"]) for one in step["parts"]]
    for first, second in step["spans"]:
        parts.append(add_span(graph, graph.take(of.name, [first]), graph.take(of.name, [second])))
    levels = [PART_LEVELS[one["part"]] for one in step["parts"]]
    return Made(graph.join(parts), [*levels, *[None] * len(step["spans"])])


def write_rates(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    """The last row of a table is for a level that is missing or was never seen."""
    parts = [
        graph.add(
            "Gather",
            graph.constant([*one["values"], one["overall"]]),
            level_places(graph, of.name, one["column"], len(one["values"])),
            axis=0,
        )
        for one in step["columns"]
    ]
    return plain(graph.join(parts), sum(len(one["overall"]) for one in step["columns"]))


def write_words(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    refuse_words("ONNX")


def write_join(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    sources = [made[k] for k in step["sources"]]
    return Made(graph.join([one.name for one in sources]), [own for one in sources for own in one.n_levels])


def write_prepare(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    """Numbers together, gaps together, each category by itself; then in their order."""
    columns = step["columns"]
    numbers = [j for j, column in enumerate(columns) if column["levels"] is None]
    gaps = [j for j, column in enumerate(columns) if column["gap"]]
    place: dict[tuple[int, int], int] = {}
    parts = []
    if numbers:
        parts.append(_add_scaled(graph, of.name, numbers, columns))
        place |= {(j, 0): k for k, j in enumerate(numbers)}
    if gaps:
        parts.append(graph.to_number(graph.add("IsNaN", graph.take(of.name, gaps))))
        place |= {(j, -1): len(place) + k for k, j in enumerate(gaps)}
    for j, column in enumerate(columns):
        if column["levels"]:
            known = graph.constant([[float(level) for level in column["levels"]]])
            parts.append(graph.to_number(graph.add("Equal", graph.take(of.name, [j]), known)))
            place |= {(j, k): len(place) + k for k in range(len(column["levels"]))}
    order = []
    for j, column in enumerate(columns):
        many = 1 if column["levels"] is None else len(column["levels"])
        order += [place[j, k] for k in (*range(many), *([-1] if column["gap"] else []))]
    return plain(graph.take(graph.join(parts), order), len(order))


def _add_scaled(graph: Graph, cells: str, numbers: list[int], columns: list[dict[str, Any]]) -> str:
    two, x = graph.constant(2.0), graph.take(cells, numbers)
    half = graph.add(
        "Sub", graph.add("Div", x, two), graph.constant([[columns[j]["centre"] / 2 for j in numbers]])
    )
    scaled = graph.add("Div", half, graph.constant([[columns[j]["scale"] for j in numbers]]))
    away = graph.add("Where", graph.add("IsNaN", x), graph.constant(0.0), graph.add("Mul", scaled, two))
    return graph.add("Min", graph.add("Max", away, graph.constant(-LARGEST)), graph.constant(LARGEST))


def write_trees(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    return plain(add_trees(graph, step, of.name, of.n_levels), len(step["start"]))


def write_leaves(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    return plain(add_leaves(graph, step, of.name, of.n_levels), len(step["trees"]))


def write_rules(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    """All conditions at once; a rule holds if none of its conditions fails; the first one that holds."""
    width = len(step["value"][0])
    tests, missing, rule_of = list[Test](), list[float](), list[int]()
    for r, rule in enumerate(step["rules"]):
        for one in rule:
            ends = [Test(one["column"], one["high"])] if one["high"] is not None else []
            ends += [Test(one["column"], one["low"], above=True)] if one["low"] is not None else []
            if one["levels"] is not None:
                ends = [_level_test(one, of.n_levels[one["column"]])]
            elif not ends:
                ends = [Test(one["column"], np.finfo(np.float64).max)]
            tests += ends
            missing += [float(one["missing"])] * len(ends)
            rule_of += [r] * len(ends)
    if not tests:
        always = step["value"][0]
        return plain(graph.join([graph.fill(x, of.name, 1) for x in always]), width)
    holds = add_tests(graph, of.name, tests, of.n_levels)
    holds = graph.add("Where", graph.add("IsNaN", holds), graph.constant([missing]), holds)
    fails = graph.add("Sub", graph.constant(1.0), holds)
    belongs = np.equal.outer(rule_of, np.arange(len(step["rules"])))
    failing = graph.add("MatMul", fails, graph.constant(belongs))
    first = graph.first_true(graph.to_number(graph.add("Equal", failing, graph.constant(0.0))))
    return plain(graph.add("Gather", graph.constant(step["value"]), first, axis=0), width)


def _level_test(condition: dict[str, Any], n_levels: int | None) -> Test:
    """Of a number no level is one: a condition for missing cells alone."""
    if n_levels is None:
        return Test(condition["column"], -np.inf)
    return Test(condition["column"], None, tuple(int(level) for level in condition["levels"]))


def write_linear(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    many = len(step["intercept"])
    coef = np.array(step["coef"], np.float64).reshape(many, of.width).T
    total = graph.add("MatMul", of.name, graph.constant(coef))
    return plain(graph.add("Add", total, graph.constant([step["intercept"]])), many)


def write_kernel(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    kernel, many = step["kernel"], len(step["intercept"])
    rows = np.array(step["rows"], np.float64).reshape(-1, of.width)
    if not len(rows):
        return plain(graph.join([graph.fill(x, of.name, 1) for x in step["intercept"]]), many)
    centred = graph.add("Sub", of.name, graph.constant([step["centre"]]))
    x = graph.add("Div", centred, graph.constant([step["spread"]]))
    if of.width == 1:
        x = graph.scale("Div", centred, step["spread"][0])
    if kernel["name"] == "rbf":
        values = graph.add("Exp", graph.scale("Mul", _add_distances(graph, x, rows), -kernel["gamma"]))
    else:
        inner = graph.add("MatMul", x, graph.constant(rows.T))
        values = _add_kernel(graph, kernel, inner)
    coef = np.array(step["coef"], np.float64).reshape(len(rows), many)
    total = graph.add("MatMul", values, graph.constant(coef))
    return plain(graph.add("Add", total, graph.constant([step["intercept"]])), many)


def _add_distances(graph: Graph, x: str, rows: np.ndarray[Any, Any]) -> str:
    """|x - z|^2 by products, from the middle of the support vectors: far from it digits would be lost."""
    middle = rows.mean(axis=0)
    x, rows = graph.add("Sub", x, graph.constant([middle])), rows - middle
    own = graph.sum(graph.add("Mul", x, x))
    both = graph.add("MatMul", x, graph.constant(-2 * rows.T))
    apart = graph.add("Add", graph.add("Add", own, both), graph.constant([np.sum(rows**2, axis=1)]))
    return graph.add("Max", apart, graph.constant(0.0))


def _add_kernel(graph: Graph, kernel: dict[str, Any], inner: str) -> str:
    if kernel["name"] == "linear":
        return inner
    scaled = graph.scale("Mul", inner, kernel["gamma"])
    moved = graph.add("Add", scaled, graph.constant(kernel["coef0"]))
    if kernel["name"] == "sigmoid":
        return graph.add("Tanh", moved)
    return graph.add("Pow", moved, graph.constant(float(kernel["degree"])))


def write_link(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    return LINK[step["name"]](graph, step, of)


def _identity(graph: Graph, step: Step, of: Made) -> Made:
    return of


def _log(graph: Graph, step: Step, of: Made) -> Made:
    raised = graph.add("Add", of.name, graph.constant(step["factor"]))
    share = graph.scale("Div", raised, 1 + of.width * step["factor"])
    return plain(graph.add("Log", share), of.width)


def _exp(graph: Graph, step: Step, of: Made) -> Made:
    return plain(graph.add("Exp", of.name), of.width)


def _tanh(graph: Graph, step: Step, of: Made) -> Made:
    return plain(graph.add("Tanh", of.name), of.width)


def _clip(graph: Graph, step: Step, of: Made) -> Made:
    below = graph.add("Min", of.name, graph.constant(step["factor"]))
    return plain(graph.add("Max", below, graph.constant(-step["factor"])), of.width)


def _dead_zone(graph: Graph, step: Step, of: Made) -> Made:
    outside = graph.add("Greater", graph.add("Abs", of.name), graph.constant(step["factor"]))
    return plain(graph.add("Mul", graph.add("Sign", of.name), graph.to_number(outside)), of.width)


def _soft_threshold(graph: Graph, step: Step, of: Made) -> Made:
    over = graph.add("Sub", graph.add("Abs", of.name), graph.constant(step["factor"]))
    kept = graph.add("Max", over, graph.constant(0.0))
    return plain(graph.add("Mul", graph.add("Sign", of.name), kept), of.width)


def _logistic(graph: Graph, step: Step, of: Made) -> Made:
    small = graph.add("Exp", graph.scale("Mul", of.name, -step["factor"]))
    one = graph.constant(1.0)
    second = graph.add("Div", one, graph.add("Add", one, small))
    return plain(graph.join([graph.add("Sub", one, second), second]), 2)


def _softmax(graph: Graph, step: Step, of: Made) -> Made:
    scaled = graph.scale("Mul", of.name, step["factor"])
    return plain(graph.add("Softmax", scaled, axis=1), of.width)


def _shares(graph: Graph, step: Step, of: Made) -> Made:
    """A slope for each side of 0."""
    above = graph.add("Greater", of.name, graph.constant(0.0))
    slope = graph.add("Where", above, graph.constant(step["above"]), graph.constant(step["factor"]))
    score = graph.add("Mul", of.name, slope)
    both = graph.join([graph.fill(0.0, of.name, 1), score])
    return plain(graph.add("Softmax", both, axis=1), 2)


def _odds(graph: Graph, step: Step, of: Made) -> Made:
    one = graph.constant(1.0)
    z = graph.scale("Mul", of.name, step["factor"])
    small = graph.add("Exp", graph.add("Neg", graph.add("Abs", z)))
    whole = graph.add("Add", one, small)
    positive = graph.add("GreaterOrEqual", z, graph.constant(0.0))
    yes = graph.add("Div", graph.add("Where", positive, one, small), whole)
    if of.width == 1:
        no = graph.add("Div", graph.add("Where", positive, small, one), whole)
        return plain(graph.join([no, yes]), 2)
    return plain(graph.add("Div", yes, graph.sum(yes)), of.width)


LINK = {
    "identity": _identity, "log": _log, "exp": _exp, "tanh": _tanh, "logistic": _logistic, "softmax": _softmax,
    "odds": _odds, "shares": _shares, "clip": _clip, "dead_zone": _dead_zone, "soft_threshold": _soft_threshold,
}  # fmt: skip


def write_pairs(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    n = step["classes"]
    first, second = np.triu_indices(n, 1)
    yes, no = np.eye(n)[first], np.eye(n)[second]
    wins = graph.to_number(graph.add("Greater", of.name, graph.constant(0.0)))
    losses = graph.add("Sub", graph.constant(1.0), wins)
    count = graph.add(
        "Add", graph.add("MatMul", wins, graph.constant(yes)), graph.add("MatMul", losses, graph.constant(no))
    )
    if step["rounded"]:
        return plain(count, n)
    sure = graph.add("MatMul", of.name, graph.constant(yes - no))
    scale = graph.add(
        "Mul", graph.add("Add", graph.add("Abs", sure), graph.constant(1.0)), graph.constant(3.0)
    )
    return plain(graph.add("Add", count, graph.add("Div", sure, scale)), n)


def add_decision(graph: Graph, of: Made) -> str:
    """The number of the class: of the largest score, the first of equals; of one score, 1 where it is above 0."""
    if of.width > 1:
        return graph.add("ArgMax", of.name, axis=1, keepdims=0)
    above = graph.add("Greater", of.name, graph.constant(0.0))
    return graph.add("Squeeze", graph.add("Cast", above, to=7), graph.constant([1], np.int64))


def write_vote(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    many = max(2, of.width)
    return plain(graph.add("Gather", graph.constant(np.eye(many)), add_decision(graph, of), axis=0), many)


def write_weigh(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    total = graph.constant([[0.0] * step["width"]])
    for source, weight, places in zip(step["sources"], step["weights"], step["places"], strict=True):
        part = made[source]
        if places != list(range(step["width"])):
            spread = np.equal.outer(places, np.arange(step["width"]))
            part = plain(graph.add("MatMul", part.name, graph.constant(spread)), step["width"])
        name = part.name if weight is None else graph.scale("Mul", part.name, weight)
        total = graph.add("Add", total, name)
    if step["divide"] is not None:
        total = graph.scale("Div", total, step["divide"])
    return plain(total, step["width"])


def write_median(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    """Values from the least on, until half of the weight is reached."""
    many = graph.constant([of.width], np.int64)
    values, order = graph.add_many("TopK", of.name, many, n_outputs=2, axis=1, largest=0, sorted=1)
    weights = graph.add("Gather", graph.constant(step["weights"]), order, axis=0)
    reached = graph.add("CumSum", weights, graph.constant(1, np.int64))
    half = graph.add("Mul", graph.take(reached, [of.width - 1]), graph.constant(0.5))
    enough = graph.to_number(graph.add("GreaterOrEqual", reached, half))
    place = graph.add("ArgMax", enough, axis=1, keepdims=1)
    return plain(graph.add("GatherElements", values, place, axis=1), 1)


def write_silent(graph: Graph, step: Step, of: Made, made: list[Made]) -> Made:
    loudest = graph.add("ReduceMax", graph.add("Abs", of.name), graph.constant([1], np.int64), keepdims=1)
    silent = graph.add("Equal", loudest, graph.constant(0.0))
    other = made[step["source"]]
    return plain(graph.add("Where", silent, graph.constant([step["value"]]), other.name), other.width)


WRITE = by_step(globals(), "write_")
