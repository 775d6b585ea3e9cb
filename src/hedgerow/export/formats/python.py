"""Standalone Python.   In: a fitted model.   Out: one file that needs Python 3.10 and nothing else.

import model
model.predict({"age": 29.0, "sex": "female"})      # {"value": "survived", "probabilities": [0.06, 0.94]}

python THIS_FILE                                   # answers its own test rows, and says whether all are right
"""

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hedgerow.export.program.prove import ExportError, make_program
from hedgerow.export.program.steps import TAKES as TAKES
from hedgerow.export.program.steps import Program, is_exact
from hedgerow.store import ModelState

TITLE, SUFFIX = "Python, standalone", ".py"
HEAD = '''"""A model, exported by hedgerow. It needs Python 3.10 or later, and no package.

predict(row): the prediction for a dict of cells by column, or for a list of cells; None is a missing cell.
python THIS_FILE: the test rows it carries, answered; exits with 1 if an answer differs from the model's.
"""

import json
import sys
'''
TAIL = """
PROGRAM = json.loads(
    {program}
)
EXACT = {exact}


def predict(row):
    return run_program(PROGRAM, row)


def is_same(wanted, found):
    if EXACT or not isinstance(wanted, float):
        return wanted == found
    return abs(wanted - found) <= 1e-9 * max(1.0, abs(wanted))


def main():
    answers = [predict(test["cells"]) for test in PROGRAM["tests"]]
    if "--answers" in sys.argv:
        print(json.dumps(answers))
        return 0
    wrong = 0
    for test, answer in zip(PROGRAM["tests"], answers):
        wanted = [test["value"]] + (test["probabilities"] or []) + test.get("interval", [])
        found = [answer["value"]] + (answer["probabilities"] or []) + answer.get("interval", [])
        wrong += len(wanted) != len(found) or not all(map(is_same, wanted, found))
    print(f"{{len(answers) - wrong}} of {{len(answers)}} test rows answered as the model answers them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
"""


def export(state: ModelState) -> str:
    program = make_program(state)
    runtime = (files("hedgerow.export.program") / "runtime.py").read_text(encoding="utf-8")
    _, _, code = runtime.partition('"""\n\nfrom itertools')
    text = json.dumps(program, ensure_ascii=True, allow_nan=False)
    tail = TAIL.format(program=repr(text), exact=is_exact(program))
    return f"{HEAD}from itertools{code.replace('def predict(program: Any', 'def run_program(program: Any')}\n{tail}"


def run(text: str, program: Program) -> list[dict[str, Any]]:
    """In a Python that sees no packages."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "exported"
        file.write_text(text, encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, "-I", "-S", str(file), "--answers"], capture_output=True, text=True, check=False
        )
    if ran.returncode:
        raise ExportError(f"The exported Python does not run: {ran.stderr[-300:]}")
    answers: list[dict[str, Any]] = json.loads(ran.stdout)
    return answers
