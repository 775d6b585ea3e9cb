"""Steps on all shards.   In: a Dask client and the shards, one a worker.   Out: sums over all of them.

Up to MOST_ADDED workers are called directly (Client.run): a quarter of the time of a task, which passes through the
scheduler's books. With more of them a step is a task for each shard, and tasks that add up their answers. Neither waits
for another's message, so that two fits on one cluster take turns, and a client that goes away leaves nothing behind.

Where a worker does not answer, the step is sent as tasks: Dask makes a lost shard anew from its rows; it answers LOST,
and is sent the whole path.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Thread
from typing import Any

import numpy as np

from hedgerow.dask.shard import LOST, Plan, Shard, Way
from hedgerow.dask.wide import Units
from hedgerow.gradient.left_out import OwnPart
from hedgerow.gradient.search import Search
from hedgerow.gradient.trees import GrownTree
from hedgerow.types import Byte, Count, Float

MOST_ADDED = 8  # answers that one task adds up; and that the client does
PATIENCE = 1.0  # seconds, after which the scheduler is queried whether all workers are there
MOST_TRIES = 100  # of one step: each is after the loss of a worker


class Steps:
    """Steps on all shards of a fit. Each request includes the steps that lead to it, so that a shard that was
    recreated can catch up."""

    def __init__(self, client: Any, shards: list[Any], plan: Any) -> None:
        self.client, self.shards, self.plan = client, shards, plan
        self.held: list[Any] = []  # answers of the last step
        self.steps: list[tuple[Any, ...]] = []
        self.places: dict[str, list[str]] = {}  # the keys of a worker's shards; none: not known
        self.n_steps = 0  # in all

    def way(self, whole: bool) -> Any:
        """To the last step. `whole`: from the beginning of the fit, for a shard that was lost."""
        raise NotImplementedError

    def ask(self, task: Callable[..., Any], add: Callable[..., Any]) -> Any:
        self.n_steps += 1
        for k in range(MOST_TRIES):
            way = self.way(whole=k > 0)
            answers = self._ask_workers(task, way) or self._ask_by_tasks(task, add, way)
            found = add_answers(add, answers)
            if not isinstance(found, str):
                return found
        raise RuntimeError(
            f"Workers were lost {MOST_TRIES} times in one step. Is there memory enough for them?"
        )

    def _ask_workers(self, task: Callable[..., Any], way: Any) -> list[Any] | None:
        """None where one of them does not answer, or has no shard any more."""
        if len(self.shards) > MOST_ADDED:
            return None
        self.places = self.places or _find_places(self.client, self.shards)
        try:
            found = self._run_on_workers(answer_here, task, self.places, self.plan, way)
        except Exception:  # whatever it was, it comes again where the step is sent as tasks
            found = {}
        answers = [found.get(worker) for worker in self.places]
        if answers and all(isinstance(some, list) for some in answers):
            return [answer for some in answers for answer in some or ()]
        self.places = {}
        return None

    def _run_on_workers(self, *given: Any) -> dict[str, Any]:
        """On all that the scheduler knows. It takes long to find out that one does not answer: those that the
        scheduler has given up meanwhile are not waited for."""
        done: Future[dict[str, Any]] = Future()

        def call() -> None:
            try:
                done.set_result(self.client.run(*given, on_error="return"))
            except BaseException as reason:
                done.set_exception(reason)

        Thread(target=call, daemon=True).start()
        while True:
            try:
                return done.result(PATIENCE)
            except TimeoutError:
                if not set(self.places) <= set(self.client.scheduler_info(n_workers=-1)["workers"]):
                    return {}

    def _ask_by_tasks(self, task: Callable[..., Any], add: Callable[..., Any], way: Any) -> list[Any]:
        answers = self.client.map(task, self.shards, plan=self.plan, way=way, pure=False)  # one message
        self.held = answers  # the last ones are let go now: before, it would hold up the message
        while len(answers) > MOST_ADDED:
            groups = [answers[k : k + MOST_ADDED] for k in range(0, len(answers), MOST_ADDED)]
            answers = [self.client.submit(add_answers, add, group, pure=False) for group in groups]
        return list(self.client.gather(answers))


class Cluster(Steps):
    """Sums over the rows of all shards, as the grower asks for them."""

    def __init__(self, client: Any, shards: list[Any], plan: Plan) -> None:
        super().__init__(client, shards, plan)
        self.trees: list[tuple[GrownTree, Float, OwnPart | None]] = []
        self.n_numbers = 1  # of nodes

    def way(self, whole: bool) -> Way:
        first = 0 if whole else max(0, len(self.trees) - 1)
        return Way(first, tuple(self.trees[first:]), tuple(self.steps))

    def add_tree(self, grown: GrownTree, value: Float, part: OwnPart | None) -> None:
        self.trees.append((grown, value, part))
        self.steps, self.n_numbers = [], 1

    def step(self, *step: Any) -> Any:
        self.steps.append(step)
        return self.ask(run_shard, _ADD[step[0]])

    def score(self) -> Count:
        return np.asarray(self.ask(score_shard, _add_arrays))

    def root(self, units: Units, of_leaves: Units | None) -> tuple[int, int, Count]:
        total, n_rows, cells = self.step("root", units, of_leaves)
        return total, n_rows, cells

    def part(self, splits: list[tuple[int, int, Byte, int]]) -> list[tuple[int, Count]]:
        first = self.n_numbers
        self.n_numbers += 2 * len(splits)
        found: list[tuple[int, Count]] = self.step("part", splits, first)
        return found

    def count(self, nodes: list[int]) -> list[Count]:
        found: list[Count] = self.step("count", nodes)
        return found

    def sum_leaves(self, nodes: list[int]) -> tuple[Count, Count]:
        found = self.step("sum_leaves", nodes)
        return found[0], found[1]

    def search_leaves(self, nodes: list[int], search: Search) -> Float:
        """The number that the search finds in the rows of each node."""
        value = np.empty(len(nodes))
        open_: dict[int, Search] = dict.fromkeys(range(len(nodes)), search)
        while open_:
            found = self.step("search_leaves", [(nodes[k], own) for k, own in open_.items()])
            following = {
                k: own.follow(sums) for (k, own), (_, sums) in zip(open_.items(), found, strict=True)
            }
            open_ = {}
            for k, own in following.items():
                if isinstance(own, float):
                    value[k] = own
                else:
                    open_[k] = own
        return value


def run_shard(shard: Any, plan: Any, way: Any, threads: int | None = None) -> Any:
    return shard.run(plan, way, threads or own_threads())


def score_shard(shard: Shard, plan: Plan, way: Way, threads: int | None = None) -> Any:
    return shard.score(plan, way, threads or own_threads())


async def answer_here(
    task: Callable[..., Any], places: dict[str, list[str]], plan: Any, way: Any, dask_worker: Any
) -> list[Any] | None:
    """What the shards of this worker answer; in its pool of threads, as a task would. None: a shard is gone."""
    keys = places.get(dask_worker.address, [])
    if not all(key in dask_worker.data for key in keys):
        return None
    run, loop = partial(_answer_all, task, keys, plan, way, dask_worker), asyncio.get_running_loop()
    return await loop.run_in_executor(dask_worker.executors["default"], run)


def _answer_all(
    task: Callable[..., Any], keys: list[str], plan: Any, way: Any, dask_worker: Any
) -> list[Any]:
    threads = int(dask_worker.state.nthreads)
    return [task(dask_worker.data[key], plan, way, threads) for key in keys]


def _find_places(client: Any, shards: list[Any]) -> dict[str, list[str]]:
    """The keys of the shards on each worker; none, where a shard is still to be made."""
    where, found = client.who_has(shards), dict[str, list[str]]()
    for shard in shards:
        if not where.get(shard.key):
            return {}
        found.setdefault(min(where[shard.key]), []).append(shard.key)
    return found


def own_threads() -> int:
    from distributed import get_worker

    return int(get_worker().state.nthreads)


def add_answers(add: Callable[..., Any], answers: list[Any]) -> Any:
    if any(isinstance(answer, str) for answer in answers):
        return LOST
    total = answers[0]
    for answer in answers[1:]:
        total = add(total, answer)
    return total


def _add_extents(a: Any, b: Any) -> Any:
    (g, h, least, sound), squares, n, slope = a
    (g2, h2, least2, sound2), squares2, n2, slope2 = b
    extent = (max(g, g2), max(h, h2), min(least, least2), sound and sound2)
    return extent, squares + squares2, n + n2, None if slope is None else slope + slope2


def _add_pairs(a: Any, b: Any) -> Any:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _add_parts(a: Any, b: Any) -> Any:
    return [_add_pairs(x, y) for x, y in zip(a, b, strict=True)]


def _add_lists(a: Any, b: Any) -> Any:
    return [x + y for x, y in zip(a, b, strict=True)]


def _add_searches(a: Any, b: Any) -> Any:
    return [(search, search.add(x, y)) for (search, x), (_, y) in zip(a, b, strict=True)]


def _add_arrays(a: Any, b: Any) -> Any:
    return a + b


_ADD: dict[str, Callable[..., Any]] = {
    "extent": _add_extents,
    "coarse": _add_pairs,
    "root": _add_pairs,
    "part": _add_parts,
    "count": _add_lists,
    "sum_leaves": _add_arrays,
    "search_leaves": _add_searches,
}
