"""The command `evaluate`, declared.   In: argv.   Out: a call of evaluated.py. Nothing heavy is imported here."""

from typing import Annotated

import typer

from hedgerow.cli import options as o
from hedgerow.cli.candidates import ALL
from hedgerow.cli.models import TREE
from hedgerow.cli.picked import picked


def _model(given: str) -> str:
    return given if given.endswith(".hedgerow") or "/" in given else o.pruning_name(given)


Model = Annotated[
    str,
    typer.Option(metavar="NAME", help=f"What to evaluate: {', '.join(ALL)}, or a model file.", parser=_model),
]
Folds = Annotated[int | None, typer.Option(metavar="N", help="Folds of the cross-validation.  [default: 10]")]
Repeats = Annotated[
    int | None, typer.Option(metavar="N", help="How often the folds are drawn anew.  [default: 1]")
]
HoldOut = Annotated[float | None, typer.Option(metavar="S", help="Hold out this share of the rows instead.")]
InTime = Annotated[bool, typer.Option("--time", help="Folds in the order of the rows.")]
Groups = Annotated[
    str | None, typer.Option(metavar="NAME", help="A column whose rows of one value stay together.")
]
Positive = Annotated[
    str | None, typer.Option(metavar="CLASS", help="Of two classes, the one that is looked for.")
]
Curves = Annotated[str | None, typer.Option(metavar="PATH", help="Where to draw the curves: .svg or .png.")]


def evaluate(
    data: o.Data,
    target: o.Target = None,
    task: o.Task = "auto",
    model: Model = TREE,
    folds: Folds = None,
    repeats: Repeats = None,
    test_share: HoldOut = None,
    time: InTime = False,
    groups: Groups = None,
    positive: Positive = None,
    seed: o.Seed = 0,
    categories: o.Categories = "",
    drop: o.Drop = "",
    memory: o.Memory = None,
    picture: Curves = None,
    threads: o.Threads = None,
    json: o.Json = False,
    traceback: o.Traceback = False,
) -> None:
    """How good a model is on a table: scores with intervals, a baseline, and what may be wrong with the method.

    \b
      hedgerow evaluate titanic                     10 folds
      hedgerow evaluate titanic --test-share 0.3    a hold-out
      hedgerow evaluate titanic --picture c.png     with its curves
      hedgerow evaluate new.csv --model titanic-study/model.hedgerow     a model that is fitted already
    """
    given = locals()
    from hedgerow.cli.asked import Asked
    from hedgerow.cli.evaluated import Design, evaluate_one

    asked, design = picked(Asked, given), picked(Design, given)
    if model.endswith(".hedgerow") or "/" in model:
        from hedgerow.cli.evaluate_file import evaluate_file

        evaluate_file(asked, model, design, picture, json)
        return
    evaluate_one(asked, design, model, picture, json)
