"""The command `prune`, declared.   In: argv.   Out: a call of prune.py. Nothing heavy is imported before that."""

from typing import Annotated

import typer

from hedgerow.cli import options as o
from hedgerow.cli.picked import picked

JudgingShare = Annotated[float, typer.Option(metavar="S", help="Share of rows the errors are told on.")]
ChoosingShare = Annotated[
    float, typer.Option(metavar="S", help="Share of rows for prunings that want unseen ones.")
]
Chart = Annotated[str | None, typer.Option(metavar="PATH", help="Where to draw the chart: .svg or .png.")]


def prune(
    data: o.Data,
    target: o.Target = None,
    task: o.Task = "auto",
    recipe: o.Recipe = None,
    criterion: o.Criterion = None,
    max_depth: o.MaxDepth = None,
    min_leaf: o.MinLeaf = None,
    max_leaves: o.MaxLeaves = None,
    test_share: JudgingShare = 0.3,
    choosing_share: ChoosingShare = 0.2,
    seed: o.Seed = 0,
    categories: o.Categories = "",
    drop: o.Drop = "",
    memory: o.Memory = None,
    picture: Chart = None,
    threads: o.Threads = None,
    json: o.Json = False,
    traceback: o.Traceback = False,
) -> None:
    """Prune one grown tree by every method: size and error of each, the complexity table, a chart."""
    given = locals()
    from hedgerow.cli.asked import Asked
    from hedgerow.cli.prune import Wish
    from hedgerow.cli.prune import prune as run

    run(picked(Asked, given), picked(Wish, given), json)
