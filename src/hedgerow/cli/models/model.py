"""What a file of this folder says about its model, and the options only such models have."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

from hedgerow.cli.asked import Asked, option


@dataclass(frozen=True)
class Wanted:
    """Options of `fit` that some models have, and a tree has not. None: not typed."""

    rounds: int | None = None  # of boosting
    base: str | None = None  # what is boosted
    predictions: str | None = None  # of what is boosted
    loss: str | None = None
    trees: int | None = None  # forests: how many, or with stop the most
    columns: str | None = None  # forests: looked at in each node
    stop: str | None = None  # forests: "oob"
    kernel: str | None = None  # of a support vector machine, as the next three
    cost: float | None = None
    gamma: str | None = None
    degree: int | None = None

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 1:
            raise ValueError(f"--rounds {self.rounds} is out of range. Give at least 1.")


class Model(Protocol):
    WORDS: str  # in a sentence: "a random forest"
    OPTIONS: tuple[str, ...]  # which of SHARED and of Wanted's fields it reads

    def estimator(self, asked: Asked, wanted: Wanted, classes: bool) -> Any:
        """The estimator, not fitted; it takes a Table and class numbers (or numbers)."""

    def facts(self, fitted: Any) -> list[tuple[str, str]]:
        """What there is to say about the fitted model, for the report: a word and what it says."""

    def importances(self, fitted: Any) -> list[tuple[str, float]]:
        """Columns, the most important first; an empty list where the model cannot say."""

    def picture(self, fitted: Any, file: Path, table: Any, labels: Any) -> bool:
        """Draw to the .svg or .png file, with the rows it was fitted to; False where there is nothing to draw."""


SHARED = (
    "criterion",
    "max_depth",
    "min_leaf",
    "max_leaves",
)  # of Asked: a tree's, and of models made of trees
TREE_ONLY = ("recipe", "prune_alpha")


def refuse_others(name: str, known: tuple[str, ...], asked: Asked, *given: Any) -> None:
    """An option that was typed and that this model does not have."""
    typed = [field for field in (*SHARED, *TREE_ONLY) if getattr(asked, field) is not None]
    for options in given:
        typed += [f.name for f in fields(options) if getattr(options, f.name) != f.default]
    for field in typed:
        if field not in known:
            has = ", ".join(option(one) for one in known) or "none of its own"
            raise ValueError(f"{option(field)} is no option of --model {name}. It has: {has}.")
