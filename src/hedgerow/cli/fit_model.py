"""`hedgerow fit --model NAME`, NAME not a tree.   In: Asked, Wanted.   Out: a ModelResult, printed; files, written.

The same path as fit.py, with an estimator of hedgerow.estimators in the middle.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked, command
from hedgerow.cli.models import model_named
from hedgerow.cli.models.model import Model, Wanted, refuse_others
from hedgerow.cli.picture import check_writable
from hedgerow.cli.progress import Step, progress
from hedgerow.cli.pruning import Wish
from hedgerow.cli.reading import opened
from hedgerow.cli.score import Score, class_scores, number_scores
from hedgerow.estimators.saving import extract_state
from hedgerow.intake import PreparedData, TargetData, prepare_data
from hedgerow.intake.split import hold_out
from hedgerow.store import save_state
from hedgerow.types import Count


@dataclass(frozen=True, eq=False)
class ModelResult:
    asked: Asked
    rows: PreparedData
    goal: TargetData
    train: Count
    test: Count
    words: str
    facts: list[tuple[str, str]]
    importances: list[tuple[str, float]]
    scores: tuple[Score, ...]
    picture: Path | None
    file: Path
    command: str
    seconds: float


def fit_model(asked: Asked, wish: Wish, wanted: Wanted, as_json: bool) -> None:
    model = model_named(asked.model)
    refuse_others(asked.model, model.OPTIONS, asked, wish, wanted)
    with progress() as step:
        result = fitted(asked, wanted, model, step)
    from hedgerow.cli.model_report import print_json, print_report

    (print_json if as_json else print_report)(result)


def fitted(asked: Asked, wanted: Wanted, model: Model, step: Step) -> ModelResult:
    started = perf_counter()
    step("reading")
    source = opened(asked)
    picture = Path(asked.picture or f"{source.stem}-{asked.model}.svg").expanduser()
    file = Path(asked.save or f"{source.stem}.hedgerow").expanduser()
    check_writable("--picture", picture)
    check_writable("--save", file)
    rows = prepare_data(source, asked.columns())
    goal = rows.target
    train, test = hold_out(goal.strata, asked.test_share, asked.seed)
    estimator = model.estimator(asked, wanted, goal.classes is not None)
    step(f"fitting {model.WORDS}")
    estimator.fit(rows.features.take(train), goal.labels[train])
    step("scoring")
    scores = _scores(estimator, rows, goal, train, test, asked)
    step("drawing")
    drawn = model.picture(estimator, picture, rows.features.take(train), goal.labels[train])
    save_state(replace(extract_state(estimator), target=rows.target.name), file)
    return ModelResult(
        asked, rows, goal, train, test, model.WORDS, model.facts(estimator), model.importances(estimator),
        tuple(scores), picture if drawn else None, file,
        command("fit", rows.target.name, asked, wanted), perf_counter() - started,
    )  # fmt: skip


def _scores(
    estimator: Any, rows: PreparedData, goal: TargetData, train: Count, test: Count, asked: Asked
) -> list[Score]:
    guess = estimator.predict(rows.features.take(test))
    if goal.classes is None:
        return number_scores(goal.values[test], guess, float(goal.values[train].mean()), asked.seed)
    usual = int(np.bincount(goal.values[train]).argmax())
    codes = np.searchsorted(goal.classes, guess)
    return class_scores(goal.values[test], codes, usual, str(goal.classes[usual]))
