"""What commands read.   In: options.   Out: PreparedData; the state of a model; the columns a model knows. And what was
done to rows and columns, for a page and for JSON.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.cli.options import SMALL, TEST_SHARE, DataOptions, split_names
from hedgerow.display.sentences import many
from hedgerow.errors import render, spell_as_option
from hedgerow.intake import ColumnOptions, PreparedData, Source, TargetData, prepare_data, read_source
from hedgerow.intake.clean import coerce_to_numbers
from hedgerow.intake.columns import missing_cells
from hedgerow.intake.types_file import TypeOptions, read_types
from hedgerow.table import Column, Table, to_table
from hedgerow.tree.formatting import number
from hedgerow.types import Count
from hedgerow.words import did_you_mean, listing, quote
from hedgerow.words import show as safe

if TYPE_CHECKING:
    import polars as pl

    from hedgerow.encode import Schema
    from hedgerow.grow import Target

MAX_LINES = 8  # of a kind
MAX_CLASSES = 8
MODEL = "model.hedgerow"  # in the folder of a study


def read(options: DataOptions) -> Source:
    file = _types(options).file
    return read_source(options.data, memory=options.memory, random_state=options.random_state, file=file)


def prepare(source: Source, options: DataOptions) -> PreparedData:
    return prepare_data(
        source,
        ColumnOptions(
            options.target,
            options.task,
            split_names(options.drop),
            split_names(options.categories),
            getattr(options, "groups", None),
            getattr(options, "weights", None),
            _types(options),
        ),
    )


def _types(options: DataOptions) -> TypeOptions:
    return read_types(options.types, options.sheet, options.header)


def split_rows(data: PreparedData, test_share: float | None, random_state: int) -> tuple[Count, Count]:
    """Training rows, and rows held out: none where the share is 0, or not given for a small table."""
    from hedgerow.table.copies import find_copies
    from hedgerow.table.split import hold_out

    n_rows = data.features.n_rows
    share = (0.0 if n_rows < SMALL else TEST_SHARE) if test_share is None else test_share
    if share == 0.0:
        return np.arange(n_rows), np.arange(0)
    return hold_out(data.target.strata, share, random_state, find_copies(data.features))


def describe_split(data: PreparedData, train: Count, test: Count, random_state: int) -> str:
    if not len(test):
        return f"all {many(len(train), 'row')} to learn from, none held out"
    kept = "" if data.target.classes is None else ", each class in proportion"
    return f"{len(train):,} rows to learn from, {len(test):,} held out{kept}; random state {random_state}"


def encode_target(data: PreparedData, rows: Any, criterion: str = "") -> "Target":
    """What a tree learns from, for these rows."""
    from hedgerow.fitting.target import encode_numbers
    from hedgerow.grow import Classes

    values, classes = np.ascontiguousarray(data.target.values[rows]), data.target.classes
    return encode_numbers(values, None, criterion) if classes is None else Classes(values, len(classes))


def reading_facts(data: PreparedData) -> list[tuple[str, str]]:
    """For a page: a word, and what it says."""
    notice = [("note", render(data.notice, spell_as_option))] if data.notice else []
    notice += [("note", safe(note, 200)) for note in data.source.notes[:MAX_LINES]]
    return [*notice, *_some("read as", data.remarks), *_some("left out", data.left_out)]


def _some(word: str, pairs: Sequence[tuple[str, object]]) -> list[tuple[str, str]]:
    shown = [
        (word, f"{safe(what)}: {safe(render(why, spell_as_option), 100)}") for what, why in pairs[:MAX_LINES]
    ]
    return shown + ([("", f"and {len(pairs) - MAX_LINES:,} more")] if len(pairs) > MAX_LINES else [])


def target_facts(data: PreparedData, options: DataOptions) -> list[tuple[str, str]]:
    """The target and the task."""
    target = data.target
    reason = safe(render(target.reason, spell_as_option), 90)
    if options.task != "auto":
        return [("target", describe_target(target)), ("task", f"{target.task}, {reason}")]
    other = "classification" if target.classes is None else "regression"
    overrule = f" (--task {other} overrules)" if target.kind == "number" else ""
    return [("target", describe_target(target)), ("task", f"{target.task}, because {reason}{overrule}")]


def describe_target(target: TargetData) -> str:
    name = safe(target.name)
    if target.classes is None:
        low, middle, high = (number(float(q)) for q in np.quantile(target.values, [0, 0.5, 1]))
        return f"{name}: {low} to {high}, median {middle}"
    counts = np.bincount(target.values, minlength=len(target.classes))
    listed = [f"{safe(str(label), 24)} {counts[k]:,}" for k, label in enumerate(target.classes.tolist())]
    more = f", … {len(listed) - MAX_CLASSES} more classes" if len(listed) > MAX_CLASSES else ""
    return f"{name}: {', '.join(listed[:MAX_CLASSES])}{more}"


def describe_size(data: PreparedData) -> str:
    table = data.features
    columns = many(len(table.columns), "column")
    return f"{many(table.n_rows, 'row')}, {columns} to predict {safe(data.target.name)} from"


def reading_json(data: PreparedData) -> dict[str, Any]:
    return {
        "notice": render(data.notice, spell_as_option),
        "notes": list(data.source.notes),
        "read_as": [{"column": name, "words": words} for name, words in data.remarks],
        "left_out": [{"what": what, "why": render(why, spell_as_option)} for what, why in data.left_out],
    }


def data_json(data: PreparedData, options: DataOptions) -> dict[str, Any]:
    """What every command says of its table."""
    return {
        "data": options.data,
        "target": data.target.name,
        "task": data.target.task,
        "task_because": render(data.target.reason, spell_as_option),
        "classes": None if data.target.classes is None else data.target.classes.tolist(),
        "columns": [column_json(column) for column in data.features.columns],
        **reading_json(data),
        "random_state": options.random_state,
    }


def column_json(column: Column) -> dict[str, Any]:
    missing = missing_cells(column)
    known = {"name": column.name, "kind": column.kind, "missing": int(np.count_nonzero(missing))}
    if column.kind == "category":
        return {**known, "levels": list(column.levels)}
    present = column.values[~missing]
    return {**known, "least": float(present.min()), "most": float(present.max())} if len(present) else known


def find_model(given: str) -> str:
    """Of a study's folder, its model; else the path as it is."""
    inside = Path(given).expanduser() / MODEL
    return str(inside) if inside.is_file() else given


def require_model(given: str) -> str:
    found = find_model(given)
    if not Path(found).expanduser().is_file():
        raise ValueError(
            f"No model at {quote(given)}. Wanted: a .hedgerow file, or the folder of a study that ended. First: "
            "hedgerow study DATA, or hedgerow fit DATA."
        )
    return found


def match_columns(schema: "Schema", frame: "pl.DataFrame", name: str) -> Table:
    """The columns the model knows, by name, in any order; others are left aside with a note."""
    kinds = dict(zip(schema.names, schema.kinds, strict=True))
    frame = coerce_to_numbers(
        frame, frozenset(name for name, kind in kinds.items() if kind in ("number", "date", "datetime"))
    )
    missing = [column for column in schema.names if column not in frame.columns]
    extra = [column for column in frame.columns if column not in schema.names]
    if missing:
        hint = did_you_mean(missing[0], extra)
        raise ValueError(
            f"{quote(name)} lacks {listing(missing)}, which the model needs. "
            f"It has: {listing(frame.columns)}.{hint}"
        )
    if extra:
        print(f"Not used, the model does not know them: {listing(extra)}", file=sys.stderr)
    categories = [column for column, kind in kinds.items() if kind == "category"]
    return to_table(frame.select(schema.names), categories=categories or None)
