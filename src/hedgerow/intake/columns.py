"""Which columns and rows take part.   In: a Source, Wants.   Out: Rows; what was left out, and why.

Every command reads a table this way. Cells are understood first (dates, numbers as text). A text column that hardly
ever repeats itself (a name, an identifier, a sentence) would let a tree learn rows by heart, so it is left out, and
said; `--categories` keeps it. So are dates and numbers in other forms than those understood, a column that numbers the
rows, and one that says the same in every row. Rows whose target is missing teach nothing and are left out too.
"""

import re
from dataclasses import dataclass
from shlex import quote as shell

import numpy as np

from hedgerow.intake.identifier import names_rows
from hedgerow.intake.nested import without_nested
from hedgerow.intake.source import Source, likely_target
from hedgerow.intake.understood import understood
from hedgerow.table import Column, Table, to_table
from hedgerow.table.words import did_you_mean, listing, quote
from hedgerow.types import Count, Mask

FEWEST_ROWS = 4  # to hold out one and to learn from the rest
TELLING = 20  # rows from which "all different" says something
DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([ T].*)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}( .*)?")
NUMBER = re.compile(
    r"(?=.*[,$€£%'])[$€£]? ?-?\d[\d.,' ]*[.,]?\d* ?[%$€£]?"
)  # 5 as text is a category, 5 % is not
ADVICE = {"dates": "write them as 2024-12-31", "numbers": "write them as 3000.50"}
MOST_LEVELS = 20  # of a text that may be different in every third row
REPEATS = 3  # rows a level is seen in, on average, for a text to say anything
WORDS = 4  # in a cell, on average, of a sentence


@dataclass(frozen=True, eq=False)
class Rows:
    features: Table
    target: Column  # no missing cell
    numbers: Count  # of the rows, in the table that came in
    left_out: tuple[tuple[str, str], ...] = ()  # what, why
    remarks: tuple[tuple[str, str], ...] = ()  # a column, what its cells were taken for
    notice: str = ""  # where not all rows of the file were read


@dataclass(frozen=True)
class Wants:
    """What the caller says about the columns."""

    data: str  # its name, for people
    target: str | None
    dropped: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


def rows_of(source: Source, wants: Wants) -> Rows:
    names = source.frame.columns
    target = _target_name(names, wants.target or source.target, wants.data)
    for option, given in (("--drop", wants.dropped), ("--categories", wants.categories)):
        _check_names(option, given, names, target)
    frame, nested = without_nested(source.frame.drop(wants.dropped))
    frame, remarks = understood(frame, wants.categories)
    table = to_table(frame)
    present = ~missing_cells(table.column(target))
    left_out = [(name, "--drop") for name in wants.dropped]
    if not present.all():
        lost = int(np.count_nonzero(~present))
        left_out.append((f"{lost:,} {'row' if lost == 1 else 'rows'}", f"{target} is missing"))
        table = table.take(present)
    if table.n_rows < FEWEST_ROWS:
        few = f"{table.n_rows} {'row has' if table.n_rows == 1 else 'rows have'} a target in {quote(target)}."
        raise ValueError(f"{few} At least {FEWEST_ROWS} are wanted.")
    features = to_table(table.drop(target), categories=list(wants.categories) or None)
    features, useless = _useful(features, wants, nested)
    return Rows(
        features,
        table.column(target),
        np.flatnonzero(present),
        (*left_out, *useless),
        tuple((name, words) for name, words in remarks.items() if name in (target, *features.names)),
        source.sampled,
    )


def _target_name(names: list[str], target: str | None, data: str) -> str:
    if target is None:
        guess = likely_target(names)
        raise ValueError(
            f"Which column is to be predicted? Columns of {quote(data)}: {listing(names, 30)}.\n"
            f"Perhaps: --target {shell(guess)}"
        )
    if target not in names:
        raise ValueError(
            f"--target {quote(target)} is no column. Columns: {listing(names, 30)}."
            f"{did_you_mean(target, names)}"
        )
    return target


def _check_names(option: str, given: tuple[str, ...], names: list[str], target: str) -> None:
    for name in given:
        if name == target:
            raise ValueError(f"{option} names {quote(name)}, which is the target.")
        if name not in names:
            raise ValueError(
                f"{option} names {quote(name)}, which is no column. Columns: {listing(names, 30)}."
                f"{did_you_mean(name, names)}"
            )


def _useful(table: Table, wants: Wants, nested: dict[str, str]) -> tuple[Table, list[tuple[str, str]]]:
    reasons = {
        c.name: nested.get(c.name) or _useless(c) for c in table.columns if c.name not in wants.categories
    }
    useless = [(name, why) for name, why in reasons.items() if why]
    kept = [column.name for column in table.columns if not reasons.get(column.name)]
    if not kept:
        left = "; ".join(f"{quote(name)}, {why}" for name, why in useless[:8]) or "all of them, by --drop"
        raise ValueError(f"No column is left to learn from. Left out: {left}.")
    return table.select(kept), useless


def _useless(column: Column) -> str:
    """Why a column is left out; "" for one that is not."""
    missing = missing_cells(column)
    if missing.all():
        return "no cell has a value"
    cells = column.values[~missing]
    if len(cells) < TELLING:
        return ""
    different = len(np.unique(cells))
    if different == 1 and not missing.any():
        return "the same in every row"
    if column.kind != "category":
        return "it names the rows (rename it to keep it)" if names_rows(column.name, cells) else ""
    why = _odd_text(column, len(cells), different)
    return f"{why} (--categories {shell(column.name)} keeps it)" if why else ""


def _odd_text(column: Column, known: int, different: int) -> str:
    for looks, what in ((DATE, "dates"), (NUMBER, "numbers")):
        if sum(bool(looks.fullmatch(level.strip())) for level in column.levels) > 0.9 * len(column.levels):
            return f"{what} as text; {ADVICE[what]}"
    if different == known:
        return "text that differs in every row"
    if different > MOST_LEVELS and different * REPEATS > known:
        words = np.mean([len(level.split()) for level in column.levels])
        what = "sentences" if words >= WORDS else "text that hardly ever repeats"
        return f"{what}, {different:,} different in {known:,} rows"
    return ""


def missing_cells(column: Column) -> Mask:
    return column.values < 0 if column.kind == "category" else np.isnan(column.values)
