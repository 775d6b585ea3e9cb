"""What a command was asked for.   In: options as typed.   Out: Asked, checked as far as it can be."""

import shlex
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hedgerow.intake import ColumnOptions
from hedgerow.recipe_book import RECIPES
from hedgerow.words import did_you_mean, quote

TASKS = ("auto", "classification", "regression")
MOST = 2**31 - 1
LEAST = {"max_depth": 1, "min_leaf": 1, "max_leaves": 2, "prune_alpha": 0, "seed": 0, "threads": 1}


@dataclass(frozen=True)
class Asked:
    data: str
    target: str | None = None
    task: str = "auto"
    recipe: str | None = None
    criterion: str | None = None
    max_depth: int | None = None
    min_leaf: int | None = None
    max_leaves: int | None = None
    prune_alpha: float | None = None
    test_share: float = 0.25
    seed: int = 0
    categories: str = ""
    drop: str = ""
    memory: float | None = None
    model: str = "tree"
    picture: str | None = None
    save: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        one_of("--task", self.task, TASKS)
        if self.recipe is not None:
            one_of("--recipe", self.recipe, tuple(RECIPES))
        for name, least in LEAST.items():
            given = getattr(self, name)
            most = sys.float_info.max if name == "prune_alpha" else MOST
            if given is not None and not least <= given <= most:
                wanted = f"at most {most:,}" if given > most else f"at least {least}"
                raise ValueError(f"{option(name)} {given} is out of range. Give {wanted}.")
        if self.memory is not None and not self.memory > 0:
            raise ValueError(f"--memory {self.memory:g} is out of range. Give gigabytes, such as 2.")
        if not 0.0 < self.test_share < 1.0:
            raise ValueError(f"--test-share {self.test_share:g} is out of range. Give a share such as 0.25.")
        if self.save is not None and not self.save.endswith(".hedgerow"):
            raise ValueError(f"--save {quote(self.save)}: a model file's name ends in .hedgerow.")
        if self.picture is not None and not self.picture.lower().endswith((".svg", ".png")):
            raise ValueError(f"--picture {quote(self.picture)}: the name must end in .svg or .png.")
        for name, path in (("--picture", self.picture), ("--save", self.save)):
            check_folder(name, path)

    @property
    def category_names(self) -> list[str]:
        return listed(self.categories)

    def columns(self, groups: str | None = None) -> ColumnOptions:
        return ColumnOptions(
            self.target, self.task, tuple(listed(self.drop)), tuple(self.category_names), groups
        )


def command(verb: str, target: str, asked: Asked, *wishes: Any) -> str:
    """The words to type for the same again. Target and seed always; the rest where it is not the default."""
    words = ["hedgerow", verb, asked.data, "--target", target]
    for given in (asked, *wishes):
        for field in fields(given):
            value = getattr(given, field.name)
            if field.name == "seed" or (field.name not in ("data", "target") and value != field.default):
                words += _typed(field.name, value)
    return shlex.join(words)


def _typed(name: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [option(name if value else f"no_{name}")]
    return [option(name), str(value).removesuffix(".0") if isinstance(value, float) else str(value)]


def check_folder(name: str, path: str | None) -> None:
    """Before the work, not after it."""
    folder = Path(path).expanduser().parent if path is not None else Path()
    if not folder.is_dir():
        raise ValueError(f"{name} {quote(path)}: there is no folder {quote(str(folder))}. Make it first.")


def option(name: str) -> str:
    """min_leaf -> --min-leaf"""
    return f"--{name.replace('_', '-')}"


def one_of(what: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise ValueError(
            f"{what} {quote(given)} is unknown. Known: {', '.join(known)}.{did_you_mean(given, known)}"
        )


def listed(text: str) -> list[str]:
    """Names parted by commas, each once."""
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
