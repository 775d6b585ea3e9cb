"""A RulesResult for people and for machines.   In: a RulesResult.   Out: a page, or JSON, on standard output."""

import json
from dataclasses import asdict
from shlex import quote

import numpy as np

from hedgerow.cli.page import LEFT, Page
from hedgerow.cli.reading import reading_plain, reading_told
from hedgerow.cli.rules import RulesResult
from hedgerow.rules.table import NARROWEST
from hedgerow.words import show as safe


def print_report(result: RulesResult) -> None:
    page, table = Page(), result.rows.features
    target, score = safe(result.rows.target.name), result.score
    size = f"{table.n_rows:,} rows, {len(table.columns):,} columns to predict {target} from"
    page.heading(safe(result.asked.data), size)
    page.columns(table, more=f"all: hedgerow show {quote(result.asked.data)}")
    page.heading("What was done")
    page.facts(_done(result))
    page.heading("Score", f"on the {len(result.test):,} rows held out")
    page.facts(
        [
            ("accuracy", f"{score.value:.1%}   95 % interval {score.low:.1%} to {score.high:.1%}"),
            ("baseline", f"{score.baseline:.1%}   {safe(score.baseline_name)}"),
        ]
    )
    page.prose(_caution(result), style="yellow")
    page.heading("Rules", f"{len(result.rules):,}; the first that holds decides")
    told = result.rules.to_table().to_text(width=max(NARROWEST, page.width - len(LEFT)))
    page.lines(told.splitlines())
    page.heading("Again", f"in {result.seconds:.1f} s")
    written = [("written", safe(result.wish.output, 200))] if result.wish.output else []
    page.facts([*written, ("command", result.command)])


def print_json(result: RulesResult) -> None:
    content = {
        "data": result.asked.data,
        "target": result.rows.target.name,
        **reading_plain(result.rows),
        "seed": result.asked.seed,
        "rows": {"train": len(result.train), "test": len(result.test)},
        "scores": [asdict(result.score)],
        "rules": result.rules.to_dict(),
        "command": result.command,
        "seconds": round(result.seconds, 3),
    }
    print(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))


def _done(result: RulesResult) -> list[tuple[str, str]]:
    wish, counts = result.wish, np.bincount(result.goal.values)
    classes = result.rules.labels.classes
    listed = ", ".join(f"{safe(name, 24)} {counts[k]:,}" for k, name in enumerate(classes[:8]))
    more = f", … {len(classes) - 8} more classes" if len(classes) > 8 else ""
    how = (
        f"pessimistically, at confidence {wish.confidence:g}"
        if wish.estimate == "pessimistic"
        else "on a fifth of the training rows, held out from the tree"
    )
    return [
        *reading_told(result.rows),
        ("target", f"{safe(result.rows.target.name)}: {listed}{more}"),
        (
            "split",
            f"{len(result.train):,} rows to learn from, {len(result.test):,} held out, each class in proportion; "
            f"seed {result.asked.seed}",
        ),
        ("rules", f"one for each leaf of a full tree, pruned one by one; error estimated {how}"),
    ]


def _caution(result: RulesResult) -> str:
    if not len(result.rules):
        return "Nothing was found that predicts better than the baseline: there are no rules."
    if result.score.low <= result.score.baseline <= result.score.high:
        return "The interval holds the baseline: these rows do not show that the rules are better."
    return ""
