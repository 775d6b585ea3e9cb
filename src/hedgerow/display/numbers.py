"""Numbers to read, and numbers for JSON.   In: a float, or plain data that holds some.   Out: text; data without NaN.

figure(0.81234) -> 0.812     interval(0.78, 0.84) -> 0.780 to 0.840     p_value(0.0002) -> < 0.001
"""

from dataclasses import fields, is_dataclass
from decimal import Decimal
from math import isfinite
from typing import Any

import numpy as np

from hedgerow.tree.formatting import SET_APART

LEAST = 1e-6  # smaller ones are written with a power of ten
UNKNOWN = "-"  # stands in a cell for a number that nobody knows


def figure(value: float | None) -> str:
    """Three decimals where they say something; a few digits otherwise."""
    if value is None or not isfinite(value):
        return UNKNOWN
    size = abs(value)
    if size == 0 or 0.01 <= size < 10:
        return f"{value:.3f}"
    if size < 1:
        return f"{value:.2g}" if size < LEAST else f"{Decimal(f'{value:.2g}'):f}"
    if size < 1_000:
        return f"{value:.{2 if size < 100 else 1}f}"
    if size >= 1e12:
        return f"{value:.4g}"
    return f"{value:{',' if round(size) >= SET_APART else ''}.0f}"


def decimals(value: float, n: int = 3) -> str:
    """So many decimals, and no minus before a zero."""
    return f"{round(float(value), n) + 0.0:.{n}f}"


def percent(share: float) -> str:
    """95 %; 99.5 %"""
    return f"{100 * share:g} %"


def interval(low: float | None, high: float | None) -> str:
    if low is None or high is None or not isfinite(low + high):
        return "not known"
    return f"{figure(low)} to {figure(high)}"


def p_value(p: float | None) -> str:
    if p is None or not isfinite(p):
        return UNKNOWN
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def seconds(value: float) -> str:
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.1f} s"


def finite_or_none(value: Any) -> Any:
    """JSON has no NaN and no infinity: a float that is neither stays, others are None."""
    return None if isinstance(value, (float, np.floating)) and not isfinite(value) else value


def json_ready(value: Any) -> Any:
    """Plain data of plain data: arrays as lists, results as dicts, NaN and infinity as None."""
    if isinstance(value, dict):
        return {str(name): json_ready(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_ready(one) for one in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return json_ready(value.tolist())
    if hasattr(value, "to_dict"):
        return json_ready(value.to_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: json_ready(getattr(value, field.name)) for field in fields(value)}
    return finite_or_none(value)
