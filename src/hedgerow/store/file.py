"""The file: safetensors.   In: Parts.   Out: bytes; and back, everything checked before a model is believed.

    8 bytes n | n bytes of JSON: where each array lies, our header, a checksum | the arrays

Sizes are compared with the caps and with the file itself before anything is allocated. The checksum finds the
flipped bit that would still be a valid tree; it proves nothing about who wrote the file.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, replace
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from hedgerow.store.damage import Defect
from hedgerow.store.header import DEEPEST, parsed, read_header, write_header
from hedgerow.store.kind import Layout
from hedgerow.store.kinds import kind_of
from hedgerow.store.parts import Parts

MOST_BYTES = 8 * 2**30  # of a file
MOST_HEADER = 100_000_000  # bytes; what safetensors itself allows
Arrays = Mapping[str, NDArray[Any]]
Layouts = Mapping[str, Layout]


def to_bytes(parts: Parts) -> bytes:
    from safetensors.numpy import save

    body = kind_of(parts.model).written(parts.body)
    arrays = {name: np.ascontiguousarray(array) for name, array in body.arrays.items()}
    header = write_header(parts, body.extra)
    header = {**header, "checksum": checksum(header, arrays)}
    return save(arrays, {"hedgerow": json.dumps(header, ensure_ascii=False, allow_nan=False)})


def from_stream(source: BinaryIO, size: int, deepest: int = DEEPEST) -> Parts:
    """Parts, checked from the outside in: sizes, layout, header, checksum, body."""
    head = _head(source, size)
    layout = parsed(head[8:])
    metadata = layout.pop("__metadata__", None)
    text = metadata.get("hedgerow") if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise Defect("holds arrays, but no hedgerow model")
    content = parsed(text)
    header = replace(read_header(content), deepest=deepest)
    kind, extra = kind_of(header.model), content.get("body", {})
    if not isinstance(extra, dict):
        raise Defect("has a body that is not a JSON object")
    _check_layout(layout, kind.ARRAYS, size - len(head))
    arrays = _arrays(head + source.read(size - len(head)))
    if content.get("checksum") != checksum(content, arrays):
        raise Defect("is damaged: its content does not match its checksum. Copy or save it again")
    body = kind.read(arrays, extra, header)
    common = [field.name for field in fields(Parts) if field.name != "body"]
    return Parts(body=body, **{name: getattr(header, name) for name in common})


def checksum(header: dict[str, Any], arrays: Arrays) -> str:
    """Of everything in the file but the checksum itself."""
    rest = {name: value for name, value in header.items() if name != "checksum"}
    digest = hashlib.sha256(json.dumps(rest, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def _head(source: BinaryIO, size: int) -> bytes:
    """The length and the JSON that has it."""
    start = source.read(8)
    length = int.from_bytes(start, "little")
    if size < 8 or not 2 <= length <= min(size - 8, MOST_HEADER):
        raise Defect("is not a model file, or is cut short")
    return start + source.read(length)


def _check_layout(layout: dict[str, Any], wanted: Layouts, room: int) -> None:
    """The right arrays, each of the right type, and none other; together as large as the rest of the file."""
    if odd := set(layout) ^ set(wanted):
        name = min(odd)
        raise Defect(f"{'lacks the array' if name in wanted else 'holds an unknown array'} {name[:40]!r}")
    needed = sum(_bytes_of(name, layout[name], wanted[name]) for name in wanted)
    if needed != room:
        raise Defect(f"has {room:,} bytes of arrays, but says {needed:,}. It may be cut short: copy it again")


def _bytes_of(name: str, entry: Any, wanted: Layout) -> int:
    shape = entry.get("shape") if isinstance(entry, dict) else None
    dtype, rank = wanted
    if not isinstance(shape, list) or len(shape) != rank or entry.get("dtype") != dtype:
        raise Defect(f"has an array {name!r} of another type than {dtype} with {rank} dimension(s)")
    if not all(type(n) is int and 0 <= n <= MOST_BYTES for n in shape):
        raise Defect(f"has an array {name!r} of an impossible size")
    return prod(shape) * int(dtype[1:]) // 8


def _arrays(data: bytes) -> Arrays:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(data)
    except (SafetensorError, ValueError, TypeError, OverflowError, MemoryError) as reason:
        raise Defect(f"has arrays that do not fit the file ({str(reason)[:80]})") from None
