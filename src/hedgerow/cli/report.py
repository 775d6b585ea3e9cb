"""A FitResult for people.   In: a FitResult.   Out: a page: columns, score, tree, files, how to repeat it."""

from pathlib import Path
from shlex import quote

import numpy as np

from hedgerow.cli.asked import Asked
from hedgerow.cli.page import Page
from hedgerow.cli.pruning import NONE
from hedgerow.cli.reading import reading_told
from hedgerow.cli.result import FitResult
from hedgerow.cli.score import Score
from hedgerow.errors import render, spell_as_option
from hedgerow.intake import PreparedData, TargetData
from hedgerow.recipe_book import named
from hedgerow.tree.formatting import number
from hedgerow.words import show as safe

MOST_CLASSES = 8
TELL = {"accuracy": "{:.1%}".format, "R2": "{:.3f}".format}


def print_report(result: FitResult) -> None:
    page, tree = Page(), result.parts.body
    table, target = result.rows.features, safe(result.rows.target.name)
    size = f"{many(table.n_rows, 'row')}, {many(len(table.columns), 'column')} to predict {target} from"
    page.heading(safe(result.asked.data), size)
    page.columns(table, more=f"all: hedgerow show {quote(result.asked.data)}")
    page.heading("What was done")
    page.facts(_done(result))
    page.heading("Score", f"on the {many(len(result.test), 'row')} held out")
    header, *lines = score_lines(result.scores, "tree")
    page.lines([header], style="dim")
    page.lines(lines)
    page.prose(_caution(result), style="yellow")
    page.heading("Tree", f"{many(tree.n_leaves, 'leaf')}, {tree.max_depth} deep")
    page.tree(tree, result.parts.labels, None, f"More: hedgerow show {_shown(result.model)} --depth N")
    if result.importances():
        page.heading("Columns that matter", "share of the impurity each took away")
        page.bars(result.importances())
    page.heading("Written", f"in {result.seconds:.1f} s")
    page.facts(_written(result))


def _done(result: FitResult) -> list[tuple[str, str]]:
    asked, kept = result.asked, "" if result.goal.classes is None else ", each class in proportion"
    split = (
        f"{len(result.train):,} rows to learn from, {len(result.test):,} held out{kept}; seed {asked.seed}"
    )
    return [
        *reading_told(result.rows),
        ("target", target_told(result.goal, result.rows)),
        ("task", task_told(result.goal, result.rows, asked)),
        *([("recipe", _recipe(result))] if asked.recipe else []),
        ("split", split),
        ("pruned", _pruned(result)),
    ]


def task_told(goal: TargetData, rows: PreparedData, asked: Asked) -> str:
    if asked.task != "auto":
        return f"{goal.task}, {render(goal.reason, spell_as_option)}"
    other = "classification" if goal.classes is None else "regression"
    overrule = f" (--task {other} overrules)" if rows.target.kind == "number" else ""
    return f"{goal.task}, because {safe(render(goal.reason, spell_as_option), 90)}{overrule}"


def target_told(goal: TargetData, rows: PreparedData) -> str:
    name = safe(rows.target.name)
    if goal.classes is None:
        low, middle, high = (number(float(q)) for q in np.quantile(goal.values, [0, 0.5, 1]))
        return f"{name}: {low} to {high}, median {middle}"
    counts = np.bincount(goal.values, minlength=len(goal.classes))
    listed = [f"{safe(str(label), 24)} {counts[k]:,}" for k, label in enumerate(goal.classes.tolist())]
    more = f", … {len(listed) - MOST_CLASSES} more classes" if len(listed) > MOST_CLASSES else ""
    return f"{name}: {', '.join(listed[:MOST_CLASSES])}{more}"


def _recipe(result: FitResult) -> str:
    """What it stands for, and what of it was overruled."""
    recipe = named(result.asked.recipe or "")
    actual = {**result.parts.parameters, "prune": result.pruned.method}
    other = {k for k, v in recipe.parameters.items() if actual.get(k, v) != v}
    told = ", ".join(f"{k} {v}" for k, v in recipe.parameters.items() if k not in other)
    but = ", ".join(f"{k} {actual[k]}" for k in recipe.parameters if k in other)
    return f"{recipe.name}, {recipe.summary}: {told}" + (f"; but {but}" if but else "")


def _pruned(result: FitResult) -> str:
    whole, leaves, pruned = result.whole.n_leaves, result.parts.body.n_leaves, result.pruned
    if pruned.method == NONE:
        return f"not at all: {many(whole, 'leaf')}; {pruned.how}"
    change = f"{whole:,} leaves to {leaves:,}" if leaves < whole else f"not at all: {many(whole, 'leaf')}"
    if pruned.alpha is None:
        return f"{change}, by {pruned.method}" + (f": {pruned.how}" if pruned.how else "")
    keep = "" if result.asked.prune_alpha is not None else "; --prune-alpha 0 keeps the full tree"
    return f"{change}, at alpha {pruned.alpha:g}, {pruned.how}{keep}"


def score_lines(scores: tuple[Score, ...], who: str) -> list[str]:
    """One line for each score, under the names of the columns."""
    lines = [("", who, "95 % interval", f"baseline: {safe(scores[0].baseline_name)}")]
    for score in scores:
        tell = TELL.get(score.name, number)
        sure = "not known" if np.isnan(score.low) else f"{tell(score.low)} to {tell(score.high)}"
        lines.append((score.name, tell(score.value), sure, tell(score.baseline)))
    wide = [max(len(line[k]) for line in lines) for k in range(3)]
    return [
        "   ".join([*(cell.ljust(w) for cell, w in zip(line, wide, strict=False)), line[3]]) for line in lines
    ]


def _caution(result: FitResult) -> str:
    """What the figures do not say for themselves."""
    if result.parts.body.n_leaves == 1:
        full = "" if result.whole.n_leaves == 1 else " --prune none shows the full tree."
        return (
            f"Nothing was found that clearly predicts better than the baseline: the tree is one leaf.{full}"
        )
    return in_doubt(result.scores[0], "the tree")


def in_doubt(first: Score, who: str) -> str:
    if np.isnan(first.low):
        return "Too few rows are held out to tell how sure the score is."
    if first.low <= first.baseline <= first.high:
        return f"The interval holds the baseline: these rows do not show that {who} is better."
    return ""


def _written(result: FitResult) -> list[tuple[str, str]]:
    model = _shown(result.model)
    return [
        ("picture", str(result.picture)),
        ("model", str(result.model)),
        ("use it", f"hedgerow predict {model} rows.csv"),
        ("again", result.command),
    ]


def _shown(path: Path) -> str:
    return quote(str(path))


def many(count: int, word: str) -> str:
    plural = {"leaf": "leaves"}.get(word, f"{word}s")
    return f"{count:,} {word if count == 1 else plural}"
