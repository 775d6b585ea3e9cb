"""All fits of an evaluation.   In: models, Data, Splits.   Out: for each model a FoldResult a split, in their order.

The first fit runs here and is timed. If the rest takes less than MIN_SECONDS_* it runs here too; else in parallel:
threads for models of hedgerow, which release the GIL and share their rows, processes for others. Forests of many rows
run one after the other, each with all threads: two of them side by side would take twice the memory. Inside
`joblib.parallel_config(backend="dask")` all fits are tasks of that cluster. Results do not depend on which.
"""

import ctypes
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice, takewhile
from threading import Lock, Timer
from time import perf_counter, sleep
from typing import Any

from joblib import Parallel, delayed

from hedgerow.core import native
from hedgerow.core.threads import one_blas_thread, usable_cores
from hedgerow.display.sentences import many
from hedgerow.errors import InPython, ParameterError
from hedgerow.estimators.forest_inspection import ForestInspectionMixin
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FitJob, FoldResult, fit_and_predict
from hedgerow.evaluation.fold_rows import FoldRows, find_estimators, runs_in_threads
from hedgerow.evaluation.overlap import overlap_rows
from hedgerow.evaluation.splits import Splits

MIN_SECONDS_PROCESS = 1.0  # less work than this is not worth starting processes for
MIN_SECONDS_THREAD = 0.05  # nor threads
PROGRESS_DELAY = 1.0  # seconds before a progress line is shown
LARGE_FOREST = 50_000  # training rows; a forest of so many runs alone

NOT_STARTED = FoldResult(None, "not begun: the time was used up", 0.0, 0.0, None)
GIVEN_UP = FoldResult(None, "given up: worse than another model", 0.0, 0.0, None)
KILLED = FoldResult(None, "workers died of it again and again, perhaps for want of memory", 0.0, 0.0, None)

FoldResults = dict[str, tuple[FoldResult, ...]]
FitKey = tuple[int, str]  # the split, the model
OnResult = Callable[[FitKey, FoldResult], None]


@dataclass(frozen=True, eq=False)
class _Run:
    models: Mapping[str, Any]
    data: Data
    splits: Splits
    rows: FoldRows
    workers: int
    deadline: float
    classify: bool

    def n_training(self, key: FitKey) -> int:
        return len(self.splits.parts[key[0]].train)

    def job(self, key: FitKey, *, threads: int | None) -> FitJob:
        number, name = key
        split, model = self.splits.parts[number], self.models[name]
        is_new, overlap = self.splits.kind != "fitted", overlap_rows(self.data, self.splits)
        weight = self.data.weight
        return FitJob(
            model=model,
            training=self.rows.training(number, split.train, model) if is_new else None,
            target=self.data.labels[split.train],
            weight=None if weight is None else weight[split.train],
            test=self.rows.test(split.test, model),
            classes=self.data.classes,
            overlap_rows=None if overlap is None else self.rows.test(overlap, model),
            fit=is_new,
            classify=self.classify,
            threads=threads,
        )


def run_folds(
    models: Mapping[str, Any],
    data: Data,
    splits: Splits,
    *,
    n_jobs: int | None = None,
    show_progress: bool = True,
    rows: FoldRows | None = None,
    known: Mapping[FitKey, FoldResult] | None = None,
    on_result: OnResult | None = None,
    deadline: float = float("inf"),
    n_splits: int | None = None,
    classify: bool = True,
) -> FoldResults:
    """`known`: results of earlier runs, not computed again. `on_result` is called with each new result at once.
    `deadline`: the moment (of perf_counter) after which no fit starts; what is missing then is NOT_STARTED, and so are
    the splits after the first `n_splits`. `classify`: False where classes are decided later, from the scores.
    """
    rows = rows or FoldRows(data)
    rows.prepare(list(models.values()))
    run = _Run(models, data, splits, rows, _count_workers(n_jobs), deadline, classify)
    found: dict[FitKey, FoldResult] = dict(known or {})
    n_splits = len(splits.parts) if n_splits is None else n_splits
    keys = [(k, name) for k in range(n_splits) for name in models if (k, name) not in found]
    title = many(n_splits, "split") + (f" of {len(models)} models" if len(models) > 1 else "")
    with one_blas_thread(), progress_line(title, len(keys), show_progress) as advance:
        for key, result in _results(run, keys):
            found[key] = result
            if on_result is not None and result is not NOT_STARTED and result is not KILLED:
                on_result(key, result)
            advance()
    missing = [NOT_STARTED] * (len(splits.parts) - n_splits)
    return {name: (*(found[k, name] for k in range(n_splits)), *missing) for name in models}


