"""Tasks on a Dask cluster, each for itself.   In: a function, what all tasks read, a key for each.   Out: results, as
they come.

What all tasks read is the answer of a task itself: workers get it from each other, and Dask makes it anew when it is
lost with its worker. A client that goes away takes its tasks with it.
"""

import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from hedgerow.errors import ParameterError

AHEAD = 2  # tasks at the scheduler for each thread of the workers


def active_client() -> Any:
    """Of `joblib.parallel_config(backend="dask")`; None outside of it."""
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    return backend.client if type(backend).__module__ == "joblib._dask" else None


@contextmanager
def open_cluster(address: str) -> Iterator[None]:
    """All fits inside run on it. `address`: "tcp://host:port" of a scheduler, or "local:4" for four processes here."""
    from distributed import Client, LocalCluster
    from joblib import parallel_config

    kind, _, many = address.partition(":")
    if kind == "local":
        if not many.isdecimal() or int(many) < 1:
            raise _bad_address(address)
        made: Any = LocalCluster(
            n_workers=int(many), threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
        )
    elif "://" in address:
        made = address
    else:
        raise _bad_address(address)
    try:
        with Client(made) as client, parallel_config(backend="dask", client=client):
            yield
    except OSError as reason:
        if made is not address or "connect" not in str(reason):
            raise
        raise ParameterError(
            "{cluster}: no scheduler answers there ({}). Start one (dask scheduler), or take local:4.",
            str(reason),
            cluster=address,
        ) from None
    finally:
        if made is not address:
            made.close()


def _bad_address(address: str) -> ParameterError:
    return ParameterError(
        "{cluster} is no cluster. Give the address of a Dask scheduler, such as tcp://host:8786, or local:4 for four "
        "processes on this machine.",
        cluster=address,
    )


def run_tasks(
    client: Any,
    task: Callable[[Any, Any], Any],
    shared: Any,
    keys: Sequence[Any],
    is_late: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[Any, Any]]:
    """`task(shared, key)` for each key; the result is None where workers died of it. None is begun once `is_late`."""
    from distributed import KilledWorker, as_completed

    key_of: dict[Any, Any] = {}
    waiting = iter(keys)

    def begin(many: int) -> None:
        for key in islice(waiting, many):
            if is_late():
                return
            future = client.submit(task, held, key, pure=False)
            key_of[future] = key
            running.add(future)

    try:
        with name_lost_scheduler(client):
            held, running = _share(client, shared), as_completed()
            begin(AHEAD * max(1, sum(client.nthreads().values())))
            for future in running:
                try:
                    result = future.result()
                except KilledWorker:
                    result = None
                yield key_of.pop(future), result
                begin(1)
    finally:
        for future in key_of:
            future.release()


@contextmanager
def name_lost_scheduler(client: Any) -> Iterator[None]:
    """What Dask raises when its scheduler is gone, in words."""
    try:
        yield
    except Exception as reason:  # which one depends on what was under way
        if client.status == "running":
            raise
        raise RuntimeError(
            "The scheduler of the Dask cluster is gone. Start a cluster and begin again; a study with a folder goes on "
            "where it was."
        ) from reason


def _share(client: Any, shared: Any) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")  # once, and then from worker to worker
        return client.submit(_hold, shared, pure=False)


def _hold(shared: Any) -> Any:
    return shared
