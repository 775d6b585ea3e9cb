"""Progress.   In: words for what is being done.   Out: one moving line on standard error, with its time.

Only on a terminal, and only for work that lasts: the line appears after half a second and is gone at the end.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

Step = Callable[[str], None]
PATIENCE = 0.5  # seconds


@contextmanager
def progress() -> Iterator[Step]:
    """with progress() as step: step("growing"); ..."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    line = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = line.add_task("starting", total=None)
    later = Timer(PATIENCE, line.start)
    later.daemon = True
    later.start()
    try:
        yield lambda words: line.update(task, description=words)
    finally:
        later.cancel()
        later.join()
        if line.live.is_started:
            line.stop()
