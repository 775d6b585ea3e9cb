"""Constants that minimise a loss, wherever the rows lie.   In: what each row of a leaf lacks (y - raw), by weight.
Out: a number that depends neither on the order of the rows nor on how they are cut into pieces.

A search asks a question of pieces of the rows, adds up their answers, and asks on until it has the number:

    search = QuantileSearch(0.5)
    while not isinstance(search, float):
        search = search.follow(add up search.look(lack, weight) of each piece, by search.add)

Rows in one place need no questions: `solve`.
"""

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from hedgerow.gradient.sums import round_limbs, sum_limbs
from hedgerow.types import Count, Float, Word

BITS = 16  # of a number that a question is about
WEIGHT_BITS = 31  # of a weight, by the largest: sums of 2^30 rows are whole numbers below 2^63
MOST_STEPS = 60


class Search(Protocol):
    def look(self, lack: Float, weight: Float | None) -> Any:
        """What one piece of the rows answers."""

    def add(self, a: Any, b: Any) -> Any: ...
    def follow(self, found: Any) -> "Search | float":
        """The next question, or the number; `found`: the answers of all pieces, added up."""

    def solve(self, lack: Float, weight: Float | None) -> float: ...


@dataclass(frozen=True)
class QuantileSearch:
    """The least value up to which at least this share of the weight lies; between two neighbours where it is hit.

    Numbers as whole numbers in the same order, their first BITS bits first: which of the values that begin so has the
    share, then the next bits of these, and at last the value after it, where the share is hit.
    """

    share: float
    largest: float | None = None  # weight
    need: int | None = None  # weight up to the value, of those that begin with `begins`
    hit: bool = False  # no rounding was needed
    begins: int = 0
    n_bits: int = 0

    def look(self, lack: Float, weight: Float | None) -> Any:
        if self.largest is None:
            return 1.0 if weight is None else float(weight.max(initial=0.0))
        keys = _keys(lack)
        if self.n_bits > 64:
            above = keys[keys > np.uint64(self.begins)]
            return int(above.min()) if len(above) else None
        if self.n_bits:
            at = keys >> np.uint64(64 - self.n_bits) == np.uint64(self.begins)
            keys, weight = keys[at], None if weight is None else weight[at]
        counts = whole_weights(len(keys), weight, self.largest)
        found, which = np.unique(keys >> np.uint64(64 - self.n_bits - BITS), return_inverse=True)
        total = np.zeros(len(found), np.int64)
        np.add.at(total, which, counts)
        return dict(zip(found.tolist(), total.tolist(), strict=True))

    def add(self, a: Any, b: Any) -> Any:
        if self.largest is None:
            return max(a, b)
        if self.n_bits > 64:
            return min((one for one in (a, b) if one is not None), default=None)
        return {key: a.get(key, 0) + b.get(key, 0) for key in {*a, *b}}

    def follow(self, found: Any) -> "QuantileSearch | float":
        if self.largest is None:
            return replace(self, largest=found)
        if self.n_bits > 64:
            return _middle(_number(self.begins), _number(self.begins if found is None else found))
        need, hit = (
            _find_need(self.share, sum(found.values())) if self.need is None else (self.need, self.hit)
        )
        for key in sorted(found):
            if need <= found[key]:
                break
            need -= found[key]
        n_bits = self.n_bits + BITS
        if n_bits < 64:
            return replace(self, need=need, hit=hit, begins=key, n_bits=n_bits)
        if hit and need == found[key]:
            return replace(self, begins=key, n_bits=65)
        return _middle(_number(key), _number(key))

    def solve(self, lack: Float, weight: Float | None) -> float:
        return find_quantile(lack, weight, self.share)


def find_quantile(values: Float, weight: Float | None, share: float) -> float:
    """What QuantileSearch finds."""
    values = values + 0.0  # no -0.0
    order = np.argsort(values, kind="stable")
    largest = 1.0 if weight is None else float(weight.max())
    ordered = values[order]
    reached = np.cumsum(whole_weights(len(values), weight, largest)[order])
    need, hit = _find_need(share, int(reached[-1]))
    below = int(np.searchsorted(reached, need))
    next_value = int(np.searchsorted(ordered, ordered[below], side="right"))
    hit = hit and reached[next_value - 1] == need and next_value < len(values)
    return _middle(float(ordered[below]), float(ordered[next_value if hit else below]))


def whole_weights(n: int, weight: Float | None, largest: float) -> Count:
    """Weights as whole numbers, whose sums have no order."""
    if weight is None:
        return np.ones(n, np.int64)
    return np.rint(np.ldexp(weight, WEIGHT_BITS - int(np.frexp(largest)[1]))).astype(np.int64)


def _find_need(share: float, total: int) -> tuple[int, bool]:
    wanted = share * total
    return max(1, int(np.ceil(wanted))), wanted == np.floor(wanted)


def _middle(a: float, b: float) -> float:
    return a / 2 + b / 2


def _keys(values: Float) -> Word:
    """Whole numbers in the order of the values."""
    bits = np.ascontiguousarray(values + 0.0).view(np.uint64)
    return np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(1 << 63))


def _number(key: int) -> float:
    bits = key ^ (1 << 63) if key >> 63 else key ^ (2**64 - 1)
    return float(np.uint64(bits).view(np.float64))


@dataclass(frozen=True)
class HuberSearch:
    """The zero of the sum of distances clipped at `bend`, a falling function of the constant: Newton's steps, halves
    where one leaves the bounds. Sums are exact (sums.py)."""

    bend: float
    low: float = -np.inf
    high: float = np.inf
    middle: float | None = None
    n_steps: int = 0

    def look(self, lack: Float, weight: Float | None) -> Any:
        if self.middle is None:
            return float(lack.min(initial=np.inf)), float(lack.max(initial=-np.inf))
        away = lack - self.middle
        clipped = np.clip(away, -self.bend, self.bend)
        inside = (np.abs(away) < self.bend).astype(np.float64)
        own = [clipped, inside] if weight is None else [clipped * weight, inside * weight]
        return np.stack([sum_limbs(one) for one in own])

    def add(self, a: Any, b: Any) -> Any:
        return (min(a[0], b[0]), max(a[1], b[1])) if self.middle is None else a + b

    def follow(self, found: Any) -> "HuberSearch | float":
        if self.middle is None:
            low, high = found
            if not low < high:
                return float(low) + 0.0  # no -0.0: which of two zeros is less depends on their order
            start = 0.0 if low < 0.0 < high else _middle(low, high)
            return replace(self, low=low, high=high, middle=start)
        left, inside = (round_limbs(one) for one in found)
        low, high = (self.middle, self.high) if left > 0 else (self.low, self.middle)
        step = self.middle + left / inside if inside > 0 else np.nan
        middle = step if low <= step <= high else _middle(low, high)
        if left == 0 or middle in (self.middle, low, high) or self.n_steps == MOST_STEPS:
            return float(self.middle if left == 0 else middle)
        return replace(self, low=low, high=high, middle=middle, n_steps=self.n_steps + 1)

    def solve(self, lack: Float, weight: Float | None) -> float:
        search: HuberSearch | float = self
        while isinstance(search, HuberSearch):
            search = search.follow(search.look(lack, weight))
        return search
