"""All that a study reads.   In: a path, a data set's name or a frame; options.   Out: LoadedData: rows with a target,
and why the others, and some columns, take no part.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.intake.aside import check_aside, groups_in, weights_in
from hedgerow.intake.columns import Rows as Intake
from hedgerow.intake.columns import Wants, missing_cells, rows_of
from hedgerow.intake.identifier import is_called_identifier
from hedgerow.intake.nested import without_nested
from hedgerow.intake.source import Source, open_source
from hedgerow.intake.task import Goal, goal_of
from hedgerow.intake.understood import understood
from hedgerow.studies.holdout import StudyRows
from hedgerow.studies.options import StudyOptions
from hedgerow.table import Table, to_table
from hedgerow.table.words import quote, show

MANY = 20  # different values of a column that may name groups
FEWEST = 30  # rows a study is worth making of
FEWEST_LEFT = 20  # rows to learn from


@dataclass(frozen=True, eq=False)
class LoadedData:
    name: str  # of the data, for people
    rows: StudyRows
    goal: Goal
    target: str
    left_out: tuple[tuple[str, str], ...]  # what, why
    unused: Table  # columns that are left out
    remarks: dict[str, str]  # by column
    notes: tuple[str, ...]


def load_data(data: Any, options: StudyOptions) -> LoadedData:
    name, source = _open(data, options)
    target = options.target or source.target
    for what in ("groups", "weights"):
        check_aside(f"{what}=", getattr(options, what), source.frame, target)
    aside = tuple(column for column in (options.groups, options.weights) if column is not None)
    wants = Wants(name, options.target, (*options.drop, *aside), tuple(options.categories))
    intake = rows_of(source, wants)
    goal, kept = goal_of(intake.target, options.task), intake.numbers
    _refuse_few(len(kept), options.holdout)
    return LoadedData(
        name=name,
        rows=StudyRows(
            table=intake.features,
            target=goal.values,
            weight=weights_in(source.frame, options.weights, kept),
            groups=groups_in(source.frame, options.groups, kept),
            numbers=kept,
        ),
        goal=goal,
        target=intake.target.name,
        left_out=_explain_left_out(intake, options),
        unused=_unused(source.frame, intake),
        remarks=dict(intake.remarks),
        notes=tuple(_notes(intake, options)),
    )


def _open(data: Any, options: StudyOptions) -> tuple[str, Source]:
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return str(data), open_source(str(data), memory=options.memory, seed=options.random_state)
    import narwhals as nw
    import polars as pl

    if isinstance(data, pl.DataFrame):
        return "a table", Source(data, "study")
    try:
        frame = nw.from_native(data, eager_only=True)
    except TypeError:
        raise TypeError(
            f"A {type(data).__name__} is no table a study can read. Wanted: a path, the name of a data set that comes "
            "along, or a frame (polars, pandas, Arrow)."
        ) from None
    return "a table", Source(pl.from_arrow(frame.to_arrow()), "study")  # type: ignore[arg-type]


def _explain_left_out(intake: Intake, options: StudyOptions) -> tuple[tuple[str, str], ...]:
    roles = {
        options.groups: "it says which rows belong together",
        options.weights: "it says how much a row counts",
    }
    return tuple((what, roles.get(what, reason)) for what, reason in intake.left_out)


def _unused(frame: Any, intake: Intake) -> Table:
    names = [name for name, _ in intake.left_out if name in frame.columns]
    if not names:
        return Table((), intake.features.n_rows, True)
    return to_table(understood(without_nested(frame.select(names))[0])[0])


def _notes(intake: Intake, options: StudyOptions) -> Iterator[str]:
    """What may make the result wrong."""
    if intake.notice:
        yield intake.notice
    target, remarks = intake.target.name, dict(intake.remarks)
    if target in remarks:
        yield f"{show(target)}: {remarks[target]}."
    for column in intake.features.columns if options.groups is None else ():
        present = column.values[~missing_cells(column)]
        different = len(np.unique(present))
        if is_called_identifier(column.name) and MANY < different < len(present):
            yield (
                f"{show(column.name)} is called an identifier and repeats. If its rows belong together, scores are too "
                f"good: groups={quote(column.name)} keeps them on one side."
            )


def _refuse_few(n_rows: int, holdout: float) -> None:
    if n_rows < FEWEST:
        raise ValueError(
            f"The table has {n_rows} rows with a target. A study wants at least {FEWEST}: fewer cannot be learned from "
            "and tested on. hedgerow fit makes a tree of few rows."
        )
    left = n_rows - round(holdout * n_rows)
    if left < FEWEST_LEFT:
        raise ValueError(
            f"holdout={holdout:g} leaves {left} of {n_rows:,} rows to learn from. At least {FEWEST_LEFT} are wanted: "
            "give a smaller share, such as 0.2."
        )