def _results(run: _Run, keys: list[FitKey]) -> Iterator[tuple[FitKey, FoldResult]]:
    """Models that run in threads first, then those that need processes; or all on a cluster."""
    client = _active_client()
    if client is not None:
        yield from _on_cluster(run, keys, client)
        return
    in_threads = {name for name, model in run.models.items() if runs_in_threads(model)}
    forests = {name for name in in_threads if _is_forest(run.models[name])}
    alone = [key for key in keys if key[1] in forests and run.n_training(key) > LARGE_FOREST]
    yield from _first_alone(run, [key for key in keys if key[1] in in_threads and key not in alone], True)
    yield from _one_by_one(run, alone)
    yield from _first_alone(run, [key for key in keys if key[1] not in in_threads], False)


def _is_forest(model: Any) -> bool:
    """Many deep trees, grown independently."""
    return any(isinstance(part, ForestInspectionMixin) for part in find_estimators(model))


def _one_by_one(run: _Run, keys: list[FitKey]) -> Iterator[tuple[FitKey, FoldResult]]:
    """Each fit with all threads. What it leaves is given back before the next begins."""
    for n, key in enumerate(keys):
        late = perf_counter() > run.deadline
        yield key, NOT_STARTED if late else fit_and_predict(run.job(key, threads=run.workers))
        give_back_memory()
        if n + 1 == len(keys) or keys[n + 1][0] != key[0]:
            run.rows.release(key[0])


def _first_alone(run: _Run, keys: list[FitKey], threads: bool) -> Iterator[tuple[FitKey, FoldResult]]:
    """One after the other while the work left is small, then in parallel."""
    begin, enough = perf_counter(), MIN_SECONDS_THREAD if threads else MIN_SECONDS_PROCESS
    for n, key in enumerate(keys):
        left = (perf_counter() - begin) / max(n, 1) * (len(keys) - n)
        if n and run.workers > 1 and left > enough:
            yield from _in_parallel(run, keys[n:], threads)
            return
        late = perf_counter() > run.deadline
        yield (
            key,
            NOT_STARTED if late else fit_and_predict(run.job(key, threads=1 if run.workers == 1 else None)),
        )
        if n + 1 == len(keys) or keys[n + 1][0] != key[0]:
            run.rows.release(key[0])


def _in_parallel(run: _Run, keys: list[FitKey], threads: bool) -> Iterator[tuple[FitKey, FoldResult]]:
    """A result is reported when it is there, not when its turn comes."""
    started = takewhile(lambda key: perf_counter() <= run.deadline, keys)  # evaluated when its turn comes
    left = dict.fromkeys(keys)
    for key, result in (_in_threads if threads else _in_processes)(run, started, min(run.workers, len(keys))):
        yield key, result
        del left[key]
        if not any(number == key[0] for number, _ in left):
            run.rows.release(key[0])
    yield from ((key, NOT_STARTED) for key in left)


def _in_threads(run: _Run, keys: Iterator[FitKey], n_workers: int) -> Iterator[tuple[FitKey, FoldResult]]:
    """joblib looks for results every 10 ms, longer than many a fit."""
    with ThreadPoolExecutor(n_workers) as pool, _ThreadTeam() as team:
        running = {pool.submit(team.fit, key, run) for key in islice(keys, n_workers)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(team.fit, key, run) for key in islice(keys, len(done))}
            yield from (one.result() for one in done)


