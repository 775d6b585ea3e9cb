"""The command and its sub-commands.   In: argv.   Out: a call of a file of commands/.

A sub-command's file is imported when it is called or its help is printed, so that `hedgerow --help` answers at once.
Help is plain text: drawing it with rich would take as long again as everything else.
"""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hedgerow.cli.errors import run_guarded

HELP = """From a table to an honest, explained choice of model.

\b
  hedgerow study titanic                which model, how good, why: a report (a data set that comes along)
  hedgerow study data.csv --target y    the same on your own table
  hedgerow predict titanic-study/model.hedgerow rows.csv
\b
One step at a time:
  hedgerow show data.csv                what the columns hold
  hedgerow fit data.csv --target y      a tree, its score, a picture, a model file
  hedgerow evaluate / compare           scores with intervals; which of some models
  hedgerow prune / rules                every pruning of one tree; if-then rules
  hedgerow learn boosting               a lesson to step through, in the browser
"""
COMMANDS = {  # in the order of the help
    "study": "Compare models on a table, choose one, explain it: a report.",
    "fit": "Fit a model to a table, with a score, a picture and a model file.",
    "show": "Show what a table holds, or what a model is.",
    "predict": "Predict the rows of a table with a model.",
    "export": "Write a model as Python, C, SQL, JSON, rules or a picture.",
    "report": "Make the report of a study again.",
    "prune": "Prune one tree by every method, side by side.",
    "rules": "Learn if-then rules from a table, with their score.",
    "evaluate": "Scores of a model, with intervals and a baseline.",
    "compare": "Compare models on the same rows, with a verdict.",
    "learn": "Step through boosting, a tree, pruning or a margin in the browser.",
    "doctor": "Show what is installed, threads, and where time goes.",
}


class _LazyGroup(TyperGroup):
    """Sub-commands by the names of their files."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        one = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
        run = import_module(f"hedgerow.cli.commands.{cmd_name}").make()
        one.command(name=cmd_name, context_settings=SETTINGS)(run)
        return typer.main.get_command(one)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


SETTINGS = {"help_option_names": ["--help", "-h"], "max_content_width": 100}
app = typer.Typer(
    name="hedgerow",
    cls=_LazyGroup,
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


def main() -> None:
    """The entry point. Leaves with 0, 2 (wrong usage or data), 130 (Ctrl-C) or 1 (anything else)."""
    raise SystemExit(run_guarded(app))


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"hedgerow {version('hedgerow')}")
        raise typer.Exit


VERSION = typer.Option(
    "--version", callback=_print_version, is_eager=True, help="Print the version and leave."
)


@app.callback()
def _start(version: Annotated[bool, VERSION] = False) -> None:
    pass
