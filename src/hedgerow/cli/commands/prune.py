"""`hedgerow prune`.   In: PruneOptions.   Out: one tree pruned by every method, side by side; a chart."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from hedgerow.candidate_kinds import tree_parameters
from hedgerow.cli.options import (
    DataOptions,
    check_file,
    check_share,
    make_command,
    option,
    plain_name,
    write_command,
)
from hedgerow.errors import ParameterError, check_choice
from hedgerow.recipe_book import GREEDY, named
from hedgerow.words import quote_shell, to_json

if TYPE_CHECKING:
    from hedgerow.fitting.prunings import PruningComparison
    from hedgerow.intake import PreparedData
    from hedgerow.prune import CpTable

DOC = "Prune one grown tree by every method: size and error of each, the complexity table, a chart."
GROWING = ("criterion", "max_depth", "min_samples_leaf", "max_leaf_nodes")
STARRED = {6: "leaves*", 7: "error*"}  # titles that stand without the one before them
STAR = "* at its best strength, chosen on the very rows it is scored on: a bound, not a result."
SELECTIONS = ((0, 1, 2, 3, 4, 6, 7), (0, 1, 2, 3, 4), (0, 1, 3))  # of the columns: the widest that fits


@dataclass(frozen=True, kw_only=True)
class PruneOptions(DataOptions):
    recipe: str | None = option(None, f"{', '.join(GREEDY)}: how these grow.", "NAME", parser=plain_name)
    criterion: str | None = option(None, "Split criterion, such as gini or entropy.", "NAME")
    max_depth: int | None = option(None, "Deepest a leaf may lie.", "N")
    min_samples_leaf: int | None = option(None, "Fewest rows in a leaf.  [default: 1]", "N")
    max_leaf_nodes: int | None = option(None, "Most leaves; grows the best first.", "N")
    test_share: float = option(
        0.3, "Share of rows the errors are measured on.", "S", "--test-share", "--holdout"
    )
    validation_fraction: float = option(0.2, "Share of rows for prunings that want unseen ones.", "S")
    picture: str | None = option(None, "Where to draw the chart: .svg or .png.", "PATH")
    time: None = field(default=None, init=False)  # not offered: prunings are compared on rows drawn at random

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recipe is not None:
            check_choice("recipe", self.recipe, tuple(GREEDY))
        check_share("validation_fraction", self.validation_fraction, 0.2)
        check_share("test_share", self.test_share, 0.3)
        if self.validation_fraction + self.test_share >= 1.0:
            raise ParameterError(
                "{validation_fraction} and {test_share} leave no rows to grow a tree on. Give such as 0.2 and 0.3.",
                validation_fraction=self.validation_fraction,
                test_share=self.test_share,
            )
        check_file("picture", self.picture, ".svg", ".png")


@dataclass(frozen=True, eq=False)
class PruneResult:
    options: PruneOptions
    data: "PreparedData"
    found: "PruningComparison"
    table: "CpTable"
    picture: Path
    seconds: float

    @property
    def command(self) -> str:
        return write_command("prune", self.options, self.data.target.name)

    def n_rows(self, part: int) -> int:
        return int((self.found.part == part).sum())


def make() -> Callable[..., None]:
    return make_command(PruneOptions, run, DOC)


def run(options: PruneOptions) -> None:
    from hedgerow.cli.progress import progress

    with progress() as step:
        result = compare(options, step)
    (print_json if options.json else print_page)(result)


def compare(options: PruneOptions, step: Callable[[str], None]) -> PruneResult:
    from hedgerow.cli.inputs import encode_target, prepare, read
    from hedgerow.cli.pictures import write_chart
    from hedgerow.fitting.params import validate_tree
    from hedgerow.fitting.prunings import compare_prunings
    from hedgerow.prune import CostComplexity

    started = perf_counter()
    step("reading")
    source = read(options)
    data = prepare(source, options)
    params = validate_tree(data.target.task, {**_parameters(options, data), "n_jobs": options.n_jobs})
    step("pruning by every method")
    found = compare_prunings(
        data.features,
        encode_target(data, slice(None), params.criterion),
        params,
        validation_fraction=options.validation_fraction,
        test_share=options.test_share,
        random_state=options.random_state,
    )
    table = CostComplexity().table(found.round.tree, found.round.training)
    step("drawing")
    picture = Path(options.picture or f"{source.stem}-prunings.svg").expanduser()
    write_chart(found.comparison, table, picture)
    return PruneResult(options, data, found, table, picture, perf_counter() - started)


def _parameters(options: PruneOptions, data: "PreparedData") -> dict[str, Any]:
    """defaults  <-  the recipe's growing  <-  what was typed"""
    typed = {name: getattr(options, name) for name in GROWING if getattr(options, name) is not None}
    if options.recipe is None:
        return typed
    recipe, task = named(options.recipe), data.target.task
    if task not in recipe.tasks:
        able = [name for name, one in GREEDY.items() if task in one.tasks]
        raise ParameterError(
            "{recipe} predicts classes, but {}. For numbers: {}.",
            data.target.reason,
            " or ".join(able),
            recipe=options.recipe,
        )
    return {**tree_parameters(recipe.parameters, task, typed), "prune": None}


