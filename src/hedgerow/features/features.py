"""Features.   In: training rows with text, dates or categories of many levels, and their target.   Out: Features; with
them, a table -> the table that a model itself reads, in one of three forms.

    columns    the columns as they are, parts of dates, rates, counts of the most telling words: for trees
    tfidf      all of these as numbers, and every word by tf-idf: a SparseTable, for linear machines
    presence   the same, and every word as 0 or 1: for boosted stumps

All of it is learned from training rows. Rates of training rows are out of fold (rates.py), so the table of the rows
that features are learned from is made with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hedgerow.encode import Preparation, Schema, align, numbers, prepare, schema_of
from hedgerow.encode.schema import level_numbers
from hedgerow.features.dates import (
    DATES,
    LEVELS,
    DatePart,
    Span,
    find_parts,
    find_spans,
    make_part,
    make_span,
    name_span,
    read_dates,
)
from hedgerow.features.rates import (
    MANY_LEVELS,
    MOST_OUTPUTS,
    Outcome,
    Rates,
    learn_rates,
    out_of_fold,
    read_rates,
)
from hedgerow.features.words import Words, count_words, learn_words, weigh
from hedgerow.table import Column, Kind, Table
from hedgerow.table.sparse import SparseTable, from_sparse
from hedgerow.types import Count, Float

FORMS = ("columns", "tfidf", "presence")
MAX_LEVELS = 100  # of a category, as columns of 0 and 1


@dataclass(frozen=True, eq=False)
class Features:
    schema: Schema  # of the table that comes in
    parts: tuple[DatePart, ...]
    spans: tuple[Span, ...]
    rates: tuple[Rates, ...]
    words: tuple[Words, ...]
    is_sparse: bool
    # Sparse: how all but words become numbers; None where there is nothing else
    preparation: Preparation | None = None

    @property
    def form(self) -> str:
        if not self.is_sparse:
            return "columns"
        return "tfidf" if any(one.idf is not None for one in self.words) else "presence"

    @cached_property
    def dense(self) -> Schema:
        """Of the columns before words."""
        names, kinds, levels = self.schema.names, self.schema.kinds, self.schema.levels
        found: list[tuple[str, Kind, tuple[str, ...]]] = [(names[j], kinds[j], levels[j]) for j in self.kept]
        found += [
            (f"{names[one.column]}: {one.part}", one.kind(), LEVELS.get(one.part, ())) for one in self.parts
        ]
        found += [(name_span(names[one.first], names[one.second]), "number", ()) for one in self.spans]
        found += [
            (f"{names[one.column]}: {title}", "number", ()) for one in self.rates for title in one.titles
        ]
        return _schema(found, self.schema.named)

    @cached_property
    def inner(self) -> Schema:
        """The columns the model itself reads."""
        names = self.schema.names
        terms = [f"{names[one.column]}: {term}" for one in self.words for term in one.terms]
        first = (
            [(name, "number", ()) for name in (() if self.preparation is None else self.preparation.names)]
            if self.is_sparse
            else list(zip(self.dense.names, self.dense.kinds, self.dense.levels, strict=True))
        )
        found: Any = [*first, *((term, "number", ()) for term in terms)]
        return _schema(found, self.schema.named and not self.is_sparse)

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """Columns that go in as they are."""
        return tuple(j for j, kind in enumerate(self.schema.kinds) if kind != "text")

    @cached_property
    def origin(self) -> Count:
        """Of each column the model reads, the column of the table that it was made of; of two, the second."""
        dense = [
            *self.kept,
            *(one.column for one in self.parts),
            *(one.second for one in self.spans),
            *(one.column for one in self.rates for _ in one.titles),
        ]
        if self.is_sparse:
            wide = [] if self.preparation is None else self.preparation.widths
            dense = [j for j, many in zip(dense, wide, strict=True) for _ in range(many)]
        words = [np.full(len(one.terms), one.column) for one in self.words]
        return np.concatenate([np.array(dense, np.int64), *words])

    def make(self, table: Table) -> Table:
        """The table that the model reads, of any rows."""
        table = align(self.schema, self._with_dates(table))
        rates = [read_rates(one, self._codes(table, one.column)) for one in self.rates]
        counts = [count_words(one, table.columns[one.column]) for one in self.words]
        return self._join(table, rates, counts)

    def _with_dates(self, table: Table) -> Table:
        """Dates that come as text."""
        kinds = dict(zip(self.schema.names, self.schema.kinds, strict=True))
        if not table.named or isinstance(table, SparseTable):
            return table
        columns = (read_dates(one) if kinds.get(one.name) in DATES else one for one in table.columns)
        return replace(table, columns=tuple(columns))

    def _codes(self, table: Table, j: int) -> Count:
        """Levels of training; -1 for those never seen."""
        numbered = level_numbers(table.columns[j], self.schema.levels[j])
        return np.where(numbered < len(self.schema.levels[j]), numbered, -1).astype(np.int64)

    def _dense_table(self, table: Table, rates: Sequence[Float]) -> Table:
        columns = [table.columns[j] for j in self.kept]
        columns += [make_part(table.columns[one.column], one.part) for one in self.parts]
        columns += [make_span(table.columns[one.first], table.columns[one.second]) for one in self.spans]
        columns += [Column("", "number", np.ascontiguousarray(one)) for found in rates for one in found.T]
        named = [replace(one, name=name) for one, name in zip(columns, self.dense.names, strict=True)]
        return Table(tuple(named), table.n_rows, self.schema.named)

    def _join(self, table: Table, rates: Sequence[Float], counts: Sequence[Any]) -> Table:
        dense = self._dense_table(table, rates)
        if not self.is_sparse:
            cells = [block.toarray(order="F") for block in counts]
            words = [np.asarray(column) for block in cells for column in block.T]
            names = self.inner.names[len(dense.columns) :]
            more = [Column(name, "number", one) for name, one in zip(names, words, strict=True)]
            return replace(dense, columns=(*dense.columns, *more))
        from scipy.sparse import csr_array, hstack

        blocks: list[Any] = [weigh(one, block) for one, block in zip(self.words, counts, strict=True)]
        if self.preparation is not None:
            blocks = [csr_array(numbers(self.preparation, dense)), *blocks]
        made = hstack(blocks, format="csr")
        if made.nnz < 2**31:  # scikit-learn's checks want 32-bit places
            made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
        return from_sparse(made).with_names(self.inner.names)


class LearnedFeatures(NamedTuple):
    features: Features
    table: Table  # of the rows they were learned from, as a model is fitted to it


def needs_features(table: Table) -> bool:
    """It has text, dates, or categories of many levels."""
    if isinstance(table, SparseTable):
        return False
    return any(_is_featured(column) for column in table.columns)


def _is_featured(column: Column) -> bool:
    many = column.kind == "category" and len(column.levels) > MANY_LEVELS
    return many or column.kind in ("text", *DATES)


def learn_features(
    table: Table,
    outcome: Outcome,
    weight: Float | None = None,
    *,
    form: str = "columns",
    random_state: int = 0,
) -> LearnedFeatures:
    weight = np.ones(table.n_rows) if weight is None else weight
    columns = table.columns
    coded = [
        j
        for j, column in enumerate(columns)
        if column.kind == "category" and _is_featured(column) and len(outcome.titles) <= MOST_OUTPUTS
    ]
    learned = [
        learn_words(j, column, outcome, form) for j, column in enumerate(columns) if column.kind == "text"
    ]
    features = Features(
        schema_of(table),
        tuple(find_parts(columns)),
        find_spans(columns),
        tuple(learn_rates(j, columns[j], outcome, weight) for j in coded),
        tuple(words for words, _ in learned),
        is_sparse=form != "columns",
    )
    rates = [out_of_fold(columns[j], outcome, weight, random_state) for j in coded]
    if features.is_sparse and features.dense.names:
        dense = features._dense_table(table, rates)
        preparation = prepare(dense, weight, standardize=True, max_levels=MAX_LEVELS)
        features = replace(features, preparation=preparation)
    made = features._join(table, rates, [counts for _, counts in learned])
    if not made.columns:
        raise ValueError(
            "No column is left to learn from: no word of the text stands in two rows. Give more rows, or other columns."
        )
    return LearnedFeatures(features, made)


def _schema(columns: Sequence[tuple[str, Kind, tuple[str, ...]]], named: bool) -> Schema:
    """A name that is taken gets a number."""
    names, kinds, levels = zip(*columns, strict=True) if columns else ((), (), ())
    if len(set(names)) < len(names):
        names = _number_names(names)
    return Schema(names, kinds, levels, named)


def _number_names(names: Sequence[str]) -> tuple[str, ...]:
    taken: dict[str, None] = {}
    for name in names:
        own, number = name, 2
        while own in taken:
            own, number = f"{name}_{number}", number + 1
        taken[own] = None
    return tuple(taken)
