"""All fits of an evaluation.   In: models, Data, Splits.   Out: for each model an Answer a split, in their order.

The first fit is made here and timed. If the rest would take less than a moment it is made here too; else side by
side: threads for models of hedgerow, which work outside Python's lock and may share their rows, processes for others.
Answers do not depend on it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from itertools import takewhile
from threading import Lock
from time import perf_counter, sleep
from typing import Any

from joblib import Parallel, delayed

from hedgerow.core import native
from hedgerow.core.threads import usable_cores
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer, Job, done
from hedgerow.evaluation.overlap import looked_at
from hedgerow.evaluation.progress import progress
from hedgerow.evaluation.sharing import Rows, is_of_ours
from hedgerow.evaluation.splits import Splits

A_MOMENT = 1.0  # seconds of work that are not worth starting processes for
A_BLINK = 0.05  # nor threads

LATE = Answer(None, "not begun: the time was used up", 0.0, 0.0, None)

Answers = dict[str, tuple[Answer, ...]]
Place = tuple[int, str]  # the split, the model


def run(
    models: Mapping[str, Any],
    data: Data,
    splits: Splits,
    *,
    n_jobs: int | None = None,
    show_progress: bool = True,
    rows: Rows | None = None,
    known: Mapping[Place, Answer] | None = None,
    tell: Callable[[Place, Answer], None] | None = None,
    until: float = float("inf"),
) -> Answers:
    """`known`: answers that need not be found again. `tell` hears of each new one, as soon as it is there. `until`: the
    moment (of perf_counter) after which no fit is begun; what is missing then is LATE.
    """
    rows = rows or Rows(data)
    rows.share(list(models.values()))
    places = [(k, name) for k in range(len(splits.parts)) for name in models]
    found: dict[Place, Answer] = dict(known or {})
    places = [place for place in places if place not in found]
    ours = [place for place in places if is_of_ours(models[place[1]])]
    others = [place for place in places if not is_of_ours(models[place[1]])]
    words = f"{len(splits.parts)} split{'s' * (len(splits.parts) > 1)}" + (
        f" of {len(models)} models" if len(models) > 1 else ""
    )
    with _line(words, len(places), show_progress) as step:
        for part, threads in ((ours, True), (others, False)):
            for place, answer in _answers(part, models, data, splits, rows, _workers(n_jobs), threads, until):
                found[place] = answer
                if tell is not None and answer is not LATE:
                    tell(place, answer)
                step()
    return {name: tuple(found[k, name] for k in range(len(splits.parts))) for name in models}


def _line(words: str, total: int, wanted: bool) -> Any:
    return progress(words, total) if wanted else nullcontext(lambda: None)


def _answers(
    places: list[Place],
    models: Mapping[str, Any],
    data: Data,
    splits: Splits,
    rows: Rows,
    workers: int,
    threads: bool,
    until: float,
) -> Iterator[tuple[Place, Answer]]:
    """One after the other while the work is small, then side by side."""
    begin = perf_counter()
    for n, place in enumerate(places):
        left = (perf_counter() - begin) / max(n, 1) * (len(places) - n)
        if n and workers > 1 and left > (A_BLINK if threads else A_MOMENT):
            yield from _side_by_side(places[n:], models, data, splits, rows, workers, threads, until)
            return
        late = perf_counter() > until
        yield place, LATE if late else done(_job(place, models, data, splits, rows, single=workers == 1))
        if n + 1 == len(places) or places[n + 1][0] != place[0]:
            rows.forget(place[0])


def _side_by_side(
    places: list[Place],
    models: Mapping[str, Any],
    data: Data,
    splits: Splits,
    rows: Rows,
    workers: int,
    threads: bool,
    until: float,
) -> Iterator[tuple[Place, Answer]]:
    pool = Parallel(
        n_jobs=min(workers, len(places)),
        backend="threading" if threads else "loky",
        return_as="generator_unordered",  # an answer is told when it is there, not when its turn comes
        pre_dispatch="n_jobs",
        max_nbytes="1M",
    )
    begun = takewhile(lambda place: perf_counter() <= until, places)  # asked when its turn comes
    crew = _Crew()
    work = (
        delayed(crew.done)(place, models, data, splits, rows)
        if threads
        else delayed(_placed)(place, _job(place, models, data, splits, rows, single=True))
        for place in begun
    )
    left = dict.fromkeys(places)
    with crew:
        for place, answer in pool(work):
            yield place, answer
            del left[place]
            if not any(number == place[0] for number, _ in left):
                rows.forget(place[0])
    yield from ((place, LATE) for place in left)


def _placed(place: Place, job: Job) -> tuple[Place, Answer]:
    return place, done(job)


class _Crew:
    """Threads that fit. Ctrl-C reaches the main thread only: it then asks the others to end, and waits for them, for
    a thread may not be in the middle of native work when the program ends."""

    def __init__(self) -> None:
        self.over = False
        self.busy = 0
        self.lock = Lock()

    def done(
        self, place: Place, models: Mapping[str, Any], data: Data, splits: Splits, rows: Rows
    ) -> tuple[Place, Answer]:
        """The rows are taken by the thread that needs them."""
        with self.lock:
            if self.over:
                return place, LATE
            self.busy += 1
        try:
            return place, done(_job(place, models, data, splits, rows, single=True))
        except KeyboardInterrupt:
            return place, LATE
        finally:
            with self.lock:
                self.busy -= 1

    def __enter__(self) -> None:
        pass

    def __exit__(self, *trouble: Any) -> None:
        with self.lock:
            self.over = True
        if self.busy:
            native.end_calls(True)
            while self.busy:
                with suppress(KeyboardInterrupt):  # once is enough
                    sleep(0.01)
            native.end_calls(False)


def _job(
    place: Place, models: Mapping[str, Any], data: Data, splits: Splits, rows: Rows, *, single: bool
) -> Job:
    number, name = place
    split, model = splits.parts[number], models[name]
    fit, seen = splits.kind != "fitted", looked_at(data, splits)
    weight = None if data.weight is None else data.weight[split.train]
    return Job(
        model=model,
        training=rows.training(number, split.train, model) if fit else None,
        target=data.labels[split.train],
        weight=weight,
        test=rows.test(split.test, model),
        classes=data.classes,
        others=None if seen is None else rows.test(seen, model),
        fit=fit,
        single=single,
    )


def _workers(n_jobs: int | None) -> int:
    if n_jobs is None:
        return usable_cores()
    if not isinstance(n_jobs, int) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(
            f"n_jobs={n_jobs!r} has no meaning. Give a number, or -1 or None for all usable cores."
        )
    return n_jobs if n_jobs > 0 else max(1, usable_cores() + 1 + n_jobs)
