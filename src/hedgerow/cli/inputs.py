"""What commands read.   In: options.   Out: PreparedData; the state of a model; the columns a model knows. And what was
done to rows and columns, for a page and for JSON.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.candidate import load_candidate
from hedgerow.cli.options import SMALL, TEST_SHARE, DataOptions, split_names
from hedgerow.display.sentences import many
from hedgerow.encode import align
from hedgerow.errors import ParameterError, check_choice, render, spell_as_option
from hedgerow.intake import ColumnOptions, PreparedData, Source, TargetData, prepare_data, read_source
from hedgerow.intake.clean import coerce_to_numbers, find_numbers
from hedgerow.intake.columns import check_header
from hedgerow.intake.types_file import TypeOptions, read_types
from hedgerow.plugins import plugin_names
from hedgerow.table import Column, Kind, Table, to_table
from hedgerow.table.csv_file import is_utf_8
from hedgerow.table.layout import MISSING_WORDS
from hedgerow.table.read import read_file
from hedgerow.tree.formatting import number
from hedgerow.types import Count
from hedgerow.words import did_you_mean, listing, quote
from hedgerow.words import show as safe

if TYPE_CHECKING:
    import polars as pl

    from hedgerow.candidate import TaskSpec
    from hedgerow.encode import Schema
    from hedgerow.grow import Target
    from hedgerow.store.training_rows import TrainingRows

MAX_LINES = 8  # of a kind
MAX_CLASSES = 8
LARGE = 64 * 2**20  # bytes of a CSV that is not read at once
# Bytes of a table that is read before anything slow is loaded, to find a mistyped class.
READ_TWICE = 4 * 2**20
PLAIN_CSV = (".csv", ".tsv", ".txt")
MODEL, TYPES = "model.hedgerow", "types.toml"  # in the folder of a study


def read(options: DataOptions) -> Source:
    file = _types(options).file
    return read_source(options.data, memory=options.memory, random_state=options.random_state, file=file)


def prepare(source: Source, options: DataOptions) -> PreparedData:
    return prepare_data(source, column_options(options))


def refuse_mistakes(options: DataOptions) -> None:
    """Names that nothing has, before anything slow is loaded: columns, models, metrics."""
    check_header(options.data, column_options(options))
    for name in split_names(getattr(options, "models", "")):
        load_candidate(name, "models")
    for name in split_names(getattr(options, "scoring", None) or ""):
        check_choice("scoring", name, plugin_names("hedgerow.evaluation.metrics"))
    positive = getattr(options, "positive", None)
    file = Path(options.data).expanduser()
    if positive is not None and not (file.is_file() and file.stat().st_size > READ_TWICE):
        prepare(read(options), options).target.find_class(positive)


def column_options(options: DataOptions) -> ColumnOptions:
    return ColumnOptions(
        options.target,
        options.task,
        split_names(options.drop),
        split_names(options.categories),
        getattr(options, "groups", None),
        getattr(options, "weights", None),
        options.time,
        _types(options),
    )


def _types(options: DataOptions) -> TypeOptions:
    return read_types(options.types, options.sheet, options.header)


def split_rows(data: PreparedData, test_share: float | None, random_state: int) -> tuple[Count, Count]:
    """Training rows, and rows held out: none where the share is 0, or not given for a small table."""
    from hedgerow.table.copies import find_equal_rows
    from hedgerow.table.split import hold_out, hold_out_last

    n_rows = data.features.n_rows
    share = (0.0 if n_rows < SMALL else TEST_SHARE) if test_share is None else test_share
    if share == 0.0:
        return np.arange(n_rows), np.arange(0)
    if data.samples.time is not None:
        return hold_out_last(data.samples.time, share)
    return hold_out(
        data.target.strata, share, random_state, find_equal_rows(data.features, data.target.values).sets
    )


def describe_split(data: PreparedData, n_train: int, n_test: int, random_state: int) -> str:
    if not n_test:
        return f"all {many(n_train, 'row')} to learn from, none held out"
    if data.samples.time is not None:
        return f"{n_train:,} rows to learn from, {n_test:,} held out, the last in time"
    in_proportion = data.target.classes is not None and data.source.sampled is None
    kept = ", each class in proportion" if in_proportion else ""
    return f"{n_train:,} rows to learn from, {n_test:,} held out{kept}; random state {random_state}"


def make_spec(data: PreparedData, n_rows: int, options: DataOptions) -> "TaskSpec":
    """`n_rows`: to learn from."""
    from hedgerow.candidate import TaskSpec

    classes, n_columns = data.target.classes, len(data.features.columns)
    return TaskSpec(
        data.target.task, n_rows, n_columns, 0 if classes is None else len(classes), options.random_state,
        options.n_jobs, in_order=options.time is not None,
    )  # fmt: skip


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
    notice += [("note", render(data.target.doubt, spell_as_option))] if data.target.doubt else []
    return [*notice, *_some("read as", data.remarks), *_some("left out", data.left_out)]


def _some(word: str, pairs: Sequence[tuple[str, object]]) -> list[tuple[str, str]]:
    shown = [
        (word, f"{safe(what)}: {safe(render(why, spell_as_option), 100)}") for what, why in pairs[:MAX_LINES]
    ]
    return shown + ([("", f"and {len(pairs) - MAX_LINES:,} more")] if len(pairs) > MAX_LINES else [])


def target_facts(data: PreparedData, options: DataOptions) -> list[tuple[str, str]]:
    """The target and the task."""
    target = data.target
    drawn = "" if data.source.sampled is None else " in the rows drawn"
    described = f"{describe_target(target)}{drawn}"
    reason = safe(render(target.reason, spell_as_option), 90)
    if options.task != "auto":
        return [("target", described), ("task", f"{target.task}, {reason}")]
    other = "classification" if target.classes is None else "regression"
    overrule = f" (--task {other} overrules)" if target.kind == "number" else ""
    return [("target", described), ("task", f"{target.task}, because {reason}{overrule}")]


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
    table, sampled = data.features, data.source.sampled
    columns = many(len(table.columns), "column")
    rows = many(table.n_rows, "row")
    size = rows if sampled is None else f"{rows} drawn of {sampled.n_rows:,}"
    return f"{size}, {columns} to predict {safe(data.target.name)} from"


def reading_json(data: PreparedData) -> dict[str, Any]:
    return {
        "notice": render(data.notice, spell_as_option),
        "notes": [
            *data.source.notes,
            *([render(data.target.doubt, spell_as_option)] if data.target.doubt else []),
        ],
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
    missing = column.missing
    known = {"name": column.name, "kind": column.kind, "missing": int(np.count_nonzero(missing))}
    if column.kind == "text":
        return {**known, "texts": len(column.levels)}
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
            f"No model at {quote(given)}. Expected: a .hedgerow file, or the folder of a study that ended. First: "
            "hedgerow study DATA, or hedgerow fit DATA."
        )
    return found


def find_types(model: str) -> dict[str, str]:
    """Of a study's model: how its dates and numbers are written, from the types file beside it."""
    beside = Path(model).expanduser().parent / TYPES
    return read_types(beside).orders if beside.is_file() else {}


