"""Progress.   In: how many fits there are.   Out: one line on standard error, with the time left.

Only on a terminal, and only for work that takes more than a second; gone at the end.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

PATIENCE = 1.0  # seconds


@contextmanager
def progress(words: str, total: int) -> Iterator[Callable[[], None]]:
    """with progress("10 folds", 10) as step: ...; step()"""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    line = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = line.add_task(words, total=total)
    begin = perf_counter()

    def step() -> None:
        line.advance(task)
        if perf_counter() - begin > PATIENCE and not line.live.is_started:
            line.start()

    try:
        yield step
    finally:
        if line.live.is_started:
            line.stop()
