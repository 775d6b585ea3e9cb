"""Decision stumps: one test of one column.   In: rows as codes.   Out: the test that is worth most for the weights.

A number is tested by a threshold, a category by a subset of its levels; missing cells go to the side where they are
worth most. Every threshold is tried (native/boost/stumps.hpp says how that is fast).

    output_kind="signs"       each side is its heavier sign; the least weighted error
    output_kind="abstaining"  one side is its sign, the other 0; the largest decrease of exponential loss
    output_kind="calibrated"  each side is 1/2 log(mu+/mu-); the least exponential loss
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.calibrate import half_log_ratio
from hedgerow.boost.sparse_stump import find_columns
from hedgerow.boost.weak_learner import OutputKind, Storage, Stored, WeakParams
from hedgerow.core import native
from hedgerow.encode.sparse import SparseEncoded
from hedgerow.types import Byte, Codes, Count, Float, Index, UIndex, UShort

ORDER = 1
PREDICTIONS = ("discrete", "abstaining", "confident")
READS_SPARSE = False
OUTPUT_KINDS: dict[str, OutputKind] = {
    "discrete": "signs",
    "abstaining": "abstaining",
    "confident": "calibrated",
}
COLUMNS_AT_ONCE = 256  # of a sparse table, written out
TIED = 1e-11  # merits this close are equal; the first column wins
MERITS = {"signs": "error", "abstaining": "silence", "calibrated": "exponential"}


@dataclass(frozen=True, eq=False)
class Coarse:
    """What every round on the same rows shares."""

    codes: Sequence[Codes]
    n_codes: Count
    n_levels: Index
    coarse: Byte
    order: UIndex
    order_start: Count
    bin_start: Count
    last_code: Count


_made: "WeakKeyDictionary[BoostInput, Coarse]" = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class StumpWeak:
    column: int
    threshold: float  # numbers up to it are on the first side; NaN for categories
    levels: tuple[int, ...]  # categories: the levels on the first side
    n_levels: int  # 0 for numbers
    first: float  # the outputs of the sides: a sign, a confidence, or a class number
    second: float
    missing: float
    unseen: float

    def outputs(self, rows: BoostInput) -> Float:
        values = rows.column(self.column)
        if self.n_levels:
            table = np.full(self.n_levels + 2, self.second)
            table[list(self.levels)] = self.first
            table[self.n_levels :] = self.unseen, self.missing
            return table[np.where(np.isnan(values), self.n_levels + 1, values).astype(np.int64)]
        out = np.where(values <= self.threshold, self.first, self.second)
        out[np.isnan(values)] = self.missing
        return out

    def choices(self, rows: BoostInput) -> Index:
        return self.outputs(rows).astype(np.int32)

    def importance(self, n_columns: int) -> Float:
        """By how far apart its outputs are."""
        out = np.zeros(n_columns)
        out[self.column] = abs(self.first - self.second) / 2
        return out


@dataclass(frozen=True)
class Stump:
    output_kind: OutputKind = "signs"
    criterion: str | None = None  # None: what goes with the outputs; or "error", "gini", "exponential"
    smoothing: float | None = None  # of confidences; None: half a row's weight

    def fit(self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator) -> StumpWeak:
        return self.fit_predict(rows, signs, weight, rng)[0]

    def fit_predict(
        self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator
    ) -> tuple[StumpWeak, Float]:
        """Also the outputs for the training rows, by their codes."""
        smoothing = 0.5 * rows.share if self.smoothing is None else self.smoothing
        found = _best(
            rows, np.ascontiguousarray(signs), 2, weight, self.criterion or MERITS[self.output_kind]
        )
        if found is None:
            return _constant(rows, self._output(_totals(signs > 0, 2, weight), smoothing))
        first, second = (self._output(side, smoothing) for side in (found.first, found.second))
        unknown = first if found.first.sum() >= found.second.sum() else second
        if self.output_kind == "abstaining":
            first, second = (first, 0.0) if _gain(found.first) >= _gain(found.second) else (0.0, second)
            unknown = 0.0
        return _weak(rows, found, first, second, unknown)

    def fit_classes(
        self, rows: BoostInput, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> StumpWeak:
        criterion = self.criterion or "error"
        found = _best(rows, codes.astype(np.uint16), n_classes, weight, criterion)
        if found is None:
            return _constant(rows, float(np.argmax(_totals(codes, n_classes, weight))))[0]
        first, second = float(np.argmax(found.first)), float(np.argmax(found.second))
        unknown = first if found.first.sum() >= found.second.sum() else second
        return _weak(rows, found, first, second, unknown)[0]

    def _output(self, side: Float, smoothing: float) -> float:
        if self.output_kind == "calibrated":
            return half_log_ratio(float(side[1]), float(side[0]), smoothing)
        return 1.0 if side[1] > side[0] else -1.0


def build(params: WeakParams) -> Stump:
    return Stump(OUTPUT_KINDS[params.predictions], smoothing=params.smoothing)


@dataclass(frozen=True, eq=False)
class _Found:
    column: int
    code: int
    low_row: int
    high_row: int
    missing_first: bool
    first: Float
    second: Float
    missing: Float
    levels: tuple[int, ...]


def _gain(side: Float) -> float:
    return float((np.sqrt(side[1]) - np.sqrt(side[0])) ** 2)


def _best(rows: BoostInput, group: Float | UShort, n_groups: int, weight: Float, merit: str) -> _Found | None:
    """`group` is the sign of each row, or one of more than two classes. None where no column has two values."""
    if isinstance(rows.encoded, SparseEncoded):
        return _best_sparse(rows, rows.encoded, group, n_groups, weight, merit)
    return _search(rows, coarse_of(rows), group, n_groups, weight, merit)[0]


def _best_sparse(
    rows: BoostInput, encoded: SparseEncoded, group: Float | UShort, n_groups: int, weight: Float, merit: str
) -> _Found | None:
    """The columns that may have the best stump are written out, some at a time."""
    number = np.asarray(group > 0 if n_groups == 2 else group, np.int32)
    columns = find_columns(encoded, number, n_groups, weight, merit)
    best, top = None, -np.inf
    for some in np.split(columns, range(COLUMNS_AT_ONCE, len(columns), COLUMNS_AT_ONCE)):
        codes = tuple(encoded.codes[j] for j in some)
        found, worth = _search(rows, _coarse(rows, codes, some), group, n_groups, weight, merit)
        if found is not None and (best is None or worth > top + TIED):
            best, top = replace(found, column=int(some[found.column])), worth
    return best


def _search(
    rows: BoostInput, coarse: Coarse, group: Float | UShort, n_groups: int, weight: Float, merit: str
) -> tuple[_Found | None, float]:
    """The best stump of some columns, in their numbering, and what it is worth."""
    column, code, low, high, missing_first, worth, first, second, missing, level_first = native.best_stump(
        codes=coarse.codes,
        n_codes=coarse.n_codes,
        n_levels=coarse.n_levels,
        coarse=coarse.coarse,
        order=coarse.order,
        order_start=coarse.order_start,
        bin_start=coarse.bin_start,
        last_code=coarse.last_code,
        signs=group if n_groups == 2 else None,  # type: ignore[arg-type]
        group=None if n_groups == 2 else group,  # type: ignore[arg-type]
        n_groups=n_groups,
        weight=weight,
        merit=merit,
        threads=rows.threads,
    )
    if column < 0:
        return None, worth
    levels = tuple(np.flatnonzero(level_first).tolist())
    return _Found(column, code, low, high, missing_first, first, second, missing, levels), worth


def _totals(group: Any, n_groups: int, weight: Float) -> Float:
    return np.bincount(group, weight, minlength=n_groups).astype(np.float64)


def _constant(rows: BoostInput, output: float) -> tuple[StumpWeak, Float]:
    """The same output for every row."""
    weak = StumpWeak(0, np.inf, (), int(rows.encoded.schema.n_levels[0]), output, output, output, output)
    return weak, np.full(rows.n_rows, output)


def coarse_of(rows: BoostInput) -> Coarse:
    if rows not in _made:
        _made[rows] = _coarse(rows, rows.encoded.codes, np.arange(len(rows.encoded.codes)))
    return _made[rows]


def _coarse(rows: BoostInput, codes: Sequence[Codes], columns: Count) -> Coarse:
    """What a search of these columns needs."""
    n_codes, n_levels = rows.encoded.n_codes[columns], rows.encoded.schema.n_levels[columns]
    return Coarse(codes, n_codes, n_levels, *native.coarse_columns(codes, n_codes, n_levels, rows.threads))


def _weak(
    rows: BoostInput, found: _Found, first: float, second: float, unknown: float
) -> tuple[StumpWeak, Float]:
    encoded, j = rows.encoded, found.column
    codes, n_codes = encoded.codes[j], int(encoded.n_codes[j])
    n_levels = int(encoded.schema.n_levels[j])
    missing = (first if found.missing_first else second) if found.missing.any() else unknown
    weak = StumpWeak(j, _threshold(rows, found), found.levels, n_levels, first, second, missing, unknown)
    if n_levels:
        table = np.full(n_codes + 1, second)
        table[list(found.levels)] = first
        table[n_codes] = missing
        return weak, table[codes]
    return weak, native.side_answers(codes, n_codes, found.code, first, second, missing)[:, 0]


def _threshold(rows: BoostInput, found: _Found) -> float:
    """Between the last value of the first side and the next one."""
    if found.levels:
        return np.nan
    if found.high_row < 0:
        return np.inf
    low, high = np.array([[found.low_row], [found.high_row]], np.uint32)
    return float(rows.encoded.thresholds(found.column, low, high)[0])


# ---------------------------------------------------------------------------------- in a model file


def _write(stumps: list[StumpWeak]) -> dict[str, Any]:
    sides = [[weak.first, weak.second, weak.missing, weak.unseen] for weak in stumps]
    return {
        "stump_column": np.array([weak.column for weak in stumps], np.int32),
        "stump_threshold": np.array([weak.threshold for weak in stumps], np.float64),
        "stump_answers": np.array(sides, np.float64).reshape(-1, 4),
        "stump_level_start": np.cumsum([0, *(len(weak.levels) for weak in stumps)], dtype=np.int64),
        "stump_levels": np.array([level for weak in stumps for level in weak.levels], np.int32),
    }


def _read(arrays: Mapping[str, Any], stored: Stored) -> list[StumpWeak]:
    column, threshold, outputs = arrays["stump_column"], arrays["stump_threshold"], arrays["stump_answers"]
    start, levels = arrays["stump_level_start"], arrays["stump_levels"]
    many, n_levels = len(column), stored.n_levels
    if len(threshold) != many or outputs.shape != (many, 4) or len(start) != many + 1:
        raise ValueError("has stumps whose arrays differ in length")
    if many and (column.min() < 0 or column.max() >= len(n_levels)):
        raise ValueError("has a stump of a column there is not")
    if start[0] != 0 or np.any(np.diff(start) < 0) or start[-1] != len(levels):
        raise ValueError("has stumps whose levels do not follow each other")
    if not np.isfinite(outputs).all():
        raise ValueError("has a stump whose outputs are not finite")
    if stored.form == "votes" and not np.isin(outputs, np.arange(-1, stored.n_classes)).all():
        raise ValueError("has a stump that votes for a class there is not")
    out = []
    for k in range(many):
        j, own = int(column[k]), levels[start[k] : start[k + 1]]
        if n_levels[j] == 0 and (len(own) or np.isnan(threshold[k])):
            raise ValueError("has a stump without a threshold for a number")
        if len(own) and (own.min() < 0 or own.max() >= n_levels[j]):
            raise ValueError("has a stump of a level there is not")
        sides = [float(output) for output in outputs[k]]
        out.append(StumpWeak(j, float(threshold[k]), tuple(own.tolist()), int(n_levels[j]), *sides))
    return out


LAYOUT = {
    "stump_column": ("I32", 1),
    "stump_threshold": ("F64", 1),
    "stump_answers": ("F64", 2),  # stumps x (first side, second side, missing, unseen)
    "stump_level_start": ("I64", 1),
    "stump_levels": ("I32", 1),
}
STORAGE = Storage("stumps", StumpWeak, LAYOUT, _write, _read)
