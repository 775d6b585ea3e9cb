"""Inputs: rows as the numbers a neuron reads.   In: BoostInput.   Out: a matrix, made once: every round shares it.

Neurons add columns up, so that a column in metres and one in millimetres must be brought to one scale, and a category
be told by numbers. How, stands in encode/numbers.py.
"""

from weakref import WeakKeyDictionary

from hedgerow.boost.boost_input import BoostInput
from hedgerow.encode import Preparation, numbers, prepare
from hedgerow.table import Table
from hedgerow.types import Float

MOST_LEVELS = 100  # of a category

_prepared: "WeakKeyDictionary[BoostInput, Preparation]" = WeakKeyDictionary()
_made: "WeakKeyDictionary[BoostInput, tuple[Preparation, Float]]" = WeakKeyDictionary()


def preparation_of(rows: BoostInput, weight: Float | None = None) -> Preparation:
    """How training rows become numbers; found once."""
    if rows not in _prepared:
        _prepared[rows] = prepare(_table(rows), weight, standardize=True, max_levels=MOST_LEVELS)
    return _prepared[rows]


def inputs_of(rows: BoostInput, preparation: Preparation) -> Float:
    kept = _made.get(rows)
    if kept is None or kept[0] is not preparation:
        kept = _made[rows] = (preparation, numbers(preparation, _table(rows)))
    return kept[1]


def _table(rows: BoostInput) -> Table:
    return rows._dense()[0]
