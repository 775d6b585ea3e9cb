"""Rows that try a program.   In: the Program.   Out: rows of cells: the way to every leaf where that can be done,
numbers at thresholds and one float beside them, missing cells, levels never seen.
"""

from collections.abc import Iterator
from math import inf, nextafter
from random import Random
from typing import Any

from hedgerow.export.program.steps import CELLS, EACH, Program, Step
from hedgerow.features.dates import FARTHEST

MOST_WAYS, MOST_MIXED = 120, 60
FEATURES = ("dates", "rates", "words")  # steps that make columns: more rows try them
DAYS = (  # turns of years and centuries, leap days, hours; beyond the calendar
    0.0, -1.0, 58.0, 59.0, 789.0, 790.0, 11015.0, 11016.0, 11017.0, 10956.0, 10957.0, -25509.0, -25508.0, -719468.0,
    47540.0, 47541.0, 19000.25, 19723.999999, 20088.5, 20453.0416666, 15340.75, -0.25, 2e6, -2e6,
    nextafter(FARTHEST, 0.0), float(FARTHEST), -4e6, *(day + 0.3 for day in range(-7000, 24000, 501)),
)  # fmt: skip
UNSEEN = "a level nobody has seen"
Cells = list[Any]


def make_rows(program: Program) -> list[Cells]:
    """As a caller would give them: numbers, text, None."""
    random, columns = Random(0), program["columns"]
    points = _points(program)
    if not _takes_gaps(program):
        points = [[x for x in some if x is not None] for some in points]
        for j, x in _days(program):
            points[j] = [known for known in points[j] if known != x or abs(x) < FARTHEST]
    usual = [some[0] for some in points]
    ways = [_row_of_way(way, usual, columns) for way in _spread(list(_ways(program)), MOST_WAYS)]
    more = 3 if any(step["do"] in FEATURES for step in program["steps"]) else 1
    mixed = [[random.choice(some) for some in points] for _ in range(more * MOST_MIXED)]
    blank = [[None] * len(columns)] if _takes_gaps(program) else []
    rows = [usual, *blank, *ways, *mixed]
    return [row for row in rows if all(not isinstance(x, float) or abs(x) < 1e300 for x in row)]


def _takes_gaps(program: Program) -> bool:
    """Machines that read plain cells refuse missing ones, as the model does."""
    steps = program["steps"]

    def reads_cells(step: Step) -> bool:
        return step["of"] == CELLS or keeps_gaps(steps[step["of"]])

    def keeps_gaps(step: Step) -> bool:
        if step["do"] == "join":
            return any(keeps_gaps(steps[source]) for source in step["sources"])
        return step["do"] in ("take", "recode", "dates") and reads_cells(step)

    return not any(step["do"] in ("linear", "kernel") and reads_cells(step) for step in steps)


def _points(program: Program) -> list[list[Any]]:
    """Cells worth trying, for each column."""
    found: list[list[Any]] = [[] for _ in program["columns"]]
    for step, places in _steps_on_cells(program):
        for j, x in _numbers_in(step):
            if places[j] is not None:
                found[places[j]] += [x, nextafter(x, inf), nextafter(x, -inf)]
    for some, column in zip(found, program["columns"], strict=True):
        if column["kind"] == "text":
            some[:] = _texts(program)
        elif column["kind"] == "category":
            some[:] = [*column["levels"], UNSEEN, None]
        elif column["kind"] == "boolean":
            some[:] = [0.0, 1.0, None]
        else:
            some[:] = [
                *(_spread(sorted({x for x in some if abs(x) < 1e300}), 30) or [0.0, 1.0]),
                0.5,
                -3.25,
                1e6,
                None,
            ]
    for j, days in _days(program):
        found[j].append(days)
    return found


def _days(program: Program) -> Iterator[tuple[int, float]]:
    """Worth trying, for each date."""
    for step, places in _steps_on_cells(program):
        if step["do"] == "dates":
            dates = {*(one["column"] for one in step["parts"]), *(j for pair in step["spans"] for j in pair)}
            yield from ((places[j], days) for j in sorted(dates) for days in DAYS if places[j] is not None)


def _texts(program: Program) -> list[Any]:
    """Some of the terms, as people write them; others; none."""
    steps = [step for step in program["steps"] if step["do"] == "words"]
    terms = _spread([term for step in steps for one in step["columns"] for term in one["terms"]], 60)
    lines = [" ".join(terms[k : k + 5]) for k in range(0, len(terms), 3)]
    shouted = [", ".join(terms[k::7]).upper() + "!" for k in range(min(7, len(terms)))]
    return [
        *lines,
        *shouted,
        *terms[:10],
        "",
        "\u00c9t\u00e9 \u0939\u093f\u0902\u0926\u0940 x\u00b2 a_b 1-22",
        None,
    ]


