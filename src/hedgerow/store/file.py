"""The file: safetensors.   In: Parts.   Out: bytes; and back, everything checked before a Tree is believed.

    8 bytes n | n bytes of JSON: where each array lies, our header, a checksum | the arrays

Sizes are compared with the caps and with the file itself before anything is allocated. The checksum finds the
flipped bit that would still be a valid tree; it proves nothing about who wrote the file.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from hedgerow.store.damage import Defect
from hedgerow.store.header import Header, parsed, read_header, write_header
from hedgerow.store.parts import Parts
from hedgerow.tree.check import check
from hedgerow.tree.damage import TreeError
from hedgerow.tree.tree import Tree

MOST_BYTES = 8 * 2**30  # of a file
MOST_HEADER = 100_000_000  # bytes; what safetensors itself allows
DTYPES = {  # safetensors' name for each
    "feature": "I32",
    "kind": "U8",
    "threshold": "F64",
    "subset_start": "I64",
    "first_child": "I32",
    "n_children": "I32",
    "missing_child": "I32",
    "value": "F64",
    "weight": "F64",
    "n_rows": "I64",
    "impurity": "F64",
    "subset_bits": "U64",
    "n_levels": "I32",
    "surrogate_node": "I32",
    "surrogate_feature": "I32",
    "surrogate_threshold": "F64",
    "surrogate_first_below": "U8",
    "surrogate_start": "I64",
    "surrogate_bits": "U64",
    "surrogate_agreement": "F64",
    "surrogate_adjusted": "F64",
}
Arrays = Mapping[str, NDArray[Any]]


def to_bytes(parts: Parts) -> bytes:
    from safetensors.numpy import save

    arrays = {field.name: np.ascontiguousarray(getattr(parts.tree, field.name)) for field in fields(Tree)}
    header = write_header(parts)
    header = {**header, "checksum": checksum(header, arrays)}
    return save(arrays, {"hedgerow": json.dumps(header, ensure_ascii=False, allow_nan=False)})


def from_stream(source: BinaryIO, size: int) -> Parts:
    """Parts, checked from the outside in: sizes, layout, header, checksum, tree, one against the other."""
    head = _head(source, size)
    layout = parsed(head[8:])
    metadata = layout.pop("__metadata__", None)
    text = metadata.get("hedgerow") if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise Defect("holds arrays, but no hedgerow model")
    content = parsed(text)
    header = read_header(content)
    _check_layout(layout, size - len(head))
    arrays = _arrays(head + source.read(size - len(head)))
    if content.get("checksum") != checksum(content, arrays):
        raise Defect("is damaged: its content does not match its checksum. Copy or save it again")
    tree = _tree(arrays)
    _check_agree(header, tree)
    return Parts(tree=tree, **{field.name: getattr(header, field.name) for field in fields(Header)})


def checksum(header: dict[str, Any], arrays: Arrays) -> str:
    """Of everything in the file but the checksum itself."""
    rest = {name: value for name, value in header.items() if name != "checksum"}
    digest = hashlib.sha256(json.dumps(rest, sort_keys=True).encode())
    for name in sorted(DTYPES):
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def _head(source: BinaryIO, size: int) -> bytes:
    """The length and the JSON that has it."""
    start = source.read(8)
    length = int.from_bytes(start, "little")
    if size < 8 or not 2 <= length <= min(size - 8, MOST_HEADER):
        raise Defect("is not a model file, or is cut short")
    return start + source.read(length)


def _check_layout(layout: dict[str, Any], room: int) -> None:
    """The right arrays, each of the right type, and none other; together as large as the rest of the file."""
    if odd := set(layout) ^ set(DTYPES):
        name = min(odd)
        raise Defect(f"{'lacks the array' if name in DTYPES else 'holds an unknown array'} {name[:40]!r}")
    needed = sum(_bytes_of(name, entry) for name, entry in layout.items())
    if needed != room:
        raise Defect(f"has {room:,} bytes of arrays, but says {needed:,}. It may be cut short: copy it again")


def _bytes_of(name: str, entry: Any) -> int:
    shape = entry.get("shape") if isinstance(entry, dict) else None
    rank = 2 if name == "value" else 1
    if not isinstance(shape, list) or len(shape) != rank or entry.get("dtype") != DTYPES[name]:
        raise Defect(f"has an array {name!r} of another type than {DTYPES[name]} with {rank} dimension(s)")
    if not all(type(n) is int and 0 <= n <= MOST_BYTES for n in shape):
        raise Defect(f"has an array {name!r} of an impossible size")
    return prod(shape) * int(DTYPES[name][1:]) // 8


def _arrays(data: bytes) -> Arrays:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(data)
    except (SafetensorError, ValueError, TypeError, OverflowError, MemoryError) as reason:
        raise Defect(f"has arrays that do not fit the file ({str(reason)[:80]})") from None


def _tree(arrays: Arrays) -> Tree:
    tree = Tree(**{name: arrays[name] for name in DTYPES})
    try:
        check(tree)
    except TreeError as reason:
        raise Defect(f"holds no valid tree: {reason}") from None
    return tree


def _check_agree(header: Header, tree: Tree) -> None:
    if tree.n_features != len(header.schema.names):
        raise Defect(f"has a tree of {tree.n_features} columns but names {len(header.schema.names)}")
    wrong = np.flatnonzero(tree.n_levels != header.schema.n_levels)
    if len(wrong):
        j = int(wrong[0])
        listed = len(header.schema.levels[j])
        raise Defect(f"has {tree.n_levels[j]} levels for column {j} in its tree, but lists {listed}")
    if header.schema.named is False and header.names_in:
        raise Defect("has names for columns that it says have none")
    wanted = 1 if header.classes is None else len(header.classes)
    if tree.n_outputs != wanted:
        raise Defect(f"has values for {tree.n_outputs} outputs, but {wanted} are wanted")
    shares = tree.value if header.classes is not None else np.zeros((1, 1))
    if shares.min() < 0 or shares.max() > 1 + 1e-9:
        raise Defect("has class shares that are not between 0 and 1")
