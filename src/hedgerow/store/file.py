"""The file: safetensors.   In: a ModelState.   Out: one file; and back, everything checked before a model is believed.

    8 bytes n | n bytes of JSON: where each array lies, our header, a checksum | the arrays

Sizes are compared with the caps and with the file itself before anything is allocated. The checksum finds the
flipped bit that would still be a valid tree; it proves nothing about who wrote the file.

A file is written beside its place and then put there: a crash or a full disk leaves the old one as it was.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import DEEPEST, parsed, read_header, write_header
from hedgerow.store.kind import Layout, load_kind
from hedgerow.store.state import ModelState
from hedgerow.store.training_rows import DTYPE, NAME, from_file

MOST_BYTES = 8 * 2**30  # of a file
MOST_HEADER = 100_000_000  # bytes; what safetensors itself allows
Arrays = Mapping[str, NDArray[Any]]
Layouts = Mapping[str, Layout]
LONGEST = 800  # characters of an error: a file may hold any text
Place = str | os.PathLike[str]


def save_state(state: ModelState, path: Place) -> None:
    """By custom, `path` ends in .hedgerow."""
    write_atomically(Path(path).expanduser(), to_bytes(state))


def load_state(path: Place) -> ModelState:
    """The state saved at `path`, without scikit-learn. Nothing in the file is run; all of it is checked first."""
    with name_file(path):
        return read_state(path)


def read_state(path: Place) -> ModelState:
    """The same; errors do not name the file."""
    with Path(path).expanduser().open("rb") as source:
        size = os.fstat(source.fileno()).st_size
        if size > MOST_BYTES:
            raise InvalidModelFile(f"has {size:,} bytes; wanted at most {MOST_BYTES:,}")
        return from_stream(source, size)


@contextmanager
def name_file(path: Place) -> Iterator[None]:
    """What is wrong with a file becomes an error that names it."""
    try:
        yield
    except InvalidModelFile as defect:
        raise InvalidModelFile(f"{os.fspath(path)!r} {str(defect)[:LONGEST]}.") from None


def write_atomically(file: Path, data: bytes) -> None:
    """The file, whole or not at all."""
    beside = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, file)
    finally:
        beside.unlink(missing_ok=True)


def to_bytes(state: ModelState) -> bytes:
    from safetensors.numpy import save

    body = load_kind(state.model).write(state.body)
    arrays = {name: np.ascontiguousarray(array) for name, array in body.arrays.items()}
    if state.training_rows is not None:
        arrays[NAME] = state.training_rows.fingerprints
    header = write_header(state, body.extra)
    header = {**header, "checksum": checksum(header, arrays)}
    return save(arrays, {"hedgerow": json.dumps(header, ensure_ascii=False, allow_nan=False)})


def from_stream(source: BinaryIO, size: int, deepest: int = DEEPEST) -> ModelState:
    """ModelState, checked from the outside in: sizes, layout, header, checksum, body."""
    head = _head(source, size)
    layout = parsed(head[8:])
    metadata = layout.pop("__metadata__", None)
    text = metadata.get("hedgerow") if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise InvalidModelFile("holds arrays, but no hedgerow model")
    content = parsed(text)
    header = replace(read_header(content), deepest=deepest)
    kind, extra = load_kind(header.model), content.get("body", {})
    if not isinstance(extra, dict):
        raise InvalidModelFile("has a body that is not a JSON object")
    optional = {NAME: Layout(DTYPE)} if NAME in content else {}
    _check_layout(layout, {**kind.layout(extra), **optional}, size - len(head))
    arrays = _arrays(head + source.read(size - len(head)))
    if content.get("checksum") != checksum(content, arrays):
        raise InvalidModelFile("is damaged: its content does not match its checksum. Copy or save it again")
    rows = from_file(content[NAME], arrays[NAME]) if NAME in content else None
    body = kind.read({name: array for name, array in arrays.items() if name not in optional}, extra, header)
    common = [field.name for field in fields(ModelState) if field.name not in ("body", NAME)]
    return ModelState(body=body, training_rows=rows, **{name: getattr(header, name) for name in common})


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
        raise InvalidModelFile(
            "is not a model file, or is cut short. Wanted: a .hedgerow file, as hedgerow.save, `hedgerow fit` and "
            "`hedgerow study` write it"
        )
    return start + source.read(length)


def _check_layout(layout: dict[str, Any], wanted: Layouts, room: int) -> None:
    """The right arrays, each of the right type, and none other; together as large as the rest of the file."""
    if odd := set(layout) ^ set(wanted):
        name = min(odd)
        raise InvalidModelFile(
            f"{'lacks the array' if name in wanted else 'holds an unknown array'} {name[:40]!r}"
        )
    needed = sum(_bytes_of(name, layout[name], wanted[name]) for name in wanted)
    if needed != room:
        raise InvalidModelFile(
            f"has {room:,} bytes of arrays, but says {needed:,}. It may be cut short: copy it again"
        )


def _bytes_of(name: str, entry: Any, wanted: Layout) -> int:
    shape = entry.get("shape") if isinstance(entry, dict) else None
    dtype, rank = wanted
    if not isinstance(shape, list) or len(shape) != rank or entry.get("dtype") != dtype:
        raise InvalidModelFile(f"has an array {name!r} of another type than {dtype} with {rank} dimension(s)")
    if not all(type(n) is int and 0 <= n <= MOST_BYTES for n in shape):
        raise InvalidModelFile(f"has an array {name!r} of an impossible size")
    return prod(shape) * int(dtype[1:]) // 8


def _arrays(data: bytes) -> Arrays:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(data)
    except (SafetensorError, ValueError, TypeError, OverflowError, MemoryError) as reason:
        raise InvalidModelFile(f"has arrays that do not fit the file ({str(reason)[:80]})") from None
