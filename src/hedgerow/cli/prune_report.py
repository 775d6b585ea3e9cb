"""A PruneResult for people and for machines.   In: a PruneResult.   Out: a page, or JSON, on standard output."""

import json
from dataclasses import replace
from shlex import quote

from hedgerow.cli.page import LEFT, Page
from hedgerow.cli.prune import CHOOSING, GROWING, JUDGING, PruneResult
from hedgerow.cli.reading import reading_plain, reading_told
from hedgerow.display.numbers import json_ready
from hedgerow.errors import render, spell_as_option
from hedgerow.prune.compare_words import display_table
from hedgerow.recipe_book import named
from hedgerow.table.words import show as safe

STARRED = {6: "leaves*", 7: "error*"}  # titles that stand without the one before them
STAR = "* at its best strength, picked on the rows it is judged on: a bound, not a result."
SELECTIONS = (
    (0, 1, 2, 3, 4, 6, 7),
    (0, 1, 2, 3, 4),
    (0, 1, 3),
)  # of the columns: the widest that fits


def print_report(result: PruneResult) -> None:
    page, table_of_rows = Page(), result.rows.features
    target = safe(result.rows.target.name)
    size = f"{table_of_rows.n_rows:,} rows, {len(table_of_rows.columns):,} columns to predict {target} from"
    page.heading(safe(result.asked.data), size)
    page.facts(_done(result))
    what = "error rate" if result.comparison.is_error_rate else "mean loss"
    page.heading("Prunings of one tree", f"{what} on {result.n_rows(JUDGING):,} rows that took no part")
    _print_table(page, result)
    page.prose(_reading(result))
    [complexity] = result.table.tables()
    page.heading("Complexity table", complexity.title[0])
    page.lines(complexity.title[1:], style="dim")
    page.lines(complexity.lines())
    page.prose(*complexity.notes)
    page.heading("Written", f"in {result.seconds:.1f} s")
    page.facts([("chart", str(result.picture)), ("use one", _use(result)), ("again", result.command)])


def _print_table(page: Page, result: PruneResult) -> None:
    """As many columns as the page has room for; the names of methods are shortened last."""
    full, room = display_table(result.comparison), page.width - len(LEFT)
    starred = replace(full, header=[STARRED.get(k, title) for k, title in enumerate(full.header)])
    tables = [full, *(starred.select(some) for some in SELECTIONS)]
    shown = next((table for table in tables if table.width <= room), tables[-1])
    header, *lines = shown.shorten(0, shown.widths[0] - max(0, shown.width - room)).lines()
    page.lines([header], style="dim")
    page.lines(lines)
    if shown is full or STARRED[7] in shown.header:
        page.prose(full.notes[0] if shown is full else STAR, style="dim")


def _done(result: PruneResult) -> list[tuple[str, str]]:
    whole, kept = result.comparison.whole, "" if result.goal.classes is None else ", each class in proportion"
    recipe, because = result.asked.recipe, "because " if result.asked.task == "auto" else ""
    return [
        *reading_told(result.rows),
        ("task", f"{result.goal.task}, {because}{safe(render(result.goal.reason, spell_as_option), 90)}"),
        *([("recipe", f"{recipe}, {named(recipe).summary}; only its growing")] if recipe else []),
        (
            "split",
            f"{result.n_rows(GROWING):,} rows to grow on, {result.n_rows(CHOOSING):,} for prunings that want unseen "
            f"rows, {result.n_rows(JUDGING):,} to judge all{kept}; seed {result.asked.seed}",
        ),
        ("tree", f"{whole.leaves:,} {'leaf' if whole.leaves == 1 else 'leaves'}, {whole.depth} deep"),
    ]


def _reading(result: PruneResult) -> str:
    """Which are apart from the best, and which are not."""
    usual = result.comparison.usual
    if result.comparison.whole.leaves == 1:
        return "The tree is one leaf: there is nothing to prune."
    best = usual[0]
    near = [point.method for point in usual[1:] if point.error <= best.error + best.std]
    if len(near) == len(usual) - 1:
        return f"Best here: {best.method}; all others are within one standard error of it."
    others = ", ".join(near) if near else "none"
    return f"Best here: {best.method}. Within one standard error of it: {others}."


def _use(result: PruneResult) -> str:
    asked, best = result.asked, result.comparison.usual[0].method
    recipe = f" --recipe {asked.recipe}" if asked.recipe else ""
    return (
        f"hedgerow fit {quote(asked.data)} --target {quote(result.rows.target.name)}{recipe} --prune {best}"
    )


def print_json(result: PruneResult) -> None:
    content = {
        "data": result.asked.data,
        "target": result.rows.target.name,
        "task": result.goal.task,
        "recipe": result.asked.recipe,
        **reading_plain(result.rows),
        "seed": result.asked.seed,
        "rows": {
            "growing": result.n_rows(GROWING),
            "choosing": result.n_rows(CHOOSING),
            "judging": result.n_rows(JUDGING),
        },
        "comparison": result.comparison.to_dict(),
        "cp_table": result.table.to_dict(),
        "picture": str(result.picture),
        "command": result.command,
        "seconds": round(result.seconds, 3),
    }
    print(json.dumps(json_ready(content), indent=2, ensure_ascii=False, allow_nan=False))
