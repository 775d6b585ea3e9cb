"""One study at a time in a folder.   In: the folder.   Out: a lock while the study runs; others hear who holds it.

The system lets go of the lock when its process ends, however it ends: a kill leaves nothing to clean up.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from platform import node

from hedgerow.words import quote, show

LOCK = ".lock"


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # not on this system: SQLite alone keeps two writers apart
        yield
        return
    file = folder / LOCK
    while True:
        place = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = show(os.read(place, 200).decode(errors="replace"), 100) or "another process"
            os.close(place)
            raise ValueError(
                f"The folder {quote(str(folder))} is in use by {holder}. Wait until that study has ended, or name "
                "another folder."
            ) from None
        if _is_still(file, place):
            break
        os.close(place)  # its holder took it away as it ended: again
    try:
        os.truncate(place, 0)
        os.write(place, f"process {os.getpid()} on {node()}, since {datetime.now():%Y-%m-%d %H:%M}".encode())
        yield
    finally:
        file.unlink(missing_ok=True)
        os.close(place)


def _is_still(file: Path, place: int) -> bool:
    try:
        return os.path.samestat(os.stat(file), os.fstat(place))
    except FileNotFoundError:
        return False