def _in_processes(run: _Run, keys: Iterator[FitKey], n_workers: int) -> Iterator[tuple[FitKey, FoldResult]]:
    pool = Parallel(
        n_jobs=n_workers,
        backend="loky",
        return_as="generator_unordered",
        pre_dispatch="n_jobs",
        max_nbytes="1M",
    )
    yield from pool(delayed(_fit)(key, run.job(key, threads=1)) for key in keys)


def _fit(key: FitKey, job: FitJob) -> tuple[FitKey, FoldResult]:
    return key, fit_and_predict(job)


def _active_client() -> Any:
    """Whoever uses Dask has loaded it."""
    if "distributed" not in sys.modules:
        return None
    from hedgerow.dask.tasks import active_client

    return active_client()


def _on_cluster(run: _Run, keys: list[FitKey], client: Any) -> Iterator[tuple[FitKey, FoldResult]]:
    from hedgerow.dask.tasks import run_tasks

    left = dict.fromkeys(keys)
    for key, result in run_tasks(client, _fit_key, run, keys, lambda: perf_counter() > run.deadline):
        yield key, KILLED if result is None else result
        del left[key]
    yield from ((key, NOT_STARTED) for key in left)


def _fit_key(run: _Run, key: FitKey) -> FoldResult:
    """On a worker, which keeps the table and not the rows of each fold."""
    job = run.job(key, threads=1)
    run.rows.release(key[0])
    return fit_and_predict(job)


class _ThreadTeam:
    """Threads that fit. Ctrl-C reaches the main thread only: it then asks the others to stop, and waits for them,
    because a thread must not be inside native code when the program ends."""

    def __init__(self) -> None:
        self.stopping = False
        self.busy = 0
        self.lock = Lock()

    def fit(self, key: FitKey, run: _Run) -> tuple[FitKey, FoldResult]:
        """The rows are taken by the thread that needs them."""
        with self.lock:
            if self.stopping:
                return key, NOT_STARTED
            self.busy += 1
        try:
            return key, fit_and_predict(run.job(key, threads=1))
        except KeyboardInterrupt:
            return key, NOT_STARTED
        finally:
            with self.lock:
                self.busy -= 1

    def __enter__(self) -> "_ThreadTeam":
        return self

    def __exit__(self, *raised: Any) -> None:
        with self.lock:
            self.stopping = True
        if self.busy:
            native.end_calls(True)
            while self.busy:
                with suppress(KeyboardInterrupt):  # once is enough
                    sleep(0.01)
            native.end_calls(False)


def give_back_memory() -> None:
    """Freed memory goes back to the system. The C library of Linux keeps what many small blocks leave: 390 MB after a
    forest of 128,000 rows."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _count_workers(n_jobs: int | None) -> int:
    if n_jobs is None:
        return usable_cores()
    if not isinstance(n_jobs, int) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ParameterError(
            "{n_jobs} has no meaning. Give a number, or {} for all usable cores.",
            InPython("-1 or None", "-1"),
            n_jobs=n_jobs,
        )
    return n_jobs if n_jobs > 0 else max(1, usable_cores() + 1 + n_jobs)


def progress_line(title: str, total: int, wanted: bool = True) -> Any:
    """with progress_line("10 folds", 10) as advance: ...; advance(). On a terminal only, on standard error."""
    return _rich_line(title, total) if wanted and sys.stderr.isatty() else nullcontext(lambda: None)


@contextmanager
def _rich_line(title: str, total: int) -> Iterator[Callable[[], None]]:
    """Shown after PROGRESS_DELAY, by a timer, so that one long fit shows it too; gone at the end."""
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
    task = line.add_task(title, total=total)
    timer = Timer(PROGRESS_DELAY, line.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda: line.advance(task)
    finally:
        timer.cancel()
        timer.join()
        if line.live.is_started:
            line.stop()