def read_new_rows(given: str) -> "pl.DataFrame":
    """A file's, or those of standard input (-): CSV or JSON lines; there may be none."""
    if given != "-":
        return read_file(given, allow_empty=True).frame
    data = sys.stdin.buffer.read()
    if not data.strip():
        raise ValueError(
            "Nothing came in by standard input. Expected: CSV with a line of column names, or JSON lines."
        )
    ending = ".jsonl" if data.lstrip()[:1] in (b"{", b"[") else ".csv"
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"standard input{ending}"
        file.write_bytes(data)
        return read_file(file, allow_empty=True).frame


def read_blocks(given: str, schema: "Schema") -> "Iterator[pl.DataFrame]":
    """New rows for a model: of a Parquet file or a large CSV block by block, of all others at once."""
    name, first = given.lower(), None
    if name.endswith(".parquet") or (name.endswith(PLAIN_CSV) and _is_large(given)):
        from hedgerow.stream import TableStream

        blocks = TableStream(given).blocks()
        first = next(blocks, None)
    if first is None or (name.endswith(PLAIN_CSV) and _has_numbers_as_text(first, schema)):
        yield read_new_rows(given)
        return
    yield first
    yield from blocks


def _is_large(given: str) -> bool:
    file = Path(given).expanduser()
    return file.is_file() and file.stat().st_size >= LARGE and is_utf_8(file)


def _has_numbers_as_text(block: "pl.DataFrame", schema: "Schema") -> bool:
    """Dates, or words among numbers: how such a column is read is decided by all of its cells."""
    import polars as pl

    texts = {name for name, dtype in block.schema.items() if dtype == pl.String}
    return not texts.isdisjoint(find_numbers(_kinds(schema)))


def _kinds(schema: "Schema") -> "dict[str, Kind]":
    return dict(zip(schema.names, schema.kinds, strict=True))


def find_column(frame: "pl.DataFrame", name: str) -> str:
    if name not in frame.columns:
        hint = did_you_mean(name, frame.columns)
        raise ParameterError("{id} is no column. Columns: {}.{}", listing(frame.columns, 30), hint, id=name)
    return name


