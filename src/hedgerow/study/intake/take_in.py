"""All that a study reads.   In: a path, a data set's name or a frame; Asked.   Out: Taken: rows with a target, and why
the others, and some columns, take no part.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote as shell
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.study.asked import Asked
from hedgerow.study.intake.columns import Rows as Intake
from hedgerow.study.intake.columns import missing_cells, rows_of
from hedgerow.study.intake.identifier import is_called_identifier
from hedgerow.study.intake.source import Source, open_source
from hedgerow.study.intake.task import Goal, goal_of
from hedgerow.study.intake.understood import understood
from hedgerow.study.seal import Rows
from hedgerow.table import Table
from hedgerow.table.words import did_you_mean, listing, quote, show

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


@dataclass(frozen=True)
class _Wants:
    """As rows_of asks for it."""

    data: str
    target: str | None
    dropped_names: list[str]
    category_names: list[str]


def take_in(data: Any, asked: Asked) -> Taken:
    name, source = _source(data, asked)
    target = asked.target or source.target
    for what in ("groups", "weights"):
        _check_column(what, getattr(asked, what), source.frame.columns, target)
    aside = [column for column in (asked.groups, asked.weights) if column is not None]
    frame, remarks = understood(source.frame, (*asked.drop, *asked.categories, *aside))
    wants = _Wants(name, asked.target, [*asked.drop, *aside], list(asked.categories))
    intake = rows_of(Source(frame, source.stem, source.target, source.note), wants)
    goal = goal_of(intake.target, asked.task)
    present = frame.get_column(intake.target.name).is_not_null().to_numpy()
    present = present & ~_not_a_number(frame.get_column(intake.target.name))
    kept = np.flatnonzero(present)
    rows = Rows(
        intake.features,
        goal.values,
        _weights(frame, asked.weights, kept),
        None
        if asked.groups is None
        else frame.get_column(asked.groups).cast(str).fill_null("").to_numpy()[kept],
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
        unused=_unused(frame, intake),
        remarks=remarks,
        notes=tuple(_notes(source, intake, remarks, asked)),
    )


def _notes(source: Source, intake: Intake, remarks: dict[str, str], asked: Asked) -> Iterator[str]:
    """What may make the result wrong."""
    if source.sampled:
        yield source.sampled
    target = intake.target.name
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


def _check_column(what: str, name: str | None, names: list[str], target: str | None) -> None:
    if name is not None and name == target:
        raise ValueError(
            f"{what}={quote(name)} is the target: it cannot be both. Name another column, or none."
        )
    if name is not None and name not in names:
        raise ValueError(
            f"{what}={quote(name)} is no column. Columns: {listing(names, 30)}.{did_you_mean(name, names)}"
        )


def _not_a_number(column: Any) -> NDArray[np.bool_]:
    return (
        column.is_nan().fill_null(False).to_numpy()
        if column.dtype.is_float()
        else np.zeros(len(column), bool)
    )


def _weights(frame: Any, name: str | None, kept: NDArray[Any]) -> NDArray[Any] | None:
    if name is None:
        return None
    column = frame.get_column(name)
    if not column.dtype.is_numeric():
        raise ValueError(f"weights={quote(name)} holds {column.dtype}. Wanted: numbers of 0 or more.")
    weight = column.cast(float).to_numpy()[kept]
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ValueError(
            f"weights={quote(name)} has missing, negative or only zero weights. Wanted: 0 or more."
        )
    return np.ascontiguousarray(weight)


def _unused(frame: Any, intake: Intake) -> Table:
    from hedgerow.table import to_table

    names = [name for name, _ in intake.left_out if name in frame.columns]
    return to_table(frame.select(names)) if names else Table((), intake.features.n_rows, True)
