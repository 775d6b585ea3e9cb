"""A client that runs each task at once, in this process: what a fit asks of Dask, without its seconds of starting.

`forgets`: before so many tasks a shard loses what it knew, as when Dask makes it anew after the loss of its worker, and
the worker does not answer.
"""

import asyncio
import pickle
from functools import partial
from types import SimpleNamespace


class Done:
    def __init__(self, value, key):
        self.value, self.key = value, key

    def result(self):
        return self.value


def _plain(given):
    if isinstance(given, Done):
        return given.value
    return [_plain(one) for one in given] if isinstance(given, list) else given


class InTurn:
    status = "running"

    def __init__(self, n_workers=2, forgets=(), memory_limit=10**10):
        self.n_workers, self.forgets, self.memory_limit = n_workers, set(forgets), memory_limit
        self.n_tasks, self.data = 0, {}

    def submit(self, task, *given, pure=True, workers=None, allow_other_workers=False):
        self.n_tasks += 1
        plain = [_plain(one) for one in given]
        if self.n_tasks in self.forgets and hasattr(plain[0], "state"):
            plain[0].state = None
        task = pickle.loads(pickle.dumps(task))
        sent = [one if hasattr(one, "state") else pickle.loads(pickle.dumps(one)) for one in plain]
        self.data[self.n_tasks] = task(*sent)
        return Done(self.data[self.n_tasks], self.n_tasks)

    def run(self, task, *given, on_error):
        workers = [f"tcp://{k}" for k in range(self.n_workers)]
        self.n_tasks += 1
        if self.n_tasks in self.forgets:
            return dict.fromkeys(workers, OSError("The worker is gone."))
        sent = pickle.loads(pickle.dumps(given))
        own = {"data": self.data, "state": SimpleNamespace(nthreads=1), "executors": {"default": None}}
        return {w: asyncio.run(task(*sent, dask_worker=SimpleNamespace(address=w, **own))) for w in workers}

    def map(self, task, shards, pure=True, **given):
        return [self.submit(partial(task, **given), shard) for shard in shards]

    def compute(self, delayed):
        return [Done(one.compute(scheduler="synchronous"), k) for k, one in enumerate(delayed)]

    def gather(self, futures):
        return [future.result() for future in futures]

    def who_has(self, futures):
        return {future.key: [f"tcp://{future.key % self.n_workers}"] for future in futures}

    def scheduler_info(self, n_workers=-1):
        return {"workers": {f"tcp://{k}": {"memory_limit": self.memory_limit} for k in range(self.n_workers)}}
