"""One-word stumps on sparse counts: is the word there?   In: columns of a sparse matrix.   Out: the word that is worth
most. A round looks only at the cells that are not zero.

    output_kind="signs"       there: the heavier sign; not there: the heavier sign of the others
    output_kind="abstaining"  there: the heavier sign; not there: silent ("contains 'money': spam")
    output_kind="calibrated"  both sides are 1/2 log(mu+/mu-)
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.boost.boost_input import BoostInput, SparseColumns
from hedgerow.boost.calibrate import half_log_ratio
from hedgerow.boost.weak_learner import OutputKind, WeakParams
from hedgerow.core import native
from hedgerow.types import Float, Index, UShort

ORDER = 4
PREDICTIONS = ("discrete", "abstaining", "confident")
READS_SPARSE = True
STORAGE = None
OUTPUT_KINDS: dict[str, OutputKind] = {
    "discrete": "signs",
    "abstaining": "abstaining",
    "confident": "calibrated",
}
TIED = 1e-11  # merits this close are equal; the first column wins


@dataclass(frozen=True)
class WordWeak:
    word: int  # the column
    present: float  # the output where the column is not zero
    absent: float
    name: str = ""

    def outputs(self, rows: BoostInput) -> Float:
        found, _ = sparse_of(rows).column(self.word)
        out = np.full(rows.n_rows, self.absent)
        out[found] = self.present
        return out

    def choices(self, rows: BoostInput) -> Index:
        return self.outputs(rows).astype(np.int32)

    def describe(self) -> str:
        there, rest = (f"{output:+.3g}" if output else "silent" for output in (self.present, self.absent))
        return f"contains {self.name!r} -> {there}, else {rest}"

    def importance(self, n_columns: int) -> Float:
        """By how far apart its outputs are."""
        out = np.zeros(n_columns)
        out[self.word] = abs(self.present - self.absent) / 2
        return out


@dataclass(frozen=True)
class Word:
    output_kind: OutputKind = "signs"
    smoothing: float | None = None  # of calibrated outputs; None: half a row's weight

    def fit(self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator) -> WordWeak:
        there, rest = _masses(rows, (signs > 0).astype(np.uint16), 2, weight)
        j = _first_best(self._merits(there, rest))
        smoothing = 0.5 * rows.share if self.smoothing is None else self.smoothing
        absent = 0.0 if self.output_kind == "abstaining" else self._output(rest[j], smoothing)
        return WordWeak(j, self._output(there[j], smoothing), absent, rows.names[j])

    def fit_classes(
        self, rows: BoostInput, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> WordWeak:
        there, rest = _masses(rows, codes.astype(np.uint16), n_classes, weight)
        j = _first_best(there.max(axis=1) + rest.max(axis=1))
        return WordWeak(j, float(np.argmax(there[j])), float(np.argmax(rest[j])), rows.names[j])

    def _merits(self, there: Float, rest: Float) -> Float:
        if self.output_kind == "calibrated":
            return np.asarray(-2 * (np.sqrt(there.prod(axis=1)) + np.sqrt(rest.prod(axis=1))))
        if self.output_kind == "abstaining":
            return np.asarray((np.sqrt(there[:, 1]) - np.sqrt(there[:, 0])) ** 2)
        return np.asarray(there.max(axis=1) + rest.max(axis=1))

    def _output(self, side: Float, smoothing: float) -> float:
        if self.output_kind == "calibrated":
            return half_log_ratio(float(side[1]), float(side[0]), smoothing)
        return 1.0 if side[1] > side[0] else -1.0


def build(params: WeakParams) -> Word:
    return Word(OUTPUT_KINDS[params.predictions], smoothing=params.smoothing)


def sparse_of(rows: BoostInput) -> SparseColumns:
    if rows.sparse is None:
        raise ValueError(
            "One-word stumps read a sparse matrix of counts, but X is dense. Give scipy.sparse.csr_array(X), or use "
            "estimator='stump'."
        )
    return rows.sparse


def _first_best(merits: Float) -> int:
    return int(np.argmax(merits >= merits.max() - TIED))


def _masses(rows: BoostInput, group: UShort, n_groups: int, weight: Float) -> tuple[Float, Float]:
    """Words x groups: weight of the rows that have the word, and of the others."""
    columns = sparse_of(rows)
    there = native.word_masses(columns.start, columns.row, group, n_groups, weight, rows.threads)
    total = np.bincount(group, weight, minlength=n_groups)
    return there, np.maximum(0.0, total - there)
