"""The commands.   In: argv.   Out: a call of show.py or predict.py; the longer ones have files of their own.

Options are only declared and passed on here. Help is plain text: drawing it with rich would take as long
again as everything else `hedgerow --help` does.
"""

from typing import Annotated

import typer

from hedgerow.cli import options as o
from hedgerow.cli.compare_command import compare
from hedgerow.cli.errors import guarded
from hedgerow.cli.evaluate_command import evaluate
from hedgerow.cli.fit_command import fit
from hedgerow.cli.prune_command import prune
from hedgerow.cli.rules_command import rules
from hedgerow.cli.study_command import study

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
"""

app = typer.Typer(
    name="hedgerow",
    help=HELP,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)


def main() -> None:
    """The entry point. Leaves with 0, 2 (wrong usage or data), 130 (Ctrl-C) or 1 (anything else)."""
    raise SystemExit(guarded(app))


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"hedgerow {version('hedgerow')}")
        raise typer.Exit


VERSION = typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")


@app.callback()
def _start(version: Annotated[bool, VERSION] = False) -> None:
    pass


app.command(short_help="Compare models on a table, choose one, explain it: a report.")(study)
app.command(short_help="Fit a model to a table, with a score, a picture and a model file.")(fit)


@app.command(short_help="Show what a table holds, or what a model is.")
def show(
    what: o.What = None,
    picture: o.Picture = None,
    depth: o.Depth = None,
    merged: o.Merged = False,
    json: o.Json = False,
    traceback: o.Traceback = False,
) -> None:
    """Show what a table holds, or what a model is: its columns and its tree."""
    from hedgerow.cli.show import show as run

    run(what, picture, depth, merged, json)


@app.command(short_help="Predict the rows of a table with a model.")
def predict(
    model: o.ModelFile,
    rows: o.RowsFile,
    output: o.Output = None,
    threads: o.Threads = None,
    traceback: o.Traceback = False,
) -> None:
    """Predict each row of a table: the class and its probabilities, or the number, as CSV."""
    from hedgerow.cli.predict import predict as run

    run(model, rows, output, threads)


@app.command(short_help="Make the report of a study again.")
def report(study: o.StudyFolder, output: o.Page = None, traceback: o.Traceback = False) -> None:
    """Make report.html again from the result.json of a study."""
    from hedgerow.cli.report_page import report as run

    run(study, output)


app.command(short_help="Prune one tree by every method, side by side.")(prune)
app.command(short_help="Learn if-then rules from a table, with their score.")(rules)
app.command(short_help="Scores of a model, with intervals and a baseline.")(evaluate)
app.command(short_help="Compare models on the same rows, with a verdict.")(compare)
