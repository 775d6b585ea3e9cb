"""A Decision in a model file.   In: Decision.   Out: a JSON object of the header; and back, checked.

{"calibrator": {"slope": [1.2, 1.2], "intercept": [0.1, -0.1], "floor": 0.001, "unit": 1.0, "knots": []},
 "point": {"aim": "the least expected cost", "positive": 1, "threshold": 0.05, "costs": []},
 "intervals": {"edges": [], "low": [[...]], "high": [[...]], "n_rows": 200}}         each of them or null
"""

from dataclasses import asdict
from itertools import pairwise
from math import isfinite
from typing import Any

from hedgerow.decision import COVERAGES, Decision, OperatingPoint, PredictionIntervals, ProbabilityCalibrator
from hedgerow.decision.isotonic import Knots
from hedgerow.store.errors import InvalidModelFile

NAME = "decision"


def decision_to(decision: Decision) -> dict[str, Any]:
    return asdict(decision)


def decision_from(given: Any, n_classes: int | None) -> Decision | None:
    """`n_classes`: None for a regression."""
    if given is None:
        return None
    fields = _fields("decision", given, ("calibrator", "point", "intervals"))
    calibrator, point, intervals = fields["calibrator"], fields["point"], fields["intervals"]
    if n_classes is None and not (calibrator is None and point is None):
        raise InvalidModelFile("is a regression and yet has an operating point")
    if n_classes is not None and intervals is not None:
        raise InvalidModelFile("has classes and yet intervals of numbers")
    return Decision(
        None if calibrator is None else _calibrator(calibrator, n_classes or 0),
        None if point is None else _point(point, n_classes or 0),
        None if intervals is None else _intervals(intervals),
    )


def _calibrator(given: Any, n_classes: int) -> ProbabilityCalibrator:
    if isinstance(given, dict) and "knots" not in given:  # as files once had it: one slope for all classes
        given = {**given, "slope": [given.get("slope")] * n_classes, "knots": []}
    fields = _fields("calibrator", given, ("slope", "intercept", "floor", "unit", "knots"))
    slope, intercept = (_numbers(name, fields[name], n_classes) for name in ("slope", "intercept"))
    floor, unit = (_number(name, fields[name]) for name in ("floor", "unit"))
    if not (min(slope, default=1.0) > 0 and floor >= 0 and unit > 0):
        raise InvalidModelFile("has a calibrator that is out of range")
    knots = _knots(fields["knots"], n_classes)
    return ProbabilityCalibrator(slope, intercept, floor, unit, knots)


def _knots(given: Any, n_classes: int) -> Knots:
    if not isinstance(given, list) or (given and (n_classes != 2 or len(given) < 2)):
        raise InvalidModelFile("has knots that are no line for two classes")
    knots = tuple(_numbers("knots", knot, 2) for knot in given)
    if any(x >= after_x or y > after_y for (x, y), (after_x, after_y) in pairwise(knots)):
        raise InvalidModelFile("has knots that do not rise")
    return tuple((x, y) for x, y in knots)


def _point(given: Any, n_classes: int) -> OperatingPoint:
    fields = _fields("operating point", given, ("aim", "positive", "threshold", "costs"))
    aim, positive, threshold, costs = fields["aim"], fields["positive"], fields["threshold"], fields["costs"]
    if not isinstance(aim, str) or type(positive) is not int or not 0 <= positive < max(n_classes, 1):
        raise InvalidModelFile("has an operating point without an aim or a class")
    if threshold is not None and n_classes != 2:
        raise InvalidModelFile(f"has a threshold for {n_classes} classes")
    if not isinstance(costs, list) or len(costs) not in (0, n_classes):
        raise InvalidModelFile(f"has costs that do not fit {n_classes} classes")
    return OperatingPoint(
        aim[:200],
        positive,
        None if threshold is None else _number("threshold", threshold),
        tuple(_numbers("costs", row, n_classes) for row in costs),
    )


def _intervals(given: Any) -> PredictionIntervals:
    fields = _fields("prediction intervals", given, ("edges", "low", "high", "n_rows"))
    edges, n_rows = fields["edges"], fields["n_rows"]
    if not isinstance(edges, list) or type(n_rows) is not int:
        raise InvalidModelFile("has prediction intervals without edges or a number of rows")
    known = _numbers("edges", edges, len(edges))
    if any(a >= b for a, b in pairwise(known)):
        raise InvalidModelFile("has prediction intervals whose edges do not rise")
    ends = {}
    for name in ("low", "high"):
        if not isinstance(fields[name], list) or len(fields[name]) != len(edges) + 1:
            raise InvalidModelFile("has not one prediction interval a bin")
        ends[name] = tuple(_numbers(name, row, len(COVERAGES)) for row in fields[name])
    return PredictionIntervals(known, ends["low"], ends["high"], n_rows)


def _fields(what: str, given: Any, names: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(given, dict) or set(given) != set(names):
        raise InvalidModelFile(f"has a {what} without {', '.join(names)}")
    return given


def _numbers(name: str, given: Any, length: int) -> tuple[float, ...]:
    if not isinstance(given, list) or len(given) != length:
        raise InvalidModelFile(f"has {name!r} that are not {length} numbers")
    return tuple(_number(name, value) for value in given)


def _number(name: str, given: Any) -> float:
    if type(given) not in (int, float) or not isfinite(given):
        raise InvalidModelFile(f"has a {name!r} that is no number")
    return float(given)
