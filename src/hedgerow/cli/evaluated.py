"""`hedgerow evaluate` and `compare`.   In: Asked, a Design, names of models.   Out: a page or JSON; a picture."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hedgerow.cli.asked import Asked, check_folder, listed
from hedgerow.cli.candidates import USUAL, candidate
from hedgerow.cli.page import Page
from hedgerow.cli.reading import opened, reading_plain, reading_told
from hedgerow.cli.typed import as_typed, in_typed_words
from hedgerow.intake import PreparedData, TargetData, prepare_data
from hedgerow.words import quote
from hedgerow.words import show as safe

OPTIONS = ("repeats", "groups", "positive", "test", "select", "rope")


@dataclass(frozen=True)
class Design:
    """Who is tested when."""

    folds: int | None = None
    repeats: int | None = None
    test_share: float | None = None
    time: bool = False
    groups: str | None = None
    positive: str | None = None

    @property
    def typed(self) -> dict[str, str]:
        """Parameters as they are typed."""
        split = "--folds" if self.test_share is None else "--test-share"
        return (
            {r"cv(?==0\.)": "--test-share", "cv": split}
            | {name: f"--{name}" for name in OPTIONS}
            | {"scoring": "--score"}
        )

    def options(self, goal: TargetData) -> dict[str, Any]:
        """As `evaluate` and `compare` know them; groups apart."""
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
        return options


def evaluate_one(asked: Asked, design: Design, name: str, picture: str | None, as_json: bool) -> None:
    from hedgerow.evaluation import evaluate

    rows, goal, options = _read(asked, design, picture)
    model = candidate(name, asked, goal.classes is not None)
    with in_typed_words(design.typed):
        found = evaluate(
            model, rows.features, goal.labels, random_state=asked.seed, n_jobs=asked.threads, **options
        )
    if picture is not None:
        found.draw().savefig(Path(picture).expanduser(), dpi=120)
    print_found(found, asked, rows, as_json)


def compare_some(
    asked: Asked, design: Design, models: str, more: dict[str, Any], picture: str | None, as_json: bool
) -> None:
    from hedgerow.evaluation import compare

    rows, goal, options = _read(asked, design, picture)
    names = listed(models) or list(USUAL)
    given = {name: candidate(name, asked, goal.classes is not None) for name in names}
    if len(given) < 2:
        raise ValueError(f"--models {models} is one model. Name two or more, or: hedgerow evaluate.")
    with in_typed_words(design.typed):
        found = compare(
            given,
            rows.features,
            goal.labels,
            random_state=asked.seed,
            n_jobs=asked.threads,
            **options,
            **more,
        )
    if picture is not None:
        found.draw().figure.savefig(Path(picture).expanduser(), dpi=120)
    print_found(found, asked, rows, as_json)


def _read(
    asked: Asked, design: Design, picture: str | None
) -> tuple[PreparedData, TargetData, dict[str, Any]]:
    check_picture(picture)
    source = opened(asked)
    rows = prepare_data(source, asked.columns(design.groups))
    goal, groups = rows.target, rows.samples.groups
    return rows, goal, design.options(goal) | ({} if groups is None else {"groups": groups})


def check_picture(picture: str | None) -> None:
    """Before the work, not after it."""
    check_folder("--picture", picture)
    if picture is not None and not picture.lower().endswith((".svg", ".png")):
        raise ValueError(f"--picture {quote(picture)}: the name must end in .svg or .png.")


def label_named(typed: str, goal: TargetData) -> Any:
    return goal.find_class(typed)


def print_found(found: Any, asked: Asked, rows: PreparedData, as_json: bool) -> None:
    if as_json:
        plain = {"data": asked.data, "target": rows.target.name, **reading_plain(rows), "seed": asked.seed}
        print(json.dumps({**plain, **found.to_dict()}, indent=2, ensure_ascii=False, allow_nan=False))
        return
    page = Page()
    page.heading(safe(asked.data), f"to predict {safe(rows.target.name)}")
    table = found.score_table()
    page.prose(*table.title)
    page.facts(reading_told(rows))
    header, *lines = table.lines()
    page.lines(["", header], style="dim")
    page.lines([*lines, ""])
    for note in (as_typed(note, Design().typed) for note in table.notes):
        page.prose(note, style="yellow" if note.startswith("!") else "")