def print_page(result: PruneResult) -> None:
    from hedgerow.cli.console import Page
    from hedgerow.cli.inputs import describe_size
    from hedgerow.fitting.prunings import TEST
    from hedgerow.words import show as safe

    page, comparison = Page(), result.found.comparison
    page.heading(safe(result.options.data), describe_size(result.data))
    page.facts(_steps(result))
    what = "error rate" if comparison.is_error_rate else "mean loss"
    page.heading("Prunings of one tree", f"{what} on {result.n_rows(TEST):,} rows that took no part")
    _print_table(page, result)
    page.prose(_conclusion(result))
    [complexity] = result.table.tables()
    page.heading("Complexity table", complexity.title[0])
    page.lines(complexity.title[1:], style="dim")
    page.lines(complexity.lines())
    page.prose(*complexity.notes)
    page.heading("Written", f"in {result.seconds:.1f} s")
    page.facts([("chart", str(result.picture)), ("use one", _use(result)), ("again", result.command)])


def _print_table(page: Any, result: PruneResult) -> None:
    """As many columns as the page has room for; the names of methods are shortened last."""
    from hedgerow.cli.console import LEFT
    from hedgerow.prune.compare_words import display_table

    full, room = display_table(result.found.comparison), page.width - len(LEFT)
    starred = replace(full, header=[STARRED.get(k, title) for k, title in enumerate(full.header)])
    tables = [full, *(starred.select(some) for some in SELECTIONS)]
    shown = next((table for table in tables if table.width <= room), tables[-1])
    page.table(shown.shorten(0, shown.widths[0] - max(0, shown.width - room)))
    if shown is full or STARRED[7] in shown.header:
        page.prose(full.notes[0] if shown is full else STAR, style="dim")


def _steps(result: PruneResult) -> list[tuple[str, str]]:
    from hedgerow.cli.inputs import reading_facts, target_facts
    from hedgerow.display.sentences import many
    from hedgerow.fitting.prunings import TEST, TRAINING, VALIDATION

    options, whole = result.options, result.found.comparison.unpruned
    kept = "" if result.data.target.classes is None else ", each class in proportion"
    recipe = options.recipe
    return [
        *reading_facts(result.data),
        target_facts(result.data, options)[1],
        *([("recipe", f"{recipe}, {named(recipe).summary}; only its growing")] if recipe else []),
        (
            "split",
            f"{result.n_rows(TRAINING):,} rows to grow on, {result.n_rows(VALIDATION):,} for prunings that want unseen "
            f"rows, {result.n_rows(TEST):,} to judge all{kept}; random state {options.random_state}",
        ),
        ("tree", f"{many(whole.leaves, 'leaf', 'leaves')}, {whole.depth} deep"),
    ]


def _conclusion(result: PruneResult) -> str:
    """Which are apart from the best, and which are not."""
    usual = result.found.comparison.defaults
    if result.found.comparison.unpruned.leaves == 1:
        return "The tree is one leaf: there is nothing to prune."
    best = usual[0]
    near = [point.method for point in usual[1:] if point.error <= best.error + best.std]
    if len(near) == len(usual) - 1:
        return f"Best here: {best.method}; all others are within one standard error of it."
    others = ", ".join(near) if near else "none"
    return f"Best here: {best.method}. Within one standard error of it: {others}."


def _use(result: PruneResult) -> str:
    options, best = result.options, result.found.comparison.defaults[0].method
    target = quote_shell(result.data.target.name)
    return f"hedgerow fit {quote_shell(options.data)} --target {target} --prune {best}"


def print_json(result: PruneResult) -> None:
    from hedgerow.cli.inputs import reading_json
    from hedgerow.display.numbers import json_ready
    from hedgerow.fitting.prunings import TEST, TRAINING, VALIDATION

    content = {
        "data": result.options.data,
        "target": result.data.target.name,
        "task": result.data.target.task,
        "recipe": result.options.recipe,
        **reading_json(result.data),
        "random_state": result.options.random_state,
        "rows": {
            "training": result.n_rows(TRAINING),
            "validation": result.n_rows(VALIDATION),
            "test": result.n_rows(TEST),
        },
        "comparison": result.found.comparison.to_dict(),
        "cp_table": result.table.to_dict(),
        "picture": str(result.picture),
        "command": result.command,
        "seconds": round(result.seconds, 3),
    }
    print(to_json(json_ready(content)))
