"""JSON.   In: a fitted model.   Out: its scoring program (export/program/steps.py says what that is), with test rows.

docs/scoring-program.schema.json describes it; `hedgerow.export.load_program` reads it back, checks it and predicts.
"""

import json
from typing import Any

from hedgerow.export.program.prove import make_program
from hedgerow.export.program.runtime import predict
from hedgerow.export.program.scoring import parse_program
from hedgerow.export.program.steps import TAKES as TAKES
from hedgerow.export.program.steps import Program
from hedgerow.store import ModelState

TITLE, SUFFIX = "JSON: a scoring program", ".json"


def export(state: ModelState) -> str:
    return json.dumps(make_program(state), ensure_ascii=False, allow_nan=False) + "\n"


def run(text: str, program: Program) -> list[dict[str, Any]]:
    """The answers of what was exported to the test rows of the program."""
    read = parse_program(text)
    return [predict(read, test["cells"]) for test in program["tests"]]
