"""Data to learn from.   In: a Source, ColumnOptions.   Out: PreparedData: cleaned features, the target, weights and
groups of the rows that have a target; what was left out, and why.

Every command, and a study, reads a table this way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.errors import Message, ParameterError, Setting
from hedgerow.intake.clean import coerce_types, convert_text_numbers, flatten_nested, mark_dates
from hedgerow.intake.columns import (
    ColumnOptions,
    LeftOut,
    Reason,
    find_target,
    find_useless,
    is_free_text,
    select_features,
)
from hedgerow.intake.read import Source
from hedgerow.intake.task import TargetData, read_target
from hedgerow.intake.types_file import DATES, KINDS, NUMBERS, TypeOptions
from hedgerow.table import Column, Table, to_table
from hedgerow.table.texts import Texts
from hedgerow.types import Count, Float
from hedgerow.words import listing, quote

if TYPE_CHECKING:
    import polars as pl

TEXT_REMARK = "free text, read by its words and pairs of words"
MIN_ROWS = 4  # to hold out one and to learn from the rest


@dataclass(frozen=True, eq=False)
class Samples:
    """Rows: what is known of each, what is to be predicted, how much it counts, whom it belongs to. Rows with a time
    are in its order."""

    table: Table
    target: NDArray[Any]  # class codes, or numbers
    weight: Float | None
    groups: NDArray[Any] | None
    numbers: Count  # of the rows, in the table that came in
    time: Float | None = None  # of each row, where the caller names a column of it

    def __len__(self) -> int:
        return len(self.target)

    def take(self, rows: Count) -> "Samples":
        return Samples(
            self.table.take(rows),
            self.target[rows],
            None if self.weight is None else self.weight[rows],
            None if self.groups is None else self.groups[rows],
            self.numbers[rows],
            None if self.time is None else self.time[rows],
        )

    def drop_weightless(self) -> "Samples":
        """A row that weighs nothing is not there."""
        return self if self.weight is None else self.take(np.flatnonzero(self.weight))


@dataclass(frozen=True, eq=False)
class PreparedData:
    source: Source
    samples: Samples
    target: TargetData
    left_out: tuple[LeftOut, ...] = ()
    remarks: tuple[tuple[str, str], ...] = ()  # a column, what its cells were taken for
    # Of columns that the caller called dates or numbers
    orders: Mapping[str, str] = field(default_factory=dict)

    @property
    def features(self) -> Table:
        return self.samples.table

    @property
    def notice(self) -> Reason:
        """Where not all rows were read."""
        return self.source.notice

    def unused_columns(self) -> Table:
        """The columns that are left out, of all rows."""
        names = [name for name, _ in self.left_out if name in self.source.frame.columns]
        if not names:
            return Table((), self.source.frame.height, True)
        return to_table(coerce_types(flatten_nested(self.source.frame.select(names))[0])[0])


def prepare_data(source: Source, options: ColumnOptions) -> PreparedData:
    target = find_target(source.header, options)
    for parameter in ("groups", "weights", "time"):
        _refuse_nested(parameter, getattr(options, parameter), source)
    sample_columns, types = options.sample_columns, options.types
    dropped = tuple(dict.fromkeys((*options.drop, *types.named("drop"), *sample_columns)))
    categories = tuple(dict.fromkeys((*options.categories, *types.named("category"))))
    frame, nested, remarks = _clean(source.frame.drop(dropped), categories, types)
    table = to_table(frame)
    present = ~table.column(target).missing
    left_out: list[LeftOut] = [(name, sample_columns.get(name, Message("{drop}"))) for name in dropped]
    if not present.all():
        left_out.append(_missing_targets(int(np.count_nonzero(~present)), target))
        table = table.take(present)
    _check_enough(table.n_rows, target)
    features = to_table(table.drop(target), categories=list(categories) or None)
    features, texts = _find_texts(features, types.named("text"), (*categories, *nested))
    remarks |= texts
    wanted = (*categories, *types.named("boolean", "text", *NUMBERS, *DATES))
    features, useless = select_features(features, wanted, nested, left_out[: len(dropped)])
    features = mark_dates(features, remarks)
    found, kept = read_target(table.column(target), options.task), np.flatnonzero(present)
    groups = read_groups(source.frame, options.groups, kept)
    samples = Samples(
        features, found.values, read_weights(source.frame, options.weights, kept), groups, kept,
        _read_time(table, options),
    )  # fmt: skip
    if samples.time is not None:
        order = np.argsort(samples.time, kind="stable")
        samples, found = samples.take(order), replace(found, values=found.values[order])
    used = {name: words for name, words in remarks.items() if name in (target, *features.names)}
    return PreparedData(source, samples, found, (*left_out, *useless), tuple(used.items()), types.orders)


def understand_columns(source: Source, types: TypeOptions) -> tuple[Table, dict[str, str], list[LeftOut]]:
    """All columns as they would be learned from, a remark for each that is not what it was, and which would be left
    out, unless they are the target."""
    types.check_columns(source.frame.columns)
    categories = types.named("category")
    frame, nested, remarks = _clean(source.frame.drop(types.named("drop")), categories, types)
    table = to_table(frame, categories=list(categories) or None)
    table, texts = _find_texts(table, types.named("text"), (*categories, *nested))
    useless = find_useless(table, (*categories, *types.named("boolean", "text", *NUMBERS, *DATES)), nested)
    return mark_dates(table, remarks), {**remarks, **texts}, useless


def _clean(
    frame: "pl.DataFrame", categories: tuple[str, ...], types: TypeOptions
) -> tuple["pl.DataFrame", dict[str, str], dict[str, str]]:
    """The cells as models take them, the columns whose cells are no values, and remarks."""
    frame, nested = flatten_nested(frame)
    frame, remarks = coerce_types(frame, categories, types.orders)
    return _force(frame, types, remarks), nested, remarks


def _find_texts(
    table: Table, named: tuple[str, ...], others: tuple[str, ...]
) -> tuple[Table, dict[str, str]]:
    """Columns of free text, by their cells or as the caller says, and a remark for each. `others`: which are not."""
    is_text = {
        one.name: one.name in named or (one.name not in others and is_free_text(one)) for one in table.columns
    }
    for one in table.columns:
        if one.name in named and not one.is_coded and not one.missing.all():
            raise ParameterError("{types} calls {} a text, but its cells are numbers.", quote(one.name))
    columns = [
        Column(one.name, "text", one.values, Texts(one.levels)) if is_text[one.name] else one
        for one in table.columns
    ]
    remarks = {name: TEXT_REMARK for name, found in is_text.items() if found}
    return Table(tuple(columns), table.n_rows, table.named), remarks


def _force(frame: "pl.DataFrame", types: TypeOptions, remarks: Mapping[str, str]) -> "pl.DataFrame":
    """Columns that the caller calls numbers or dates are these, or an error says which cell is not."""
    import polars as pl

    names = frozenset(types.named(*NUMBERS))
    numbers, _ = convert_text_numbers(frame, texts=names, orders=types.columns)
    for name in [one for one in types.named(*NUMBERS, *DATES) if one in frame.columns]:
        is_no_date = name in types.named(*DATES) and not remarks.get(name, "").startswith("dates")
        if numbers.schema[name] == pl.String or (is_no_date and not frame.get_column(name).is_null().all()):
            shown = listing(frame.get_column(name).drop_nulls().unique().sort().cast(pl.String).to_list()[:3])
            kind = types.columns[name]
            raise ParameterError(
                "{types} calls {} a {}, but its cells are such as {}. Known kinds: {}.",
                quote(name),
                kind,
                shown,
                ", ".join(KINDS),
            )
    return numbers


def _missing_targets(n_rows: int, target: str) -> LeftOut:
    return f"{n_rows:,} {'row' if n_rows == 1 else 'rows'}", f"{target} is missing"


def _check_enough(n_rows: int, target: str) -> None:
    if n_rows < MIN_ROWS:
        few = f"{n_rows} {'row has' if n_rows == 1 else 'rows have'} a target in {quote(target)}."
        raise ValueError(f"{few} At least {MIN_ROWS} are wanted.")


def _refuse_nested(parameter: str, name: str | None, source: Source) -> None:
    if name is not None and flatten_nested(source.frame.select(name))[1]:
        kind = str(source.frame.schema[name])
        raise ParameterError(f"{{{parameter}}} holds {{}}. Expected: plain cells.", kind, **{parameter: name})


def read_groups(frame: "pl.DataFrame", name: str | None, rows: Count) -> NDArray[Any] | None:
    """Rows without a group are one group."""
    return None if name is None else frame.get_column(name).cast(str).fill_null("").to_numpy()[rows]


def _read_time(table: Table, options: ColumnOptions) -> Float | None:
    """`table`: rows with a target, cells cleaned."""
    if options.time is None:
        return None
    if options.groups is not None:
        raise ParameterError("{groups} and {time} do not go together yet. Leave one out.", time=options.time)
    if options.time not in table.names:
        raise ParameterError("{time} is left out by {drop}. Leave one of them out.", time=options.time)
    column = table.column(options.time)
    if column.is_coded:
        raise ParameterError(
            "{time} holds text such as {}. Expected: dates or numbers; {} says how to read dates.",
            quote(column.levels[0] if column.levels else ""),
            Setting("types", f"{options.time}=date_dmy"),
            time=options.time,
        )
    if column.missing.any():
        n_missing = int(np.count_nonzero(column.missing))
        raise ParameterError(
            f"{{time}} is missing in {n_missing:,} rows. Leave these rows out: their order is not known.",
            time=options.time,
        )
    return np.asarray(column.values, np.float64)


def read_weights(frame: "pl.DataFrame", name: str | None, rows: Count) -> Float | None:
    if name is None:
        return None
    column = frame.get_column(name)
    if not column.dtype.is_numeric():
        raise ParameterError(
            "{weights} holds text such as {}. Expected: numbers of 0 or more.",
            quote(str(column.drop_nulls().first())),
            weights=name,
        )
    weight = column.cast(float).to_numpy()[rows]
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ParameterError(
            "{weights} has missing, negative or only zero weights. Expected: 0 or more.", weights=name
        )
    return np.ascontiguousarray(weight)