def _steps_on_cells(program: Program) -> Iterator[tuple[Step, list[Any]]]:
    """Steps that read cells, perhaps some of them, and which column each is."""
    everything = list(range(len(program["columns"])))
    known: dict[int, list[Any]] = {CELLS: everything}
    for k, step in enumerate(program["steps"]):
        places = known.get(step["of"])
        if places is None:
            continue
        if step["do"] == "take":
            known[k] = [places[j] for j in step["columns"]]
        elif step["do"] == "recode":
            known[k] = [
                j if levels is None else None for j, levels in zip(places, step["columns"], strict=True)
            ]
        elif step["do"] == "dates":
            known[k] = [None] * (len(step["parts"]) + len(step["spans"]))
        elif step["do"] == "rates":
            known[k] = [None for one in step["columns"] for _ in one["overall"]]
        elif step["do"] == "words":
            known[k] = [None for one in step["columns"] for _ in one["terms"]]
        elif step["do"] == "join" and all(source in known for source in step["sources"]):
            known[k] = [j for source in step["sources"] for j in known[source]]
        yield step, places


def _numbers_in(step: Step) -> Iterator[tuple[int, float]]:
    if step["do"] in ("trees", "leaves"):
        for tree in step["trees"]:
            yield from (
                (j, t) for j, t in zip(tree["column"], tree["threshold"], strict=True) if t is not None
            )
            yield from (
                (one["column"], one["threshold"])
                for some in tree.get("surrogates", ())
                for one in some or ()
                if one["threshold"] is not None
            )
    elif step["do"] == "rules":
        for condition in (one for rule in step["rules"] for one in rule):
            yield from (
                (condition["column"], x) for x in (condition["low"], condition["high"]) if x is not None
            )
    elif step["do"] == "prepare":
        for j, column in enumerate(step["columns"]):
            yield from ((j, column["centre"] + k * column["scale"]) for k in (-2, 0, 0.3, 1))
    elif step["do"] == "recode":
        for j, known in enumerate(step["columns"]):
            yield from ((j, x) for x in known or () if x is not None)
    elif step["do"] == "kernel":
        for row in step["rows"][:5]:
            yield from ((j, x * step["spread"][j] + step["centre"][j]) for j, x in enumerate(row))


# ------------------------------------------------------------------------------------------------- the way to a leaf

Way = dict[int, Any]  # column -> [low, high] or the set of levels


def _ways(program: Program) -> Iterator[Way]:
    for step, places in _steps_on_cells(program):
        if step["do"] in ("trees", "leaves"):
            for tree in step["trees"]:
                yield from _ways_of_tree(tree, places, program["columns"])


def _ways_of_tree(tree: Any, places: list[Any], columns: list[Any]) -> Iterator[Way]:
    waiting: list[tuple[int, Way]] = [(0, {})]
    while waiting:
        at, way = waiting.pop()
        child = tree["child"][at]
        if child < 0:
            yield way
            continue
        j, levels = places[tree["column"][at]], tree["levels"][at]
        if j is None:  # made of others: either way
            waiting += [(child + k, way) for k in range(tree["children"][at])]
        elif levels is None:
            low, high = way.get(j, (-inf, inf))
            t = tree["threshold"][at]
            sides = [(child, (low, min(high, t))), (child + 1, (max(low, t), high))]
            waiting += [(to, {**way, j: span}) for to, span in sides if span[0] < span[1]]
        else:
            known = way.get(j, frozenset(range(len(columns[j]["levels"]) + 1)))
            if levels == EACH:
                kept = [(child + k, known & {k}) for k in range(tree["children"][at])]
            else:
                kept = [(child, known & set(levels)), (child + 1, known - set(levels))]
            waiting += [(to, {**way, j: some}) for to, some in kept if some]


def _row_of_way(way: Way, usual: Cells, columns: list[Any]) -> Cells:
    row = list(usual)
    for j, allowed in way.items():
        if isinstance(allowed, frozenset):
            k, levels = min(allowed), columns[j]["levels"]
            row[j] = levels[k] if k < len(levels) else UNSEEN
        elif columns[j]["kind"] == "boolean":
            row[j] = float(not allowed[0] < 0.0 <= allowed[1])
        else:
            low, high = allowed
            row[j] = high if high < 1e300 else nextafter(low, inf) if low > -inf else usual[j]
    return row


def _spread(items: list[Any], most: int) -> list[Any]:
    """At most so many, from the first to the last."""
    if len(items) <= most:
        return items
    return [items[k * len(items) // most] for k in range(most)]
