"""Columns that name rows.   In: a column's name and its cells.   Out: whether it looks like one."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

CALLED = re.compile(r"(^|[_ .-])(id|ids|uuid|guid|index|row|rownames|nr|no|number|key)$|^(unnamed|column_1$)")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")  # passengerId -> passenger_Id
TELLING = 20  # rows from which "all different" says something


def is_called_identifier(name: str) -> bool:
    return bool(CALLED.search(HUMP.sub("_", name).lower()))


def names_rows(name: str, cells: NDArray[Any]) -> bool:
    """Called an identifier, and whole numbers, each of them once."""
    if len(cells) < TELLING or not is_called_identifier(name) or not np.all(cells == np.rint(cells)):
        return False
    return len(np.unique(cells)) == len(cells)