def match_columns(
    schema: "Schema",
    frame: "pl.DataFrame",
    name: str,
    orders: Mapping[str, str] | None = None,
    notes: "NewRowNotes | None" = None,
) -> Table:
    """The columns the model knows, by name, in any order; others are left aside with a note. With `notes`, columns that
    are not there are missing cells, and unseen levels are counted."""
    kinds = _kinds(schema)
    numbers = find_numbers(kinds)
    dates = {column: "date" for column, kind in kinds.items() if kind in ("date", "datetime")}
    written = frame
    frame = coerce_to_numbers(frame, numbers, {**dates, **(orders or {})})
    missing = [column for column in schema.names if column not in frame.columns]
    extra = [column for column in frame.columns if column not in schema.names]
    tell = NewRowNotes().tell if notes is None else notes.tell
    if missing and notes is not None and len(missing) < len(kinds):
        import polars as pl

        hint = did_you_mean(missing[0], extra)
        tell(f"{many(len(missing), 'column')} missing, taken as missing cells: {listing(missing)}.{hint}")
        types = {column: pl.Float64 if column in numbers else pl.String for column in missing}
        frame = frame.with_columns(pl.lit(None, dtype).alias(column) for column, dtype in types.items())
    elif missing:
        hint = did_you_mean(missing[0], extra)
        raise ValueError(
            f"{'Standard input' if name == '-' else quote(name)} lacks {listing(missing)}, which the model needs. "
            f"It has: {listing(frame.columns)}.{hint}"
        )
    if extra:
        tell(f"Not used, the model does not know them: {listing(extra)}")
    categories = [column for column, kind in kinds.items() if kind in ("category", "text")]
    table = align(schema, to_table(frame.select(schema.names), categories=categories or None))
    table = replace(table, columns=tuple(map(_as_date, table.columns, schema.kinds)))
    if notes is not None:
        notes.count_unseen(_count_unseen(schema, table))
        notes.count_lost(_count_lost(written, frame, numbers))
    return table


def _as_date(column: Column, kind: Kind) -> Column:
    """Written as a date, where the model knows it as one."""
    is_date = column.kind == "number" and kind in ("date", "datetime")
    return replace(column, kind=kind) if is_date else column


class NewRowNotes:
    """What is said of new rows, once, however many blocks they come in."""

    def __init__(self) -> None:
        self._shown: set[str] = set()
        self._unseen: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        self._seen = self._known = 0
        self._rows: TrainingRows | None = None

    def tell(self, words: str) -> None:
        """At once; the same words once."""
        if words not in self._shown:
            print(words, file=sys.stderr)
        self._shown.add(words)

    def count_unseen(self, found: Mapping[str, int]) -> None:
        self._unseen.update(found)

    def count_lost(self, found: Mapping[str, int]) -> None:
        self._lost.update(found)

    def count_seen(self, rows: "TrainingRows", seen: int, known: int) -> None:
        self._rows, self._seen, self._known = rows, self._seen + seen, self._known + known

    def tell_counts(self) -> None:
        """At the end: cells with levels that are new, cells that are no numbers, rows that are not new."""
        if self._unseen:
            cells = many(self._unseen.total(), "cell")
            self.tell(f"{cells} with a level the model has not seen: {_list_counts(self._unseen)}.")
        if self._lost:
            are = "is" if self._lost.total() == 1 else "are"
            cells = many(self._lost.total(), "cell")
            self.tell(f"{cells} that {are} no number or date, taken as missing: {_list_counts(self._lost)}.")
        if self._rows is not None and self._seen:
            words = self._rows.describe_seen(self._seen, self._known)
            self.tell(words[0].upper() + words[1:])


def _list_counts(counts: "Counter[str]") -> str:
    return ", ".join(f"{safe(name)} ({n:,})" for name, n in list(counts.items())[:MAX_LINES])


def _count_lost(before: "pl.DataFrame", after: "pl.DataFrame", numbers: frozenset[str]) -> dict[str, int]:
    """Cells of numbers and dates that hold something else, but for words that stand for a missing one."""
    import polars as pl

    found: dict[str, int] = {}
    for name in sorted(numbers & set(before.columns)):
        cells = before.get_column(name)
        if cells.dtype == pl.String:
            is_word = cells.str.strip_chars().str.to_lowercase().is_in(MISSING_WORDS)
            n_lost = int((cells.is_not_null() & after.get_column(name).is_null() & ~is_word).sum())
            found |= {name: n_lost} if n_lost else {}
    return found


def _count_unseen(schema: "Schema", table: Table) -> dict[str, int]:
    """Levels that the training rows did not have: how many cells, by column."""
    found: dict[str, int] = {}
    for column, kind, levels in zip(table.columns, schema.kinds, schema.levels, strict=True):
        if kind == "category" and column.kind == "category":
            unseen = [k for k, level in enumerate(column.levels) if level not in set(levels)]
            n_cells = int(np.isin(column.values, unseen).sum())
            found |= {column.name: n_cells} if n_cells else {}
    return found
