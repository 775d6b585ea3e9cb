"""A PruneResult for people and for machines.   In: a PruneResult.   Out: a page, or JSON, on standard output."""

import json
import math
from shlex import quote
from typing import Any

from hedgerow.cli.page import LEFT, Page
from hedgerow.cli.prune import CHOOSING, GROWING, JUDGING, PruneResult
from hedgerow.cli.reading import reading_plain, reading_told
from hedgerow.prune.compare_words import TITLES, note, table
from hedgerow.recipe_book import named
from hedgerow.table.words import show as safe

WORDS = (0, 5)  # columns of words stand to the left
STARRED = {6: "leaves*", 7: "error*"}  # titles that stand without the one before them
STAR = "* at its best strength, picked on the rows it is judged on: a bound, not a result."
SELECTIONS = (
    (0, 1, 2, 3, 4, 5, 6, 7),
    (0, 1, 2, 3, 4, 6, 7),
    (0, 1, 2, 3, 4),
    (0, 1, 3),
)  # the widest that fits


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
    head, body, kept = str(result.table).split("\n\n")
    page.heading("Complexity table", head.partition("\n")[0])
    page.lines([head.partition("\n")[2]], style="dim")
    page.lines(body.splitlines())
    page.prose(kept)
    page.heading("Written", f"in {result.seconds:.1f} s")
    page.facts([("chart", str(result.picture)), ("use one", _use(result)), ("again", result.command)])


def _print_table(page: Page, result: PruneResult) -> None:
    """As many columns as the page has room for; the names of methods are shortened last."""
    lines, room = [TITLES, *table(result.comparison)], page.width - len(LEFT)
    wide = [max(len(line[k]) for line in lines) for k in range(len(TITLES))]
    wide = [max(w, len(STARRED.get(k, ""))) for k, w in enumerate(wide)]
    fits = [some for some in SELECTIONS if _width(wide, some) <= room]
    some = fits[0] if fits else SELECTIONS[-1]
    wide[0] -= max(0, _width(wide, some) - room)
    if some != SELECTIONS[0]:
        lines[0] = [STARRED.get(k, title) for k, title in enumerate(TITLES)]
    told = [_line(line, some, wide) for line in lines]
    page.lines(told[:1], style="dim")
    page.lines(told[1:])
    if 7 in some:
        page.prose(note(result.comparison) if some == SELECTIONS[0] else STAR, style="dim")


def _width(wide: list[int], some: tuple[int, ...]) -> int:
    return sum(wide[k] for k in some) + 2 * (len(some) - 1)


def _line(line: list[str], some: tuple[int, ...], wide: list[int]) -> str:
    cells = [safe(line[0], wide[0]), *line[1:]]
    return "  ".join(
        cells[k].ljust(wide[k]) if k in WORDS else cells[k].rjust(wide[k]) for k in some
    ).rstrip()


def _done(result: PruneResult) -> list[tuple[str, str]]:
    whole, kept = result.comparison.whole, "" if result.goal.classes is None else ", each class in proportion"
    recipe, because = result.asked.recipe, "because " if result.asked.task == "auto" else ""
    return [
        *reading_told(result.rows),
        ("task", f"{result.goal.task}, {because}{safe(result.goal.why, 90)}"),
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
    print(json.dumps(_finite(content), indent=2, ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity: they are null."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
