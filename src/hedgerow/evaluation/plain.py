"""Results as plain data.   In: numbers, arrays, lists and dicts of them.   Out: what JSON can hold: no NaN in it."""

from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """What is not known, or has no end, is None."""
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    return None if isinstance(value, float) and not np.isfinite(value) else value
