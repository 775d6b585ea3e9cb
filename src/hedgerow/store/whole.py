"""A file, whole or not at all.   In: a path, bytes.   Out: the file; after a crash or on a full disk, the old one."""

import os
from pathlib import Path


def write_whole(file: Path, data: bytes) -> None:
    """Written beside it and then put in its place."""
    beside = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, file)
    finally:
        beside.unlink(missing_ok=True)
