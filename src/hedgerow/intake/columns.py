"""Which columns take part.   In: a frame, ColumnOptions.   Out: the features; what was left out, and why.

A text column that hardly ever repeats itself is free text where its cells are sentences, of four words or more: models
read its words. Where they are not (an identifier, a ticket) it would let a tree learn rows by heart, so it is left out,
with a remark; `categories` keeps it, `types` makes it text. So are dates and numbers in other forms than those clean.py
understands, a column that numbers the rows, and one that says the same in every row.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.errors import Message, ParameterError, Setting
from hedgerow.intake.read import Header, likely_target, read_header
from hedgerow.intake.types_file import TypeOptions
from hedgerow.table import Column, Table
from hedgerow.words import did_you_mean, listing, quote

Reason = Message | str
LeftOut = tuple[str, Reason]  # what, why

IDENTIFIER = re.compile(
    r"(^|[_ .-])(id|ids|uuid|guid|index|row|rownames|nr|no|number|key)[.#]?$|#$|^(unnamed|column_1$)"
)
IDENTIFIER_OF = re.compile(r"(ID|Id|id)[_ .-]|ID[a-z]")  # IDpol, id_client
CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")  # passengerId -> passenger_Id
DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([ T].*)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}( .*)?")
# 5 as text is a category, 5 % is not
NUMBER = re.compile(r"(?=.*[,$€£%'])[$€£]? ?-?\d[\d.,' ]*[.,]?\d* ?[%$€£]?")
ADVICE = {
    "dates": "day and month could be either, or the forms differ",
    "numbers": "their units or forms differ",
}
MIN_ROWS = 20  # from which "all different" says something
MAX_LEVELS = 20  # of a text that may be different in every third row
MIN_REPEATS = 3  # rows a level is seen in, on average, for a text to say anything
SENTENCE_WORDS = 4  # in a cell, on average
MIN_LOOKED_AT = 1000  # cells that say whether a column holds dates or numbers


@dataclass(frozen=True)
class ColumnOptions:
    """What the caller says about the columns."""

    target: str | None = None
    task: str = "auto"
    drop: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    groups: str | None = None  # rows of one group stay together
    weights: str | None = None  # how much a row counts
    time: str | None = None  # the order of the rows: train before test
    types: TypeOptions = field(default_factory=TypeOptions)  # what columns are, where the caller knows better

    @property
    def sample_columns(self) -> dict[str, Reason]:
        """Columns about the rows, which are not learned from, and what each says."""
        reasons = {
            self.groups: "it says which rows belong together",
            self.weights: "it says how much a row counts",
        }
        return {name: reason for name, reason in reasons.items() if name is not None}


def check_header(data: Any, options: ColumnOptions) -> None:
    """Refuse columns that are not there before any row is read, where the form of the file allows it."""
    header = read_header(data, options.types.file)
    if header is not None:
        find_target(header, options)


def find_target(header: Header, options: ColumnOptions) -> str:
    """The name of the target column; the other columns that are named are there, too."""
    names, target = header.columns, options.target or header.target
    for parameter in ("groups", "weights", "time"):
        _check_sample_column(parameter, getattr(options, parameter), names, target)
    if target is None:
        raise ParameterError(
            "Which column is to be predicted? Columns of {}: {}.\nPerhaps: {}",
            quote(header.name),
            listing(names, 30),
            Setting("target", likely_target(names)),
        )
    if target not in names:
        raise ParameterError(
            "{target} is no column. Columns: {}.{}",
            listing(names, 30),
            did_you_mean(target, names),
            target=target,
        )
    options.types.check_columns(names)
    for parameter in ("drop", "categories"):
        for name in getattr(options, parameter):
            _check_listed(parameter, name, names, target)
    return target


def _check_sample_column(parameter: str, name: str | None, names: list[str], target: str | None) -> None:
    if name is None:
        return
    if name == target:
        raise ParameterError(
            f"{{{parameter}}} is the target: it cannot be both. Name another column, or none.",
            **{parameter: name},
        )
    if name not in names:
        raise ParameterError(
            f"{{{parameter}}} is no column. Columns: {{}}.{{}}",
            listing(names, 30),
            did_you_mean(name, names),
            **{parameter: name},
        )


def _check_listed(parameter: str, name: str, names: list[str], target: str) -> None:
    if name == target:
        raise ParameterError(f"{{{parameter}}} names {{}}, which is the target.", quote(name))
    if name not in names:
        raise ParameterError(
            f"{{{parameter}}} names {{}}, which is no column. Columns: {{}}.{{}}",
            quote(name),
            listing(names, 30),
            did_you_mean(name, names),
        )


def select_features(
    table: Table, kept: tuple[str, ...], nested: dict[str, str], dropped: list[LeftOut]
) -> tuple[Table, list[LeftOut]]:
    """The columns worth learning from, and the others. `dropped`: what is gone already."""
    useless = find_useless(table, kept, nested)
    used = [name for name in table.names if name not in dict(useless)]
    if not used:
        raise _nothing_left([*dropped, *useless])
    return table.select(used), useless


def find_useless(table: Table, kept: tuple[str, ...], nested: dict[str, str]) -> list[LeftOut]:
    """`kept`: columns that the caller wants; `nested`: those whose cells are no values."""
    reasons = [
        (c.name, nested.get(c.name) or why_useless(c))
        for c in table.columns
        if c.name not in kept and (c.kind != "text" or c.name in nested)
    ]
    return [(name, why) for name, why in reasons if why]


def is_free_text(column: Column) -> bool:
    """Sentences that hardly ever repeat."""
    known = column.values[~column.missing]
    if column.kind != "category" or len(known) < MIN_ROWS:
        return False
    n_distinct = len(np.unique(known))
    if n_distinct <= MAX_LEVELS or n_distinct * MIN_REPEATS <= len(known):
        return False
    some = column.levels[:MIN_LOOKED_AT]
    looks = any(
        sum(bool(form.fullmatch(level.strip())) for level in some) > 0.9 * len(some)
        for form in (DATE, NUMBER)
    )
    return not looks and float(np.mean([len(level.split()) for level in column.levels])) >= SENTENCE_WORDS


def _nothing_left(left_out: list[LeftOut]) -> ParameterError:
    if not left_out:
        return ParameterError("The table has no column but the target: there is nothing to learn from.")
    if all(why == Message("{drop}") for _, why in left_out):
        return ParameterError("No column is left to learn from. Left out: all of them, by {drop}.")
    shown = left_out[:8]
    texts = [text for name, why in shown for text in (quote(name), why)]
    return ParameterError(
        f"No column is left to learn from. Left out: {'; '.join(['{}, {}'] * len(shown))}.", *texts
    )


def why_useless(column: Column) -> Reason:
    """Why a column is left out; "" for one that is not."""
    missing = column.missing
    if missing.all():
        return "no cell has a value"
    cells = column.values[~missing]
    if len(cells) < MIN_ROWS:
        return ""
    n_distinct = len(np.unique(cells))
    if n_distinct == 1 and not missing.any():
        return "the same in every row"
    if column.kind != "category":
        if not is_identifier(column.name, cells):
            return ""
        return Message("it names the rows ({} keeps it)", Setting("types", f"{column.name}=number"))
    why = _why_useless_text(column, len(cells), n_distinct)
    for what, kind in (("dates", "date_dmy"), ("numbers", "number_comma")):
        if why.startswith(what):
            return Message("{} ({} reads them)", why, Setting("types", f"{column.name}={kind}"))
    return Message("{} ({} keeps it)", why, Setting("categories", column.name)) if why else ""


def _why_useless_text(column: Column, n_known: int, n_distinct: int) -> str:
    for looks, what in ((DATE, "dates"), (NUMBER, "numbers")):
        if sum(bool(looks.fullmatch(level.strip())) for level in column.levels) > 0.9 * len(column.levels):
            return f"{what} as text; {ADVICE[what]}"
    if n_distinct == n_known:
        return "text that differs in every row"
    if n_distinct > MAX_LEVELS and n_distinct * MIN_REPEATS > n_known:
        return f"text that seldom repeats, {n_distinct:,} different values in {n_known:,} rows"
    return ""


def is_named_identifier(name: str) -> bool:
    return bool(IDENTIFIER.search(CAMEL_CASE.sub("_", name).lower()) or IDENTIFIER_OF.match(name))


def is_identifier(name: str, cells: NDArray[Any]) -> bool:
    """Named as identifiers are, and whole numbers, each of them once."""
    if len(cells) < MIN_ROWS or not is_named_identifier(name) or not np.all(cells == np.rint(cells)):
        return False
    return len(np.unique(cells)) == len(cells)
