"""Progress.   In: how many fits there are.   Out: one line on standard error, with the time left.

Only on a terminal, and only for work that takes more than a second; gone at the end. A clock starts the line, so that
one long fit shows it too; the time left is known once a fit is done.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

PATIENCE = 1.0  # seconds


@contextmanager
def progress(words: str, total: int) -> Iterator[Callable[[], None]]:
    """with progress("10 folds", 10) as step: ...; step()"""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    line = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = line.add_task(words, total=total)
    later = Timer(PATIENCE, line.start)
    later.daemon = True
    later.start()
    try:
        yield lambda: line.advance(task)
    finally:
        later.cancel()
        later.join()
        if line.live.is_started:
            line.stop()
