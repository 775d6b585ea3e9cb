"""The command `rules`, declared.   In: argv.   Out: a call of rules.py. Nothing heavy is imported before that."""

from typing import Annotated

import typer

from hedgerow.cli import options as o
from hedgerow.cli.picked import picked

Criterion = Annotated[str | None, typer.Option(metavar="NAME", help="gini, entropy, misclassification.")]
Confidence = Annotated[
    float, typer.Option(metavar="C", help="Of the pessimistic estimate; smaller prunes more.")
]
Estimate = Annotated[
    str, typer.Option(metavar="NAME", help="pessimistic, or held_out: on a fifth of the training rows.")
]
MaxRules = Annotated[int | None, typer.Option(metavar="N", help="Most rules; the least missed go first.")]
RulesFile = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="PATH", help="Where to write the rules: .txt or .json, to read back."
    ),
]


def rules(
    data: o.Data,
    target: o.Target = None,
    criterion: Criterion = None,
    max_depth: o.MaxDepth = None,
    min_leaf: o.MinLeaf = None,
    confidence: Confidence = 0.25,
    estimate: Estimate = "pessimistic",
    max_rules: MaxRules = None,
    test_share: o.TestShare = 0.25,
    seed: o.Seed = 0,
    categories: o.Categories = "",
    drop: o.Drop = "",
    memory: o.Memory = None,
    output: RulesFile = None,
    threads: o.Threads = None,
    json: o.Json = False,
    traceback: o.Traceback = False,
) -> None:
    """Learn if-then rules (C4.5rules): what was inferred, the score on held-out rows, the rules in their order."""
    given = locals()
    from hedgerow.cli.asked import Asked
    from hedgerow.cli.rules import Wish
    from hedgerow.cli.rules import rules as run

    run(picked(Asked, given), picked(Wish, given), json)
