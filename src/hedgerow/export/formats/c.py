"""C.   In: a fitted model.   Out: one C99 file that needs the standard library alone.

    double model_predict(const double *cells, double *probabilities);     the number, or the place of the class
    double model_level(int column, const char *text);                     a category as a cell; NAN is a missing cell
    const char *const model_classes[];

    cc -std=c99 -ffp-contract=off -DMODEL_TEST model.c -lm && ./a.out     answers the test rows it carries

No name of the data stands in it but as a string of escaped bytes. Numbers are written in hexadecimal: none is rounded.
"""

import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hedgerow.errors import ParameterError
from hedgerow.export.program.prove import ExportError, make_program
from hedgerow.export.program.steps import TAKES as TAKES
from hedgerow.export.program.steps import Program
from hedgerow.export.program.to_c.steps import Written, write_number, write_steps
from hedgerow.store import ModelState

TITLE, SUFFIX = "C99, standalone", ".c"
FLAGS = ("-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror")


def export(state: ModelState, *, prefix: str = "model") -> str:
    """`prefix`: how the names of its functions begin."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,50}", prefix):
        raise ParameterError("{prefix} is no name in C. Give letters, digits and underscores.", prefix=prefix)
    return write_c(make_program(state), prefix)


def write_c(program: Program, prefix: str) -> str:
    written = write_steps(program)
    return "\n".join(
        [
            "/* A model, exported by hedgerow. C99; compile with -ffp-contract=off for the same bits. */",
            "#include <math.h>",
            "#include <stddef.h>",
            "#include <string.h>",
            "",
            f"enum {{ {prefix.upper()}_COLUMNS = {len(program['columns'])} }};",
            *_write_texts(program, prefix),
            *written.lines,
            *_write_predict(program, written, prefix),
            *_write_test(program, prefix),
            "",
        ]
    )


def write_string(text: str) -> str:
    """Bytes that are no letter or digit as three octal digits: no quote, comment or trigraph is left."""
    return (
        '"' + "".join(chr(b) if chr(b).isalnum() and b < 128 else f"\\{b:03o}" for b in text.encode()) + '"'
    )


def _write_texts(program: Program, prefix: str) -> list[str]:
    names = ", ".join(write_string(column["name"]) for column in program["columns"])
    lines = [f"const char *const {prefix}_columns[] = {{{names or '0'}}};"]
    if program["classes"] is not None:
        classes = ", ".join(write_string(str(label)) for label in program["classes"])
        lines.append(f"const char *const {prefix}_classes[] = {{{classes}}};")
    known = [(j, c["levels"]) for j, c in enumerate(program["columns"]) if c["levels"] is not None]
    for j, levels in known:
        listed = ", ".join(write_string(level) for level in levels) or '""'
        lines.append(f"static const char *const levels_{j}[] = {{{listed}}};")
    if not known:
        return [*lines, ""]
    lines += [
        "",
        f"double {prefix}_level(int column, const char *text);",
        f"double {prefix}_level(int column, const char *text) {{",
        "  const char *const *levels = NULL;",
        "  int count = 0, k;",
        "  if (text == NULL) return NAN;",
        *(f"  if (column == {j}) {{ levels = levels_{j}; count = {len(levels)}; }}" for j, levels in known),
        "  for (k = 0; k < count; ++k)",
        "    if (strcmp(levels[k], text) == 0) return k;",
        "  return count;",
        "}",
        "",
    ]
    return lines


def _write_predict(program: Program, written: Written, prefix: str) -> list[str]:
    answer, widths = program["answer"], written.widths
    more = "probabilities" if answer["interval"] is None else "interval"
    lines = [
        f"double {prefix}_predict(const double *cells, double *{more});",
        f"double {prefix}_predict(const double *cells, double *{more}) {{",
        *(f"  double s{k}[{max(1, width)}];" for k, width in enumerate(widths)),
        *(f"  {call}" for call in written.calls),
    ]
    shares = answer["probabilities"] if program["classes"] is not None else answer["interval"]
    if shares is not None:
        lines.append(f"  if ({more} != NULL) memcpy({more}, s{shares}, {widths[shares]} * sizeof(double));")
    else:
        lines.append(f"  (void){more};")
    value = answer["value"]
    if program["classes"] is None:
        return [*lines, f"  return s{value}[0];", "}", ""]
    decided = "0" if len(program["classes"]) == 1 else f"decide(s{value}, {widths[value]})"
    return [*lines, f"  return {decided};", "}", ""]


def _write_test(program: Program, prefix: str) -> list[str]:
    """A program that prints the answers to the test rows."""
    rows = [", ".join(_write_cell(column, cell) for column, cell in zip(program["columns"], test["cells"], strict=True))
            for test in program["tests"]]  # fmt: skip
    width = max(1, len(program["columns"]))
    many = len(program["classes"] or ()) if program["answer"]["probabilities"] is not None else 0
    many = many if program["answer"]["interval"] is None else 2
    return [
        f"#ifdef {prefix.upper()}_TEST",
        "#include <stdio.h>",
        f"static const double test_rows[][{width}] = {{",
        *(f"  {{{row or '0'}}}," for row in rows or ["0"]),
        "};",
        "int main(void) {",
        "  int i, k;",
        f"  for (i = 0; i < {len(rows)}; ++i) {{",
        f"    double shares[{max(1, many)}] = {{0}};",
        f'    printf("%a", {prefix}_predict(test_rows[i], shares));',
        f'    for (k = 0; k < {many}; ++k) printf(" %a", shares[k]);',
        '    printf("\\n");',
        "  }",
        "  return 0;",
        "}",
        "#endif",
    ]


def _write_cell(column: dict[str, Any], cell: Any) -> str:
    if cell is None:
        return "NAN"
    if column["levels"] is None:
        return write_number(float(cell))
    return str(column["levels"].index(cell) if cell in column["levels"] else len(column["levels"]))


def run(text: str, program: Program) -> list[dict[str, Any]] | None:
    """Compiled and run, where there is a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    prefix = re.search(r"^double (\w+)_predict\(", text, re.MULTILINE)
    if compiler is None or prefix is None:
        return None
    with TemporaryDirectory() as folder:
        file, made = Path(folder) / "model.c", Path(folder) / "model"
        file.write_text(text, encoding="ascii")
        flags = [*FLAGS, f"-D{prefix[1].upper()}_TEST"]
        built = subprocess.run(
            [compiler, *flags, str(file), "-o", str(made), "-lm"], capture_output=True, text=True, check=False
        )
        if built.returncode:
            raise ExportError(f"The exported C does not compile: {built.stderr[-500:]}")
        lines = subprocess.run([str(made)], capture_output=True, text=True, check=True).stdout.splitlines()
    return [_read_answer(program, [float.fromhex(x) for x in line.split()]) for line in lines]


def _read_answer(program: Program, found: list[float]) -> dict[str, Any]:
    value, *shares = found
    classes = program["classes"]
    if program["answer"]["interval"] is not None:
        return {"value": value, "probabilities": None, "interval": shares}
    return {"value": value if classes is None else classes[int(value)], "probabilities": shares or None}
