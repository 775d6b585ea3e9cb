"""Words of a text column.   In: counts of the training texts.   Out: Words: which terms are read, and for how much each
counts (tf-idf); for models of few columns, the most telling of them.

    all          terms in two training rows at least, the 100,000 that most rows have at most; their counts times
                 idf = ln((1 + rows) / (1 + rows with the term)) + 1, each row scaled to length 1: scikit-learn's
                 TfidfVectorizer, and tests/features/test_features.py compares
    presence     the same terms, 1 where they stand: for stumps, to which a count says nothing more
    most telling the 300 whose presence depends most on the target (chi-square; of numbers, squared correlation), as
                 plain counts
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow.features.rates import Outcome
from hedgerow.table import Column
from hedgerow.table.texts import Texts, count_known_terms
from hedgerow.types import Count, Float

FEWEST_ROWS = 2
MOST_TERMS = 100_000
N_TELLING = 300


@dataclass(frozen=True, eq=False)
class Words:
    column: int  # of the table
    terms: tuple[str, ...]
    idf: Float | None  # of each term, for tf-idf; None: counts, or presence
    telling: tuple[
        tuple[str, float], ...
    ]  # terms, the strongest first, and how much the outcome differs with them

    @cached_property
    def number(self) -> dict[str, int]:
        """Of each term."""
        return dict(zip(self.terms, range(len(self.terms)), strict=True))


def learn_words(j: int, column: Column, outcome: Outcome, form: str) -> tuple[Words, Any]:
    """And the counts of these terms in the rows, CSR."""
    counts = _rows_of(column, column.levels.counts.matrix)  # type: ignore[attr-defined]
    terms = column.levels.counts.terms  # type: ignore[attr-defined]
    n_with = np.bincount(counts.indices, minlength=len(terms))
    kept = np.flatnonzero(n_with >= FEWEST_ROWS)
    if len(kept) > MOST_TERMS:
        kept = np.sort(kept[np.argsort(-n_with[kept], kind="stable")[:MOST_TERMS]])
    counts, n_with = counts[:, kept], n_with[kept]
    strength, sign = measure_telling(counts, n_with, outcome)
    order = np.argsort(-strength, kind="stable")
    shown = tuple((terms[kept[k]], float(sign[k])) for k in order[:N_TELLING])
    if form == "columns":
        best = np.sort(order[:N_TELLING])
        return Words(j, tuple(terms[k] for k in kept[best]), None, shown), counts[:, best]
    idf = np.log((1 + len(column.values)) / (1 + n_with)) + 1 if form == "tfidf" else None
    return Words(j, tuple(terms[k] for k in kept), idf, shown), counts


def measure_telling(counts: Any, n_with: Count, outcome: Outcome) -> tuple[Float, Float]:
    """Of each term: the chi-square of its presence and the classes, or n times the squared correlation with numbers;
    and by how much the first output (of two classes the second class's rate) is higher in rows with the term."""
    n_rows = counts.shape[0]
    present = counts.copy()
    present.data = np.ones_like(present.data)
    away = outcome.values - outcome.values.mean(axis=0)
    together = present.T @ away
    n_with = n_with.astype(np.float64)
    spread = np.maximum(n_with * (1 - n_with / n_rows), 1e-12)
    own = outcome.values.var(axis=0)
    if len(outcome.titles) > 1:
        own = outcome.values.mean(axis=0)
    strength = (together**2 / np.maximum(own, 1e-300)).sum(axis=1) / spread
    best = np.abs(together).argmax(axis=1) if together.shape[1] else np.zeros(len(n_with), np.int64)
    sign = together[np.arange(len(n_with)), best] / spread
    return strength, sign


def count_words(words: Words, column: Column) -> Any:
    """CSR, rows x terms: counts in any rows."""
    texts, codes = np.unique(column.values, return_inverse=True)
    known = count_known_terms([column.levels[k] if k >= 0 else "" for k in texts], words.number)
    return known[codes.reshape(-1)]


def weigh(words: Words, counts: Any) -> Any:
    """tf-idf, each row of length 1; or 1 where a term stands."""
    if words.idf is None:
        present = counts.copy()
        present.data = np.ones_like(present.data)
        return present
    from scipy.sparse import diags_array

    scaled = (counts @ diags_array(words.idf)).tocsr()
    length = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).reshape(-1))
    return (diags_array(1 / np.where(length > 0, length, 1.0)) @ scaled).tocsr()


def _rows_of(column: Column, counts: Any) -> Any:
    """Rows of texts -> rows of the table; a missing cell has no words."""
    found = counts[np.where(column.missing, 0, column.values)] if len(column.levels) else None
    if found is None:
        from scipy.sparse import csr_array

        return csr_array((len(column.values), 0))
    if column.missing.any():
        from scipy.sparse import diags_array

        found = (diags_array((~column.missing).astype(np.float64)) @ found).tocsr()
        found.eliminate_zeros()
    return found


def as_text(column: Column) -> Column:
    """A category taken as text."""
    return Column(column.name, "text", column.values, Texts(column.levels))
