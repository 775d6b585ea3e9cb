"""`hedgerow evaluate ROWS --model MODEL`.   In: Asked, a model file.   Out: its scores on these rows."""

from pathlib import Path
from typing import Any

from hedgerow.cli.asked import Asked
from hedgerow.cli.evaluated import check_picture, label_named, print_found
from hedgerow.cli.predict import fitting, model_file
from hedgerow.store import Parts, load, load_parts
from hedgerow.study.intake.columns import Rows
from hedgerow.study.intake.source import open_source
from hedgerow.study.intake.task import Goal, goal_of
from hedgerow.table import to_table
from hedgerow.table.words import did_you_mean, listing, quote


def evaluate_file(asked: Asked, model: str, positive: str | None, picture: str | None, as_json: bool) -> None:
    from hedgerow.evaluate import evaluate

    check_picture(picture)
    file = model_file(model)
    rows, goal = _read(asked, load_parts(file))
    more: dict[str, Any] = {} if positive is None else {"positive": label_named(positive, goal)}
    found = evaluate(load(file), rows.features, goal.labels, cv="fitted", n_jobs=asked.threads, **more)
    if picture is not None:
        found.draw().savefig(Path(picture).expanduser(), dpi=120)
    print_found(found, asked, rows, as_json)


def _read(asked: Asked, parts: Parts) -> tuple[Rows, Goal]:
    """Rows that have a target, as the model knows them."""
    source = open_source(asked.data)
    names, target = source.frame.columns, asked.target or parts.target or source.target
    if target is None:
        raise ValueError("The model file does not say what it predicts. Name the column: --target NAME.")
    if target not in names:
        raise ValueError(
            f"{quote(asked.data)} has no column {quote(target)}, so there is nothing to compare with. Columns: "
            f"{listing(names, 30)}.{did_you_mean(target, names)} Name another (--target), or: hedgerow predict."
        )
    frame = source.frame.filter(source.frame.get_column(target).is_not_null())
    if not frame.height:
        raise ValueError(f"{quote(target)} is missing in every row of {quote(asked.data)}.")
    column = to_table(frame.select(target)).columns[0]
    goal = goal_of(column, "regression" if parts.classes is None else "classification")
    lost = source.frame.height - frame.height
    left_out = ((f"{lost:,} rows", f"{target} is missing"),) if lost else ()
    return Rows(fitting(parts.schema, frame.drop(target), asked.data), column, left_out), goal
