"""The file: safetensors.   In: a ModelState.   Out: one file; and back, everything checked before a model is believed.

    8 bytes n | n bytes of JSON: where each array lies, our header, a checksum | the arrays

Sizes are compared with the caps and with the file itself before anything is allocated, and each array is read once, to
where it stays. A large file is first read through in small pieces, for its checksum alone: one that is damaged, or a
hole in the disk, costs no memory. (It is not mapped: whoever shortens a mapped file ends the process that reads it.)
The checksum finds the flipped bit that would still be a valid tree; it proves nothing about who wrote the file.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hedgerow.files import write_atomically
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import DEEPEST, parsed, read_header, write_header
from hedgerow.store.kind import Layout, load_kind
from hedgerow.store.state import ModelState
from hedgerow.store.training_rows import DTYPE, NAME, from_file
from hedgerow.words import quote_path, show

MOST_BYTES = 8 * 2**30  # of a file
MOST_HEADER = 25_000_000  # bytes of JSON; read, they may take forty times as much
LARGE = 2**26  # bytes: of a file beyond, the checksum comes before the arrays
PIECE = 2**20
Arrays = Mapping[str, NDArray[Any]]
Layouts = Mapping[str, Layout]
LONGEST = 800  # characters of an error: a file may hold any text
Place = str | os.PathLike[str]
READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Span(NamedTuple):
    """Where an array lies, from the end of the JSON."""

    begin: int
    end: int
    dtype: str  # safetensors' name
    shape: tuple[int, ...]


def save_state(state: ModelState, path: Place) -> None:
    """By custom, `path` ends in .hedgerow."""
    write_atomically(Path(path).expanduser(), to_bytes(state))


def load_state(path: Place) -> ModelState:
    """The state saved at `path`, without scikit-learn. Nothing in the file is run; all of it is checked first."""
    with name_file(path):
        return read_state(path)


def read_state(path: Place) -> ModelState:
    """The same; errors do not name the file. What is no file (a pipe, a device, a folder) is not waited for."""
    place = os.open(Path(path).expanduser(), READ)
    found = os.fstat(place)
    if not stat.S_ISREG(found.st_mode):
        os.close(place)
        raise InvalidModelFile(
            "is a pipe, a device or a folder without a model. Expected: a .hedgerow file, or the folder of a study"
        )
    with os.fdopen(place, "rb") as source:
        if found.st_size > MOST_BYTES:
            raise InvalidModelFile(f"has {found.st_size:,} bytes; wanted at most {MOST_BYTES:,}")
        return from_stream(source, found.st_size)


@contextmanager
def name_file(path: Place) -> Iterator[None]:
    """What is wrong with a file becomes an error that names it."""
    try:
        yield
    except InvalidModelFile as defect:
        raise InvalidModelFile(f"{quote_path(os.fspath(path))} {show(str(defect), LONGEST)}.") from None


def to_bytes(state: ModelState) -> bytes:
    from safetensors.numpy import save

    body = load_kind(state.model).write(state.body)
    arrays = {name: np.ascontiguousarray(array) for name, array in body.arrays.items()}
    if state.training_rows is not None:
        arrays[NAME] = state.training_rows.fingerprints
    header = write_header(state, body.extra)
    header = {**header, "checksum": checksum(header, arrays)}
    text = json.dumps(header, ensure_ascii=False, allow_nan=False)
    if 2 * len(text.encode()) > MOST_HEADER:  # as JSON within JSON it grows
        raise ValueError(
            f"The names and levels of this model take {len(text.encode()):,} bytes, more than a model file keeps "
            f"({MOST_HEADER // 2:,}). Way out: leave out text columns in which nearly every cell is different."
        )
    return save(arrays, {"hedgerow": text})


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
    spans = _find_spans(layout, {**kind.layout(extra), **optional}, size - len(head))
    arrays = _read_arrays(source, len(head), spans, content)
    rows = from_file(content[NAME], arrays[NAME]) if NAME in content else None
    body = kind.read(
        {name: array for name, array in arrays.items() if name not in optional},
        extra,
        header.without_features,
    )
    common = [field.name for field in fields(ModelState) if field.name not in ("body", NAME)]
    return ModelState(body=body, training_rows=rows, **{name: getattr(header, name) for name in common})


def checksum(header: dict[str, Any], arrays: Arrays) -> str:
    """Of everything in the file but the checksum itself."""
    digest = _digest(header)
    for name in sorted(arrays):
        digest.update(np.ascontiguousarray(arrays[name]).reshape(-1).view(np.uint8).data)
    return str(digest.hexdigest())


def _digest(header: dict[str, Any]) -> Any:
    rest = {name: value for name, value in header.items() if name != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode())


def _head(source: BinaryIO, size: int) -> bytes:
    """The length and the JSON that has it."""
    start = source.read(8)
    length = int.from_bytes(start, "little")
    if size < 8 or not 2 <= length <= min(size - 8, MOST_HEADER):
        raise InvalidModelFile(
            "is not a model file, or is cut short. Expected: a .hedgerow file, as hedgerow.save, `hedgerow fit` and "
            "`hedgerow study` write it"
        )
    return start + source.read(length)


def _find_spans(layout: dict[str, Any], wanted: Layouts, room: int) -> dict[str, Span]:
    """The right arrays, each of the right type, and none other; side by side, and as large as the rest of the file."""
    if odd := set(layout) ^ set(wanted):
        name = min(odd)
        raise InvalidModelFile(
            f"{'lacks the array' if name in wanted else 'holds an unknown array'} {name[:40]!r}"
        )
    spans = {name: _span(name, layout[name], wanted[name]) for name in wanted}
    needed = sum(_bytes_of(span) for span in spans.values())
    if needed != room:
        raise InvalidModelFile(
            f"has {room:,} bytes of arrays, but says {needed:,}. It may be cut short: copy it again"
        )
    at = 0
    for span in sorted(spans.values()):
        if span.begin != at or span.end - span.begin != _bytes_of(span):
            raise InvalidModelFile("has arrays that do not stand side by side")
        at = span.end
    return spans


def _span(name: str, entry: Any, wanted: Layout) -> Span:
    dtype, rank = wanted
    shape = entry.get("shape") if isinstance(entry, dict) else None
    if not isinstance(shape, list) or len(shape) != rank or entry.get("dtype") != dtype:
        raise InvalidModelFile(f"has an array {name!r} of another type than {dtype} with {rank} dimension(s)")
    if not all(type(n) is int and 0 <= n <= MOST_BYTES for n in shape):
        raise InvalidModelFile(f"has an array {name!r} of an impossible size")
    ends = entry.get("data_offsets")
    if not (isinstance(ends, list) and len(ends) == 2 and all(type(n) is int for n in ends)):
        raise InvalidModelFile(f"does not say where its array {name!r} lies")
    return Span(ends[0], ends[1], dtype, tuple(shape))


def _bytes_of(span: Span) -> int:
    return prod(span.shape) * int(span.dtype[1:]) // 8


def _read_arrays(source: BinaryIO, start: int, spans: dict[str, Span], content: dict[str, Any]) -> Arrays:
    """The arrays, where the checksum is right."""
    if sum(map(_bytes_of, spans.values())) > LARGE:
        _check(content, _checksum_of_file(source, start, spans, content))
    arrays = {}
    for name, span in spans.items():
        array = np.empty(span.shape, f"<{span.dtype[0].lower()}{int(span.dtype[1:]) // 8}")
        source.seek(start + span.begin)
        source.readinto(array.reshape(-1).view(np.uint8).data)  # type: ignore[attr-defined]
        arrays[name] = array
    _check(content, checksum(content, arrays))
    return arrays


def _checksum_of_file(source: BinaryIO, start: int, spans: dict[str, Span], content: dict[str, Any]) -> str:
    digest = _digest(content)
    for name in sorted(spans):
        source.seek(start + spans[name].begin)
        left = _bytes_of(spans[name])
        while left and (piece := source.read(min(PIECE, left))):
            digest.update(piece)
            left -= len(piece)
    return str(digest.hexdigest())


def _check(content: dict[str, Any], found: str) -> None:
    if content.get("checksum") != found:
        raise InvalidModelFile("is damaged: its content does not match its checksum. Copy or save it again")
