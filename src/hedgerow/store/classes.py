"""Classes.   In: the sorted array `classes_`.   Out: {"type": "int64", "values": [0, 1]}, and back.

The type is that of the array, so that a loaded model predicts the same dtype. Text is "str" in a NumPy array
of text and "object" where it came as Python strings (from pandas, for instance).
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.store.errors import InvalidModelFile

WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
REAL = ("float16", "float32", "float64")
TYPES = {"bool": bool, "str": str, "object": str, **dict.fromkeys(WHOLE, int), **dict.fromkeys(REAL, float)}


def classes_to(classes: NDArray[Any]) -> dict[str, Any]:
    kind = "str" if classes.dtype.kind == "U" else classes.dtype.name
    values = classes.tolist()
    if kind not in TYPES or not all(type(value) is TYPES[kind] for value in values):
        held = sorted({type(value).__name__ for value in values})
        raise TypeError(
            f"Classes of type {classes.dtype} holding {', '.join(held)} cannot be kept in a model file. "
            "Expected: all whole numbers, all floats, all booleans or all text. Way out: a target of text."
        )
    return {"type": kind, "values": values}


def classes_from(given: Any) -> NDArray[Any]:
    kind = given.get("type") if isinstance(given, dict) else None
    values = given.get("values") if isinstance(given, dict) else None
    if not (isinstance(kind, str) and kind in TYPES and isinstance(values, list) and values):
        raise InvalidModelFile(
            f"has classes of the unknown type {kind!r:.40}, or none. Known: {', '.join(TYPES)}"
        )
    if not all(type(value) is TYPES[kind] for value in values):
        raise InvalidModelFile(f"has classes that are not all {TYPES[kind].__name__}")
    try:
        classes = np.array(values, dtype=kind)
    except (OverflowError, ValueError):
        raise InvalidModelFile(f"has classes that are no {kind}") from None
    if classes.tolist() != values or any(a >= b for a, b in pairwise(values)):
        raise InvalidModelFile("has classes that are not distinct and in order")
    return classes
