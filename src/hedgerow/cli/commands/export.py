"""`hedgerow export`.   In: a model file, or a study's folder.   Out: the model in another form, to a file or to
standard output and nothing else: it is for another program.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hedgerow.cli.options import argument, make_command, option, split_names
from hedgerow.errors import ParameterError, check_choice
from hedgerow.plugins import plugin_names

FORMATS = ", ".join(plugin_names("hedgerow.export.formats"))
DOC = """Write a model in another form: for people, or for a program in another language.

\b
  hedgerow export titanic.hedgerow --to sql --dialect postgres --table people
  hedgerow export titanic-study --to c -o model.c
  hedgerow export titanic-study --to onnx -o model.onnx
  hedgerow export titanic.hedgerow --to rules
\b
What a program can run (json, python, c, sql, onnx) carries test rows with the model's answers; they are run before
anything is written, and a difference is an error.
"""


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    model: str = argument("A .hedgerow file, or the folder of a study.", "MODEL")
    to: str = option("text", f"The form: {FORMATS}.", "NAME")
    output: str | None = option(
        None, "Where to write it.  [default: standard output]", "PATH", "--output", "-o"
    )
    dialect: str | None = option(None, "sql: sqlite, duckdb or postgres.", "NAME")
    table: str | None = option(None, "sql: the table with the rows.", "NAME")
    keep: str | None = option(
        None, "sql: columns to carry along, such as a key; separated by commas.", "NAMES"
    )
    prefix: str | None = option(None, "c: how the names of its functions begin.", "NAME")
    depth: int | None = option(None, "text, dot, svg: how deep to show the tree.", "N")
    unchecked: bool = option(False, "Write it without running its test rows.", None, "--unchecked")


def make() -> Callable[..., None]:
    return make_command(ExportOptions, run, DOC)


def run(options: ExportOptions) -> None:
    from hedgerow.cli.inputs import require_model
    from hedgerow.export import export_model
    from hedgerow.files import write_atomically
    from hedgerow.store import load_state

    check_choice("to", options.to, plugin_names("hedgerow.export.formats"))
    state = load_state(require_model(options.model))
    found = export_model(state, options.to, check=not options.unchecked, **_given(options))
    content = found if isinstance(found, bytes) else found.encode()
    if options.output is not None:
        write_atomically(Path(options.output).expanduser(), content)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)


def _given(options: ExportOptions) -> dict[str, Any]:
    """The options of the exporter that were typed."""
    names = {"dialect": "dialect", "table": "table", "keep": "keep", "prefix": "prefix", "depth": "max_depth"}
    typed = {
        python: getattr(options, name) for name, python in names.items() if getattr(options, name) is not None
    }
    if "keep" in typed:
        typed["keep"] = split_names(typed["keep"])
        if not typed["keep"]:
            raise ParameterError("{keep} names no column.", keep=options.keep)
    return typed
