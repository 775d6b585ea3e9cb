"""All that a study reads.   In: a path, a data set's name or a frame; Asked.   Out: Taken: rows with a target, and why
the others, and some columns, take no part.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote as shell
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
from hedgerow.studies.asked import Asked
from hedgerow.studies.seal import Rows
from hedgerow.table import Table, to_table
from hedgerow.table.words import show

MANY = 20  # different values of a column that may name groups
FEWEST_LEFT = 20  # rows to learn from


@dataclass(frozen=True, eq=False)
class Taken:
    name: str  # of the data, for people
    stem: str  # for files
    rows: Rows
    goal: Goal
    target: str
    left_out: tuple[tuple[str, str], ...]  # what, why
    unused: Table  # columns that are left out
    remarks: dict[str, str]  # by column
    notes: tuple[str, ...]


def take_in(data: Any, asked: Asked) -> Taken:
    name, source = _source(data, asked)
    target = asked.target or source.target
    for what in ("groups", "weights"):
        check_aside(f"{what}=", getattr(asked, what), source.frame, target)
    aside = tuple(column for column in (asked.groups, asked.weights) if column is not None)
    intake = rows_of(source, Wants(name, asked.target, (*asked.drop, *aside), asked.categories))
    goal = goal_of(intake.target, asked.task)
    kept = intake.numbers
    rows = Rows(
        intake.features,
        goal.values,
        weights_in(source.frame, asked.weights, kept),
        groups_in(source.frame, asked.groups, kept),
        kept,
    )
    _refuse_few_left(len(kept), asked.holdout)
    why = {asked.groups: "it says which rows belong together", asked.weights: "it says how much a row counts"}
    left_out = tuple((what, why.get(what, reason)) for what, reason in intake.left_out)
    return Taken(
        name=name,
        stem=source.stem,
        rows=rows,
        goal=goal,
        target=intake.target.name,
        left_out=left_out,
        unused=_unused(source.frame, intake),
        remarks=dict(intake.remarks),
        notes=tuple(_notes(intake, asked)),
    )


def _notes(intake: Intake, asked: Asked) -> Iterator[str]:
    """What may make the result wrong."""
    if intake.notice:
        yield intake.notice
    target, remarks = intake.target.name, dict(intake.remarks)
    if target in remarks:
        yield f"{show(target)}: {remarks[target]}."
    for column in intake.features.columns if asked.groups is None else ():
        present = column.values[~missing_cells(column)]
        different = len(np.unique(present))
        if is_called_identifier(column.name) and MANY < different < len(present):
            yield (
                f"{show(column.name)} is called an identifier and repeats. If its rows belong together, scores are too "
                f"good: --groups {shell(column.name)} keeps them on one side."
            )


def _refuse_few_left(n_rows: int, holdout: float) -> None:
    left = n_rows - round(holdout * n_rows)
    if n_rows >= 30 and left < FEWEST_LEFT:  # fewer are refused anyhow
        raise ValueError(
            f"holdout={holdout:g} leaves {left} of {n_rows:,} rows to learn from. At least {FEWEST_LEFT} are wanted: "
            "give a smaller share, such as 0.2."
        )


def _source(data: Any, asked: Asked) -> tuple[str, Source]:
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return str(data), open_source(str(data), memory=asked.memory, seed=asked.seed)
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


def _unused(frame: Any, intake: Intake) -> Table:
    names = [name for name, _ in intake.left_out if name in frame.columns]
    if not names:
        return Table((), intake.features.n_rows, True)
    return to_table(understood(without_nested(frame.select(names))[0])[0])
