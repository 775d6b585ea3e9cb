"""A ModelResult for people and for machines.   In: a ModelResult.   Out: a page, or JSON, on standard output."""

import json
from dataclasses import asdict
from shlex import quote

from hedgerow.cli.as_json import number_or_none, plain_column
from hedgerow.cli.fit_model import ModelResult
from hedgerow.cli.page import Page
from hedgerow.cli.reading import reading_plain, reading_told
from hedgerow.cli.report import in_doubt, many, score_lines, target_told, task_told
from hedgerow.errors import render, spell_as_option
from hedgerow.words import show as safe


def print_report(result: ModelResult) -> None:
    page, table, asked = Page(), result.rows.features, result.asked
    target = safe(result.rows.target.name)
    page.heading(
        safe(asked.data),
        f"{many(table.n_rows, 'row')}, {many(len(table.columns), 'column')} to predict {target} from",
    )
    page.columns(table, more=f"all: hedgerow show {quote(asked.data)}")
    page.heading("What was done")
    page.facts(_done(result))
    page.heading("Score", f"on the {many(len(result.test), 'row')} held out")
    header, *lines = score_lines(result.scores, asked.model.replace("_", " "))
    page.lines([header], style="dim")
    page.lines(lines)
    page.prose(in_doubt(result.scores[0], "the model"), style="yellow")
    page.heading(result.words[0].upper() + result.words[1:])
    page.facts(result.facts)
    if result.importances:
        page.heading("Columns that matter", "relative to the largest")
        page.bars(result.importances)
    page.heading("Written", f"in {result.seconds:.1f} s")
    page.facts(
        [
            *([("picture", str(result.picture))] if result.picture else []),
            ("model", str(result.file)),
            ("use it", f"hedgerow predict {quote(str(result.file))} rows.csv"),
            ("again", result.command),
        ]
    )


def _done(result: ModelResult) -> list[tuple[str, str]]:
    kept = "" if result.goal.classes is None else ", each class in proportion"
    return [
        *reading_told(result.rows),
        ("target", target_told(result.goal, result.rows)),
        ("task", task_told(result.goal, result.rows, result.asked)),
        (
            "split",
            f"{len(result.train):,} rows to learn from, {len(result.test):,} held out{kept}; seed {result.asked.seed}",
        ),
    ]


def print_json(result: ModelResult) -> None:
    goal = result.goal
    content = {
        "data": result.asked.data,
        "target": result.rows.target.name,
        "task": goal.task,
        "task_because": render(goal.reason, spell_as_option),
        "classes": None if goal.classes is None else goal.classes.tolist(),
        "columns": [plain_column(column) for column in result.rows.features.columns],
        **reading_plain(result.rows),
        "seed": result.asked.seed,
        "rows": {"train": len(result.train), "test": len(result.test)},
        "model": result.asked.model,
        "facts": dict(result.facts),
        "scores": [{k: number_or_none(v) for k, v in asdict(score).items()} for score in result.scores],
        "importance": dict(result.importances),
        "picture": None if result.picture is None else str(result.picture),
        "file": str(result.file),
        "command": result.command,
        "seconds": round(result.seconds, 3),
    }
    print(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))
