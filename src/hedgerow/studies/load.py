"""All that a study reads.   In: a path, a data set's name or a frame; options.   Out: LoadedData: rows with a target,
and why the others, and some columns, take no part.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.errors import Message, ParameterError, Setting, Spelling, render, spell_as_parameter
from hedgerow.intake import ColumnOptions, PreparedData, Samples, TargetData, prepare_data, read_source
from hedgerow.intake.columns import check_header, is_named_identifier
from hedgerow.intake.large import LargeRows
from hedgerow.intake.types_file import TypeOptions, read_types, write_types
from hedgerow.studies.follow_up import find_censoring, find_follow_up
from hedgerow.studies.options import StudyOptions
from hedgerow.table import Table
from hedgerow.table.copies import EqualRows, find_equal_rows
from hedgerow.table.split import stratified_split
from hedgerow.table.totals import TOTAL
from hedgerow.words import listing, show

MOSTLY = 0.5  # share of the rows without a target that is a warning
MANY = 20  # different values of a column that may name groups
FEWEST = 30  # rows a study is worth making of
FEWEST_LEFT = 20  # rows to learn from
QUICK_ROWS = 10_000  # of a quick study
LARGE = 0.95  # of the other rows have a smaller target than a total


@dataclass(frozen=True, eq=False)
class LoadedData:
    name: str  # of the data, for people
    rows: Samples
    goal: TargetData
    task_reason: str
    target: str
    left_out: tuple[tuple[str, str], ...]  # what, why
    unused: Table  # columns that are left out
    remarks: dict[str, str]  # by column
    notes: tuple[str, ...]  # what may make the result wrong
    group_questions: dict[str, str]  # by column: do its rows belong together?
    reading: tuple[str, ...]  # what was noticed in the file: titles, units, new names
    equal: EqualRows  # rows that are equal in all columns but the target
    spell: Spelling  # how parameters are written in notes and reasons
    types: str  # the inferred column types, as the text of a types file
    prepared: PreparedData
    large: LargeRows | None  # all rows, where `rows` are a sample of them
    n_known: int  # rows with a target; a quick study uses some of them

    def add_names(self, rows: Samples) -> Table:
        """Of these rows the columns, and the texts that are left out: the name of a patient who is there twice."""
        if self.large is not None:
            return rows.table
        names = tuple(one for one in self.unused.take(rows.numbers).columns if one.kind == "category")
        return replace(rows.table, columns=(*rows.table.columns, *names))


def load_data(data: Any, options: StudyOptions, spell: Spelling = spell_as_parameter) -> LoadedData:
    types = read_types(options.types, options.sheet, options.header)
    columns = _column_options(options, types)
    check_header(data, columns)
    source = read_source(data, memory=options.memory, random_state=options.random_state, file=types.file)
    every = prepare_data(source, columns)
    if options.positive is not None:
        every.target.find_class(options.positive)  # refuses what is no class
    prepared = _draw_quick(every, options.random_state) if options.quick else every
    _refuse_few(len(prepared.samples), options.holdout)
    return LoadedData(
        name=source.name,
        rows=prepared.samples,
        goal=prepared.target,
        task_reason=_explain_task(prepared.target, options, spell),
        target=prepared.target.name,
        left_out=tuple((what, render(reason, spell)) for what, reason in prepared.left_out),
        unused=prepared.unused_columns(),
        remarks=dict(prepared.remarks),
        notes=tuple(render(one, spell) for one in (*_note_without_target(every), *_notes(prepared, options))),
        group_questions={name: question.render(spell) for name, question in _ask_groups(prepared, options)},
        reading=(*source.notes, *_describe_target_cells(prepared)),
        equal=find_equal_rows(prepared.features, prepared.target.values),
        spell=spell,
        types=write_types(prepared),
        prepared=prepared,
        large=_find_large(prepared, options, types),
        n_known=len(every.samples),
    )


def _draw_quick(data: PreparedData, random_state: int) -> PreparedData:
    """At most QUICK_ROWS of its rows, drawn in proportion of the classes."""
    target, n_rows = data.target, len(data.samples)
    if n_rows <= QUICK_ROWS:
        return data
    rows = np.flatnonzero(stratified_split(target.strata, QUICK_ROWS / n_rows, random_state))
    return replace(data, samples=data.samples.take(rows), target=replace(target, values=target.values[rows]))


def _find_large(data: PreparedData, options: StudyOptions, types: TypeOptions) -> LargeRows | None:
    """None where rows are in the order of time, the last of which are not known before all are read; and for a quick
    study, which uses a part of the sample."""
    if data.source.sampled is None or options.time is not None or options.quick:
        return None
    return LargeRows(data, _column_options(options, types), options.holdout, options.random_state)


def _column_options(options: StudyOptions, types: TypeOptions) -> ColumnOptions:
    return ColumnOptions(
        options.target,
        options.task,
        tuple(options.drop),
        tuple(options.categories),
        options.groups,
        options.weights,
        options.time,
        types,
    )


def _note_without_target(data: PreparedData) -> list[str]:
    without = 1 - len(data.samples) / data.source.frame.height
    if without < MOSTLY:
        return []
    return [
        f"{show(data.target.name)} is missing in {without:.0%} of the rows, which are left out: the answer is about "
        "the others. If a missing cell means something (none, not yet), write it into the table."
    ]


def _describe_target_cells(data: PreparedData) -> list[str]:
    """How they were read, where that is nothing to worry about: numbers in $."""
    remark = dict(data.remarks).get(data.target.name, "")
    return [f"{show(data.target.name)}: {remark}."] if remark and "taken as missing" not in remark else []


def _notes(data: PreparedData, options: StudyOptions) -> Iterator[Message | str]:
    """What may make the result wrong."""
    target, remarks = data.target.name, dict(data.remarks)
    if data.target.doubt:
        yield data.target.doubt
    if "taken as missing" in remarks.get(target, ""):
        yield f"{show(target)}: {remarks[target]}."
    yield from _find_subtotals(data)
    for name in find_follow_up(data.features, data.target):
        yield Message(
            "Is {} how long each case was watched until {}? Then it is not known when {} is predicted, and the scores "
            "are too good: {} leaves it out.",
            show(name),
            show(target),
            show(target),
            Setting("drop", (name,)),
        )
    for name in find_censoring(data.features, data.target):
        yield Message(
            "Does {} say whether {} had ended? Where it had not, the true {} is longer than the number that models "
            "learn here, and {} is not known when it is predicted: {} leaves it out.",
            show(name),
            show(target),
            show(target),
            show(name),
            Setting("drop", (name,)),
        )


def _find_subtotals(data: PreparedData) -> Iterator[str]:
    """Rows that are called a total, among others, and have a larger target than nearly all of them."""
    numbers = data.target.values
    for column in data.features.columns if data.target.classes is None else ():
        if not column.is_coded:
            continue
        called = [
            code for code, level in enumerate(column.levels) if TOTAL.fullmatch(level.strip().casefold())
        ]
        rows = np.isin(column.values, called)
        if rows.any() and not rows.all() and np.median(numbers[rows]) > np.quantile(numbers[~rows], LARGE):
            levels = listing([column.levels[code] for code in called])
            yield (
                f"{many(int(rows.sum()), 'row')} of {len(rows):,} {'have' if rows.sum() > 1 else 'has'} {levels} in "
                f"{show(column.name)} and more of {show(data.target.name)} than nearly all others. If they are sums of "
                "other rows, every score is of these sums: leave them out of the table."
            )


def _ask_groups(data: PreparedData, options: StudyOptions) -> Iterator[tuple[str, Message]]:
    """A column that is called an identifier and repeats, and what to ask about it. An index of prices has fractions."""
    for column in data.features.columns if options.groups is None else ():
        present = column.values[~column.missing]
        different = len(np.unique(present))
        is_measured = column.kind == "number" and bool(np.any(present != np.rint(present)))
        if is_named_identifier(column.name) and MANY < different < len(present) and not is_measured:
            yield (
                column.name,
                Message(
                    "{} is called an identifier and repeats. If its rows belong together, scores are too good: {} "
                    "keeps them on one side.",
                    show(column.name),
                    Setting("groups", column.name),
                ),
            )


def _explain_task(target: TargetData, options: StudyOptions, spell: Spelling) -> str:
    """Why it is this task; of whole numbers, how to have the other one."""
    reason = render(target.reason, spell)
    is_whole = target.kind == "number" and bool(np.all(target.labels == np.rint(target.labels)))
    is_yes_or_no = target.classes is not None and len(target.classes) == 2
    if options.task != "auto" or not is_whole or is_yes_or_no:
        return reason
    other = "regression" if target.classes is not None else "classification"
    return f"{reason} ({spell('task', other)} overrules)"


def _refuse_few(n_rows: int, holdout: float) -> None:
    if n_rows < FEWEST:
        raise ValueError(
            f"The table has {n_rows} rows with a target. A study wants at least {FEWEST}: fewer cannot be learned from "
            "and tested on. hedgerow fit makes a tree of few rows."
        )
    left = n_rows - round(holdout * n_rows)
    if left < FEWEST_LEFT:
        raise ParameterError(
            "{holdout} leaves {} of {} rows to learn from. At least {} are wanted: give a smaller share, such as 0.2.",
            left,
            f"{n_rows:,}",
            FEWEST_LEFT,
            holdout=holdout,
        )
