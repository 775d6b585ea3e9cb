"""Model files taken apart and put together again, wrongly on purpose."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from hedgerow.store.file import checksum
from hedgerow.store.kinds.tree import LAYOUT

Arrays = dict[str, NDArray[Any]]


def opened(data: bytes) -> tuple[dict[str, Any], Arrays]:
    """The header as a dict, and the arrays."""
    length = int.from_bytes(data[:8], "little")
    metadata = json.loads(data[8 : 8 + length])["__metadata__"]
    return json.loads(metadata["hedgerow"]), {name: array.copy() for name, array in load(data).items()}


def closed(header: dict[str, Any] | str, arrays: Arrays) -> bytes:
    """The bytes again, with a checksum that is right: so that the checks behind it are met."""
    if not isinstance(header, str):
        nothing = {name: np.zeros(0) for name in LAYOUT}
        header = json.dumps({**header, "checksum": checksum(header, {**nothing, **arrays})})
    return save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, {"hedgerow": header})


def changed(path: Path, change: Callable[[dict[str, Any], Arrays], Any]) -> None:
    """Rewrite the file after `change(header, arrays)`; what it returns, if anything, is the new header."""
    header, arrays = opened(path.read_bytes())
    path.write_bytes(closed(change(header, arrays) or header, arrays))
