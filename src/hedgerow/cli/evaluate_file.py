"""`hedgerow evaluate ROWS --model MODEL`.   In: Asked, a model file.   Out: its scores on these rows."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked, option
from hedgerow.cli.evaluated import Design, check_picture, label_named, print_found
from hedgerow.cli.predict import fitting, model_at
from hedgerow.cli.reading import opened
from hedgerow.estimators.saving import load
from hedgerow.intake import PreparedData, Samples, TargetData
from hedgerow.intake.clean import coerce_to_numbers
from hedgerow.intake.columns import missing_cells
from hedgerow.intake.task import read_target
from hedgerow.store import ModelState, load_state
from hedgerow.table import to_table
from hedgerow.words import did_you_mean, listing, quote


def evaluate_file(asked: Asked, model: str, design: Design, picture: str | None, as_json: bool) -> None:
    from hedgerow.evaluation import evaluate

    check_picture(picture)
    _refuse_design(design)
    file = model_at(model)
    rows, goal = _read(asked, load_state(file))
    more: dict[str, Any] = {} if design.positive is None else {"positive": label_named(design.positive, goal)}
    found = evaluate(load(file), rows.features, goal.labels, cv="fitted", n_jobs=asked.threads, **more)
    if picture is not None:
        found.draw().savefig(Path(picture).expanduser(), dpi=120)
    print_found(found, asked, rows, as_json)


def _refuse_design(design: Design) -> None:
    for field in fields(Design):
        if field.name != "positive" and getattr(design, field.name) != field.default:
            raise ValueError(
                f"{option(field.name)} says how rows are shared out, but a model file is fitted already: all rows "
                "test it. Leave it out."
            )


def _read(asked: Asked, parts: ModelState) -> tuple[PreparedData, TargetData]:
    """PreparedData that have a target, as the model knows them."""
    source = opened(asked)
    names, target = source.frame.columns, asked.target or parts.target or source.target
    if target is None:
        raise ValueError("The model file does not say what it predicts. Name the column: --target NAME.")
    if target not in names:
        raise ValueError(
            f"{quote(asked.data)} has no column {quote(target)}, so there is nothing to compare with. Columns: "
            f"{listing(names, 30)}.{did_you_mean(target, names)} Name another (--target), or: hedgerow predict."
        )
    frame = coerce_to_numbers(source.frame, frozenset([target] if parts.classes is None else []))
    column = to_table(frame.select(target)).columns[0]
    present = np.flatnonzero(~missing_cells(column))
    if not len(present):
        raise ValueError(f"{quote(target)} is missing in every row of {quote(asked.data)}.")
    column = replace(column, values=column.values[present])
    goal = read_target(column, "regression" if parts.classes is None else "classification")
    lost = frame.height - len(present)
    left_out = ((f"{lost:,} {'row' if lost == 1 else 'rows'}", f"{target} is missing"),) if lost else ()
    table = fitting(parts.schema, frame.drop(target)[present], asked.data)
    return PreparedData(source, Samples(table, goal.values, None, None, present), goal, left_out), goal
