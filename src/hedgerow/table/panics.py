"""What polars prints when it fails inside.   In: a call that reads a file.   Out: nothing on standard error, where the
call ends in a panic: Rust prints one before Python sees an exception, and our own sentence says it better.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile

STANDARD_ERROR = 2


@contextmanager
def hold_back_panics() -> Iterator[None]:
    """What others print in the meantime is printed after it."""
    try:
        kept = os.dup(STANDARD_ERROR)
    except OSError:  # there is none
        yield
        return
    with TemporaryFile() as aside:
        os.dup2(aside.fileno(), STANDARD_ERROR)
        panicked = True
        try:
            yield
            panicked = False
        except Exception:
            panicked = False
            raise
        finally:  # a panic is no Exception
            os.dup2(kept, STANDARD_ERROR)
            os.close(kept)
            aside.seek(0)
            if not panicked:
                with suppress(OSError):
                    os.write(STANDARD_ERROR, aside.read())
