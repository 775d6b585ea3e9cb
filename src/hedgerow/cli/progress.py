"""Progress.   In: words for what is being done.   Out: one moving line on standard error, with its time.

Only on a terminal, and only for work that lasts: the line appears after half a second and is gone at the end.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

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


class StudyProgress:
    """The callback of a study: what is being done; in the comparison a bar with the time left."""

    def __enter__(self) -> "StudyProgress":
        self._bar: Any = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("reading", total=None)
            self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def on_step(self, message: str) -> None:
        if self._bar is not None:
            self._bar.update(self._task, description=message)

    def on_comparison(self, models: list[str], n_splits: int, n_known: int) -> None:
        if n_known:
            print(f"Going on: {n_known} of {len(models) * n_splits} fits are there already.", file=sys.stderr)
        if self._bar is not None:
            self._bar.update(self._task, total=len(models) * n_splits, completed=n_known)

    def on_fold_result(self, model: str, result: Any) -> None:
        if self._bar is not None:
            self._bar.update(self._task, advance=1, description=model)
