"""Single parameters, checked.   In: a parameter's name, and what was given.   Out: the value, or a ParameterError.

Every error reads `name=given is ...`, says what is wanted, and how to leave the parameter out where that is possible.
"""

from numbers import Integral, Real
from typing import Any

import numpy as np

from hedgerow.errors import ParameterError, Setting, or_none, out_of_range

LARGEST = 2**31 - 1  # what the native code holds
BEYOND_NUMPY = 2**32  # the first number that no RandomState takes as its seed


def number(name: str, given: Any, low: float, high: float) -> float:
    """A finite number from `low` to `high`."""
    if is_real(given) and low <= given <= high and np.isfinite(given):
        return float(given)
    wanted = f"a number from {low:g} to {high:g}" if np.isfinite(high) else f"a number of at least {low:g}"
    raise out_of_range(name, given, wanted)


def whole(name: str, given: Any, least: int) -> int:
    if is_whole(given) and given >= least:
        return int(given)
    raise out_of_range(name, given, f"a whole number of at least {least}")


def whole_or_none(name: str, given: Any, least: int, default: int) -> int:
    """A whole number; `default` for None, which means no limit."""
    if given is None:
        return default
    if is_whole(given) and given >= least:
        return min(int(given), LARGEST)
    raise out_of_range(name, given, or_none(f"a whole number of at least {least}", "for no limit"))


def share(name: str, given: Any) -> float:
    """A share of the rows: neither none nor all."""
    if is_real(given) and 0 < given < 1:
        return float(given)
    raise out_of_range(name, given, "a share of the rows between 0 and 1, such as 0.2")


def rows_or_share(name: str, given: Any, least: int, *, all_rows: bool) -> int | float:
    """A number of rows, or a share of them; `all_rows`: 1.0 is such a share too."""
    if is_whole(given):
        if given >= least:
            return int(given)
    elif is_real(given) and (0 < given < 1 or (all_rows and given == 1.0)):
        return float(given)
    raise ParameterError(
        f"{{{name}}} is out of range: '{{}}' of a tree must be an int in the range [{least}, inf) or a float in the "
        f"range (0.0, 1.0{']' if all_rows else ')'}, a number of rows or a share of them.",
        Setting(name),
        **{name: given},
    )


def is_whole(given: object) -> bool:
    return isinstance(given, Integral) and not isinstance(given, bool)


def is_real(given: object) -> bool:
    return isinstance(given, Real) and not isinstance(given, bool)


def draw_seed(random_state: Any) -> int:
    """A seed for the native code from a `random_state` as scikit-learn has it: None, a number or a RandomState.

    A number of more than 32 bits, which no RandomState takes, is the seed itself: members of a forest have such a one,
    so that each can be grown again from its own rows.
    """
    if isinstance(random_state, Integral) and BEYOND_NUMPY <= int(random_state) < 2**64:
        return int(random_state)
    return int(_generator(random_state).randint(LARGEST))


def _generator(random_state: Any) -> np.random.RandomState:
    if random_state is None or random_state is np.random:
        return np.random.mtrand._rand  # NumPy's global one
    if isinstance(random_state, Integral):
        return np.random.RandomState(int(random_state))
    if isinstance(random_state, np.random.RandomState):
        return random_state
    raise ParameterError(
        "{random_state} cannot be used to seed a numpy.random.RandomState instance. Give None, a whole number of 0 or "
        "more, or a RandomState.",
        random_state=random_state,
    )
