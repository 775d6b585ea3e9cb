"""What `hedgerow fit` prints.   In: FitResult.   Out: a page for people, or JSON for machines."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.candidate import load_candidate
from hedgerow.cli.console import Page
from hedgerow.cli.inputs import data_json, describe_size, describe_split, reading_facts, target_facts
from hedgerow.cli.options import write_command
from hedgerow.cli.pruning import describe_pruning, pruning_json
from hedgerow.cli.scores import (
    Score,
    explain_doubt,
    explain_training,
    score_json,
    score_place,
    score_table,
)
from hedgerow.display.sentences import many
from hedgerow.fitting.tree import FittedTree
from hedgerow.intake import PreparedData
from hedgerow.prune.method import method_name
from hedgerow.recipe_book import RECIPES, Recipe
from hedgerow.store import ModelState
from hedgerow.words import quote_shell, to_json
from hedgerow.words import show as safe

if TYPE_CHECKING:
    from hedgerow.cli.commands.fit import FitOptions


@dataclass(frozen=True, eq=False)
class FittedModel:
    state: ModelState  # what a model file holds
    description: str  # in a sentence: "a random forest of 200 trees"
    facts: list[tuple[str, str]]
    importances: list[tuple[str, float]]
    write_picture: Callable[
        [Path], str | None
    ]  # returns why there is nothing to draw, where there is nothing
    tree: FittedTree | None = None  # where the model is a single one


@dataclass(frozen=True, eq=False)
class FitResult:
    """Everything a fit found. The page and the JSON are two views of it."""

    options: "FitOptions"
    data: PreparedData
    n_train: int
    n_test: int  # rows held out
    model: FittedModel
    scores: list[Score]
    picture: Path | None
    no_picture: str  # why there is none; "" where there is one
    file: Path
    seconds: float

    @property
    def command(self) -> str:
        return write_command("fit", self.options, self.data.target.name)


# ---------------------------------------------------------------------------------------------- for people


def print_page(result: FitResult) -> None:
    page, options, model = Page(), result.options, result.model
    page.heading(safe(options.data), describe_size(result.data))
    page.columns(result.data.features, more=f"all: hedgerow show {quote_shell(options.data)}")
    page.heading("What was done")
    page.facts(_steps(result))
    page.heading("Score", score_place(result.n_train, result.n_test))
    page.table(score_table(result.scores, options.model.replace("_", " ")))
    page.prose(_caution(result), style="yellow")
    _print_model(page, result)
    if model.importances:
        what = "share of the impurity each took away" if model.tree else "relative to the largest"
        page.heading("Columns that matter", what)
        page.bars(model.importances)
    page.heading("Written", f"in {result.seconds:.1f} s")
    page.facts(_places(result))


def _print_model(page: Page, result: FitResult) -> None:
    model = result.model
    if model.tree is None:
        page.heading(model.description[0].upper() + model.description[1:])
        page.facts(model.facts)
        return
    tree = model.tree.tree
    page.heading("Tree", f"{many(tree.n_leaves, 'leaf', 'leaves')}, {tree.max_depth} deep")
    page.tree(tree, model.tree.labels, None, f"More: hedgerow show {quote_shell(str(result.file))} --depth N")


def _places(result: FitResult) -> list[tuple[str, str]]:
    return [
        ("picture", str(result.picture) if result.picture else f"none: {result.no_picture}"),
        ("model", str(result.file)),
        ("use it", f"hedgerow predict {quote_shell(str(result.file))} rows.csv"),
        ("again", result.command),
    ]


def _steps(result: FitResult) -> list[tuple[str, str]]:
    options, tree = result.options, result.model.tree
    return [
        *reading_facts(result.data),
        *target_facts(result.data, options),
        *_model_fact(result),
        ("split", describe_split(result.data, result.n_train, result.n_test, options.random_state)),
        *([("pruned", describe_pruning(tree))] if tree else []),
    ]


def _model_fact(result: FitResult) -> list[tuple[str, str]]:
    options, tree = result.options, result.model.tree
    if tree is not None and options.model in RECIPES:
        return [("model", _describe_recipe(RECIPES[options.model], tree, result.model.state.parameters))]
    if options.parameters:
        return []
    return [("model", load_candidate(options.model).DESCRIPTION[result.data.target.task])]


def _describe_recipe(recipe: Recipe, fitted: FittedTree, parameters: Mapping[str, Any]) -> str:
    """What it stands for, and what of it was overruled."""
    method = fitted.params.prune
    at_alpha = f"at alpha {fitted.params.ccp_alpha:g}" if fitted.params.ccp_alpha > 0 else "none"
    actual = {**parameters, "prune": at_alpha if method is None else method_name(method)}
    same = [f"{name} {value}" for name, value in recipe.parameters.items() if actual[name] == value]
    other = [f"{name} {actual[name]}" for name, value in recipe.parameters.items() if actual[name] != value]
    but = f"; but {', '.join(other)}" if other else ""
    return f"{recipe.name}, {recipe.summary}: {', '.join(same)}{but}"


def _caution(result: FitResult) -> str:
    tree = result.model.tree
    if tree is not None and tree.tree.n_leaves == 1:
        full = " --prune none shows the full tree." if tree.unpruned.n_leaves > 1 else ""
        return (
            f"Nothing was found that clearly predicts better than the baseline: the tree is one leaf.{full}"
        )
    if not result.n_test:
        return explain_training(result.n_train)
    return explain_doubt(result.scores[0], "the model")


# ---------------------------------------------------------------------------------------------- for machines


def print_json(result: FitResult) -> None:
    model = result.model
    content = {
        **data_json(result.data, result.options),
        "rows": {"train": result.n_train, "test": result.n_test},
        "scored_on": "test" if result.n_test else "train",
        "model": result.options.model,
        "description": model.description,
        **({"facts": dict(model.facts)} if model.tree is None else _tree_json(model.tree)),
        "scores": [score_json(score) for score in result.scores],
        "importance": dict(model.importances),
        "picture": None if result.picture is None else str(result.picture),
        "no_picture": result.no_picture or None,
        "file": str(result.file),
        "command": result.command,
        "seconds": round(result.seconds, 3),
    }
    print(to_json(content))


def _tree_json(fitted: FittedTree) -> dict[str, Any]:
    return {
        "prune": pruning_json(fitted),
        "tree": {
            "leaves": fitted.tree.n_leaves,
            "depth": fitted.tree.max_depth,
            "leaves_unpruned": fitted.unpruned.n_leaves,
        },
    }
