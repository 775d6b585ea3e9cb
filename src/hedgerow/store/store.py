"""Saving and loading.   In: a fitted model and a path.   Out: one file; or the model that stands in one.

Written to a file beside it and then put in its place: a crash or a full disk leaves the old file as it was.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from hedgerow.store.damage import Defect, ModelFileError
from hedgerow.store.file import MOST_BYTES, from_stream, to_bytes
from hedgerow.store.parts import Parts, model_of, parts_of
from hedgerow.store.whole import write_whole

Place = str | os.PathLike[str]
Made = TypeVar("Made")


def save(model: Any, path: Place) -> None:
    """Write a fitted estimator to `path` (by custom, a name ending in .hedgerow)."""
    save_parts(parts_of(model), path)


def load(path: Place) -> Any:
    """The estimator saved at `path`. Nothing in the file is run; everything in it is checked first."""
    return _named(path, lambda: model_of(_read(path)))


def save_parts(parts: Parts, path: Place) -> None:
    write_whole(Path(path).expanduser(), to_bytes(parts))


def load_parts(path: Place) -> Parts:
    """The same as plain parts (body, schema, classes), without scikit-learn."""
    return _named(path, lambda: _read(path))


def _read(path: Place) -> Parts:
    file = Path(path).expanduser()
    with file.open("rb") as source:
        size = os.fstat(source.fileno()).st_size
        if size > MOST_BYTES:
            raise Defect(f"has {size:,} bytes; wanted at most {MOST_BYTES:,}")
        return from_stream(source, size)


def _named(path: Place, read: Callable[[], Made]) -> Made:
    """A defect becomes an error that names the file."""
    try:
        return read()
    except Defect as defect:
        raise ModelFileError(f"{os.fspath(path)!r} {defect}.") from None
