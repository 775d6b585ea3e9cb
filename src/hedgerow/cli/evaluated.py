"""`hedgerow evaluate` and `compare`.   In: Asked, a Design, names of models.   Out: a page or JSON; a picture."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked, check_folder, listed
from hedgerow.cli.candidates import USUAL, candidate
from hedgerow.cli.page import Page
from hedgerow.study.intake.columns import Rows, rows_of
from hedgerow.study.intake.source import open_source
from hedgerow.study.intake.task import Goal, goal_of
from hedgerow.table import Table
from hedgerow.table.words import did_you_mean, quote
from hedgerow.table.words import show as safe


@dataclass(frozen=True)
class Design:
    """Who is tested when."""

    folds: int | None
    repeats: int | None
    test_share: float | None
    time: bool
    groups: str | None
    positive: str | None

    def options(self, table: Table, goal: Goal) -> tuple[Table, dict[str, Any]]:
        """As `evaluate` and `compare` know them, and the columns that are left to learn from."""
        given = [self.folds is not None, self.test_share is not None, self.time]
        if sum(given) > 1:
            raise ValueError(
                "--folds, --test-share and --time are three ways to split rows. Give one of them."
            )
        cv: Any = self.folds if self.folds is not None else self.test_share
        options: dict[str, Any] = {"cv": "time" if self.time else cv}
        if self.repeats is not None:
            options["repeats"] = self.repeats
        if self.positive is not None:
            options["positive"] = label_named(self.positive, goal)
        if self.groups is None:
            return table, options
        if self.groups not in table.names:
            hint = did_you_mean(self.groups, table.names)
            raise ValueError(f"--groups {quote(self.groups)} is no column.{hint}")
        column = table.column(self.groups)
        return table.drop(self.groups), {**options, "groups": np.nan_to_num(column.values, nan=-1.0)}


def evaluate_one(asked: Asked, design: Design, name: str, picture: str | None, as_json: bool) -> None:
    from hedgerow.evaluate import evaluate

    rows, goal, table, options = _read(asked, design, picture)
    model = candidate(name, asked, goal.classes is not None)
    with in_options(design):
        found = evaluate(model, table, goal.labels, random_state=asked.seed, n_jobs=asked.threads, **options)
    if picture is not None:
        found.draw().savefig(Path(picture).expanduser(), dpi=120)
    print_found(found, asked, rows, as_json)


def compare_some(
    asked: Asked, design: Design, models: str, more: dict[str, Any], picture: str | None, as_json: bool
) -> None:
    from hedgerow.evaluate import compare

    rows, goal, table, options = _read(asked, design, picture)
    names = listed(models) or list(USUAL)
    given = {name: candidate(name, asked, goal.classes is not None) for name in names}
    with in_options(design):
        found = compare(
            given, table, goal.labels, random_state=asked.seed, n_jobs=asked.threads, **options, **more
        )
    if picture is not None:
        found.draw().figure.savefig(Path(picture).expanduser(), dpi=120)
    print_found(found, asked, rows, as_json)


def _read(asked: Asked, design: Design, picture: str | None) -> tuple[Rows, Goal, Table, dict[str, Any]]:
    check_picture(picture)
    rows = rows_of(open_source(asked.data), asked)
    goal = goal_of(rows.target, asked.task)
    return rows, goal, *design.options(rows.features, goal)


def check_picture(picture: str | None) -> None:
    """Before the work, not after it."""
    check_folder("--picture", picture)
    if picture is not None and not picture.lower().endswith((".svg", ".png")):
        raise ValueError(f"--picture {quote(picture)}: the name must end in .svg or .png.")
    if picture is not None:
        import matplotlib

        matplotlib.use("Agg")  # a file is wanted, not a window


def label_named(typed: str, goal: Goal) -> Any:
    if goal.classes is None:
        raise ValueError("--positive names a class, but the target holds numbers. Leave it out.")
    found = [label for label in goal.classes.tolist() if str(label) == typed]
    if not found:
        raise ValueError(f"--positive {quote(typed)} is no class. Classes: {goal.classes.tolist()}.")
    return found[0]


def print_found(found: Any, asked: Asked, rows: Rows, as_json: bool) -> None:
    if as_json:
        left = [{"what": what, "why": why} for what, why in rows.left_out]
        plain = {"data": asked.data, "target": rows.target.name, "left_out": left, "seed": asked.seed}
        print(json.dumps({**plain, **found.to_dict()}, indent=2, ensure_ascii=False, allow_nan=False))
        return
    from hedgerow.evaluate.words import text_table

    page = Page()
    page.heading(safe(asked.data), f"to predict {safe(rows.target.name)}")
    page.prose(found.title())
    page.facts((safe(what), f"left out: {safe(why, 90)}") for what, why in rows.left_out)
    header, *lines = text_table(*found.table())
    page.lines(["", header], style="dim")
    page.lines([*lines, ""])
    for note in map(as_typed, found.notes()):
        page.prose(note, style="yellow" if note.startswith("!") else "")


@contextmanager
def in_options(design: Design) -> Iterator[None]:
    """What the library says of its parameters, said of the options that were typed."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise type(error)(as_typed(str(error), held_out=design.test_share is not None)) from error


def as_typed(words: str, held_out: bool = False) -> str:
    """cv=50 -> --folds 50; groups= -> --groups"""
    words = words.replace("give cv as a share such as 0.3", "give --test-share 0.3")
    words = words.replace("leave cv and repeats out", "leave --folds and --repeats out")
    words = re.sub(r"\bcv=(\d+) folds are more", r"--folds \1 is more", words)
    words = re.sub(r"\bcv=", "--test-share " if held_out else "--folds ", words)
    return re.sub(r"\b(repeats|groups|positive|test|select|score|rope)=(?=(\S?))", _option, words)


def _option(found: re.Match[str]) -> str:
    """The name alone where no value follows: "kept together with groups=." """
    return f"--{found[1]}" + (" " if found[2] not in ("", ".", ",", ";") else "")
