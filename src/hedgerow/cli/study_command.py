"""The command `study`, declared.   In: argv.   Out: a call of study.py. Nothing heavy is imported before that."""

from hedgerow.cli import options as o
from hedgerow.cli.picked import picked


def study(
    data: o.Data,
    target: o.Target = None,
    folder: o.Folder = None,
    task: o.Task = "auto",
    models: o.Models = "",
    metric: o.Metric = None,
    folds: o.StudyFolds = 5,
    repeats: o.Repeats = None,
    holdout: o.Holdout = 0.2,
    seed: o.Seed = 0,
    groups: o.Groups = None,
    weights: o.Weights = None,
    positive: o.Positive = None,
    budget: o.Budget = None,
    memory: o.Memory = None,
    categories: o.Categories = "",
    drop: o.Drop = "",
    threads: o.Threads = None,
    json: o.Json = False,
    traceback: o.Traceback = False,
) -> None:
    """From a table to an honest choice of model: compared, explained, and told how sure it is.

    \b
      hedgerow study titanic                        on a data set that comes along
      hedgerow study data.csv --target y            on your own table
      hedgerow study data.csv --target y --budget 60
    Killed? The same command goes on where it was.
    """
    given = locals()
    from hedgerow.cli.study import Wish, run

    run(picked(Wish, given), json)
