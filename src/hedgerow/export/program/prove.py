"""Does an export say what the model says?   In: the model's state, its Program.   Out: the Program with test rows and
the model's own answers; and an ExportError where another program answers otherwise.
"""

from math import isclose
from typing import Any

import numpy as np

from hedgerow.export.program.build import COVERAGE, build_program
from hedgerow.export.program.runtime import decide, predict, read_cells, run_steps
from hedgerow.export.program.steps import Program, is_exact
from hedgerow.export.program.test_rows import make_rows
from hedgerow.store import ModelState, predict_state
from hedgerow.table import Column, Table
from hedgerow.table.texts import Texts

TOLERANCE = 1e-9  # of what is not exact: sums of products and exponentials, relative to 1 or to the number


class ExportError(RuntimeError):
    """What was exported does not answer as the model does, or could not be run."""


def make_program(state: ModelState) -> Program:
    """With test rows and the model's answers."""
    program = build_program(state)
    rows = [row for row in make_rows(program) if _is_clear(program, row)]
    found = predict_state(state, _to_table(state, rows), 1)
    values, shares, ends = found.values, found.probabilities, _intervals(state, found.values)
    tests = [
        {
            "cells": row,
            "value": _plain(values[i] if state.classes is None else state.classes[values[i]]),
            "probabilities": None if shares is None else shares[i].tolist(),
            **({} if ends is None else {"interval": ends[i]}),
        }
        for i, row in enumerate(rows)
    ]
    program["tests"] = tests
    compare(program, [predict(program, test["cells"]) for test in tests], "The scoring program")
    return program


def _intervals(state: ModelState, values: Any) -> list[list[float]] | None:
    if state.decision is None or state.decision.intervals is None:
        return None
    low, high = state.decision.intervals.interval(values, COVERAGE)
    return [[float(a), float(b)] for a, b in zip(low, high, strict=True)]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _is_clear(program: Program, row: list[Any]) -> bool:
    """Of rows that lie on a boundary the last bit of an exponential decides: they prove nothing."""
    if program["classes"] is None or is_exact(program):
        return True
    scores = run_steps(program, read_cells(program["columns"], row))[program["answer"]["value"]]
    others = [x for k, x in enumerate(scores) if k != decide(scores)] if len(scores) > 1 else [0.0]
    top = scores[0] if len(scores) == 1 else max(scores)
    return bool(abs(top - max(others)) > TOLERANCE)


def _to_table(state: ModelState, rows: list[list[Any]]) -> Table:
    columns = []
    for j, (name, kind) in enumerate(zip(state.schema.names, state.schema.kinds, strict=True)):
        cells = [row[j] for row in rows]
        if kind not in ("category", "text"):
            numbers = np.array([np.nan if x is None else x for x in cells], np.float64)
            columns.append(Column(name, "number", numbers))
            continue
        levels = tuple(dict.fromkeys(x for x in cells if x is not None)) or ("",)
        codes = np.array([-1 if x is None else levels.index(x) for x in cells], np.int32)
        columns.append(Column(name, kind, codes, Texts(levels) if kind == "text" else levels))
    return Table(tuple(columns), len(rows), state.schema.named)


def compare(program: Program, answers: list[dict[str, Any]], who: str) -> None:
    """Answers to the program's test rows, beside the model's."""
    exact = is_exact(program)
    if len(answers) != len(program["tests"]):
        raise ExportError(f"{who} answered {len(answers)} of {len(program['tests'])} test rows.")
    for k, (test, answer) in enumerate(zip(program["tests"], answers, strict=True)):
        wanted = [test["value"], *(test["probabilities"] or []), *test.get("interval", ())]
        found = [answer["value"], *(answer["probabilities"] or []), *answer.get("interval", ())]
        if len(wanted) != len(found) or not all(map(lambda a, b: _same(a, b, exact), wanted, found)):
            raise ExportError(
                f"{who} does not answer as the model does. Test row {k}: the model says {wanted!r:.200}, the export "
                f"{found!r:.200}. Please report this; check=False writes it all the same."
            )


def _same(wanted: Any, found: Any, exact: bool) -> bool:
    if isinstance(wanted, float) and not exact:
        return isclose(wanted, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(wanted == found)
