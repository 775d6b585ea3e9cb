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
MOST = 6  # lines of a kind
KIND_WORDS = {
    "number": "number",
    "boolean": "true or false",
    "category": "category",
    "text": "free text",
    "date": "date",
    "datetime": "date",
}


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
            self._bar.update(self._task, description=message, refresh=True)

    def on_data(self, loaded: Any) -> None:
        """Somebody who watches can still stop it and correct; the page at the end says it too."""
        if self._bar is None:
            return
        from collections import Counter

        from hedgerow.display.sentences import many
        from hedgerow.words import escape, show

        kinds = Counter(column.kind for column in loaded.rows.table.columns)
        counted = ", ".join(many(n, KIND_WORDS[kind]) for kind, n in kinds.items())
        left = [f"{show(name)} ({show(why, 80)})" for name, why in loaded.left_out[:MOST]]
        more = f" and {len(loaded.left_out) - MOST} more" if len(loaded.left_out) > MOST else ""
        lines = [
            f"Read: {many(len(loaded.rows), 'row')}, {loaded.goal.task} of {show(loaded.target)} from {counted}.",
            *(*loaded.reading, *loaded.notes)[:MOST],
            *(f"{show(name)}: {show(words, 100)}" for name, words in list(loaded.remarks.items())[:MOST]),
            *([f"Left out: {'; '.join(left)}{more}"] if left else []),
        ]
        for line in lines:
            self._bar.console.print(escape(line), highlight=False, markup=False)

    def on_comparison(self, models: list[str], n_splits: int, n_known: int) -> None:
        if n_known:
            print(f"Going on: {n_known} of {len(models) * n_splits} fits are there already.", file=sys.stderr)
        if self._bar is not None:
            self._bar.update(self._task, total=len(models) * n_splits, completed=n_known)

    def on_fold_result(self, model: str, result: Any) -> None:
        if self._bar is not None:
            self._bar.update(self._task, advance=1, description=model)
