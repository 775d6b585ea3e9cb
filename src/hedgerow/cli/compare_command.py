"""The command `compare`, declared.   In: argv.   Out: a call of evaluated.py. Nothing heavy is imported before that."""

from typing import Annotated

import typer

from hedgerow.cli import evaluate_command as e
from hedgerow.cli import options as o
from hedgerow.cli.candidates import ALL
from hedgerow.cli.picked import picked

Models = Annotated[str, typer.Option(metavar="A,B", help=f"Some of {', '.join(ALL)}.", parser=o.pruning_name)]
SCORES = "What decides: accuracy, roc_auc, f1, log_loss, rmse, r2, ...  [default: accuracy, or rmse]"
TESTS = "rowwise_t, corrected_t, bayes, combined_5x2cv_f, mcnemar or delong."
ScoreName = Annotated[str | None, typer.Option(metavar="NAME", help=SCORES)]
Test = Annotated[str, typer.Option(metavar="NAME", help=TESTS, parser=o.pruning_name)]
Select = Annotated[str, typer.Option(metavar="NAME", help="Which to take: simplest, 1se or best.")]
Rope = Annotated[
    float | None,
    typer.Option(metavar="D", help="bayes: differences up to this mean nothing.  [default: 0.01]"),
]
Chart = Annotated[str | None, typer.Option(metavar="PATH", help="Where to draw the scores: .svg or .png.")]


def compare(
    data: o.Data,
    target: o.Target = None,
    task: o.Task = "auto",
    models: Models = "",
    score: ScoreName = None,
    test: Test = "rowwise_t",
    select: Select = "simplest",
    rope: Rope = None,
    folds: e.Folds = None,
    repeats: e.Repeats = None,
    test_share: e.HoldOut = None,
    time: e.InTime = False,
    groups: e.Groups = None,
    positive: e.Positive = None,
    seed: o.Seed = 0,
    categories: o.Categories = "",
    drop: o.Drop = "",
    memory: o.Memory = None,
    picture: Chart = None,
    threads: o.Threads = None,
    json: o.Json = False,
    traceback: o.Traceback = False,
) -> None:
    """Which model, and how sure: models on the same rows, a test of every pair, a verdict in words.

    \b
      hedgerow compare titanic
      hedgerow compare titanic --models tree,stump,c45 --select 1se
      hedgerow compare titanic --test bayes
    """
    given = locals()
    from hedgerow.cli.asked import Asked
    from hedgerow.cli.evaluated import Design, compare_some

    decides = {"scoring": score, "test": test, "select": select, "rope": rope}
    compare_some(picked(Asked, given), picked(Design, given), models, decides, picture, json)
