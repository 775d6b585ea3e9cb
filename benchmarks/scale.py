"""One model wherever the rows lie: in memory, read block by block, on a Dask cluster. (-P: Dask looks for a package of
the name of a file in this folder.)

    python -P benchmarks/scale.py same --rows 10000000 --rounds 2       are the model files equal? Blocks, workers
    python -P benchmarks/scale.py same --rows 1000000 --model forest --rounds 8
    python -P benchmarks/scale.py memory --rows 1000000 5000000 50000000 --columns 20 --rounds 3
                                     from a folder of Parquet files: seconds, memory, code file; the exponent
    python -P benchmarks/scale.py memory --model forest --rounds 4
    python -P benchmarks/scale.py peers --rows 5000000                  beside LightGBM's and XGBoost's Dask estimators
    python -P benchmarks/scale.py kills --rows 20000 --workers 3        workers killed at random moments
    python -P benchmarks/scale.py bytes --workers 1 2 4                 what moves, beside the formula of docs/scale.md
    python -P benchmarks/scale.py plan --rounds 100                     to 10^10 rows, simulated from what was measured
"""

import argparse
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl

from hedgerow import HistGradientBoostingClassifier, RandomForestClassifier, TableStream, save

FILE_ROWS = 1_000_000
HELD_OUT = 200_000  # rows
BLOCKS = (1_000, 65_536, 10**9)


# ------------------------------------------------------------------------------------------------- rows


def write_rows(folder: Path, n: int, d: int) -> None:
    folder.mkdir()
    for k in range(-(-n // FILE_ROWS)):
        make_rows(min(FILE_ROWS, n - k * FILE_ROWS), d, k).write_parquet(
            folder / f"{k:04}.parquet", compression="uncompressed"
        )


def make_rows(n: int, d: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((d, n), np.float32)
    raw = X[0] + X[1] * X[2] + np.sin(3 * X[3]) + rng.logistic(size=n)
    return pl.DataFrame({f"x{j}": X[j] for j in range(d)} | {"y": (raw > 0).astype(np.int8)})


def settings(given: argparse.Namespace) -> dict:
    return {"max_iter": given.rounds, "random_state": 0, "early_stopping": False, "n_jobs": 2}


def digest(model, folder: Path) -> str:
    save(model, folder / "model.hedgerow")
    return hashlib.sha256((folder / "model.hedgerow").read_bytes()).hexdigest()


# ------------------------------------------------------------------------------------------------- on a cluster


@contextmanager
def cluster_of(workers: int, memory_limit: int = 0):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            memory_limit=memory_limit,
            silence_logs=50,
        ) as cluster,
        Client(cluster) as client,
    ):
        client.run(__import__, "hedgerow.dask")
        yield client


def read_parts(folder: Path, order=None):
    """The rows as a collection, on the workers already."""
    import dask.dataframe as dd
    from distributed import wait

    parts = dd.read_parquet(str(folder))
    parts = (parts if order is None else parts.partitions[order]).persist()
    wait(parts)
    return parts


def fit_on_dask(given: argparse.Namespace, parts):
    """Forests by counts, as if no worker had room for all rows."""
    from hedgerow import dask

    dask.trees.fit.BYTES_PER_CELL = 10**12
    local = make_model(given)
    return getattr(dask, type(local).__name__)(**local.get_params()).fit(parts, "y")


# ------------------------------------------------------------------------------------------------- same bits


def same(given: argparse.Namespace, folder: Path) -> None:
    expected = None

    def report(name: str, fit) -> None:
        nonlocal expected
        started = time.perf_counter()
        found = digest(fit(), folder)
        expected = expected or found
        words = "same bits" if found == expected else "OTHER BITS"
        print(f"{name:<38}{time.perf_counter() - started:8.1f} s   {words}", flush=True)

    write_rows(folder / "rows", given.rows[0], given.columns)
    report("in memory", lambda: fit_in_memory(given, folder / "rows"))
    for rows in BLOCKS:
        stream = TableStream(folder / "rows", block_rows=rows, memory=0, folder=folder)
        name = f"out of core, blocks of {'all' if rows == BLOCKS[-1] else f'{rows:,}'} rows"
        report(name, lambda own=stream: make_model(given).fit(own, "y"))
    n_files = len(list((folder / "rows").iterdir()))
    for workers in given.workers:
        with cluster_of(workers, 0 if given.model == "gradient_boosting" else 10**10):
            order = np.random.default_rng(workers).permutation(n_files).tolist()
            parts = read_parts(folder / "rows", order)
            name = f"Dask, {workers} workers, shuffled partitions"
            report(name, lambda own=parts: fit_on_dask(given, own).to_local())


def fit_in_memory(given: argparse.Namespace, folder: Path):
    frame, model = pl.read_parquet(folder), make_model(given)
    if given.model == "forest":  # as a stream's
        model.set_params(max_bins=255).fit(frame.drop("y"), frame["y"])
        return model.set_params(max_bins=None)
    return model.fit(frame.drop("y"), frame["y"])


def bytes_moved(given: argparse.Namespace, folder: Path) -> None:
    """Of the rounds: the messages of all steps, as they are written for the network."""
    from distributed.protocol import dumps

    from hedgerow.dask.boosting.steps import BoostSteps

    write_rows(folder / "rows", given.rows[0], given.columns)
    plain, moved = BoostSteps._run_on_workers, {}

    def size(message) -> int:
        return sum(memoryview(frame).nbytes for frame in dumps(message))

    def run_and_count(self, *asked):
        found = plain(self, *asked)
        moved["up"] += sum(map(size, found.values()))
        moved["down"] += size(asked[1:]) * len(found)
        moved["trips"] += 1
        return found

    BoostSteps._run_on_workers = run_and_count
    for workers in given.workers:
        with cluster_of(workers):
            moved.update(up=0, down=0, trips=0)
            model = fit_on_dask(given, read_parts(folder / "rows"))
        n_leaves = int(np.sum(model.trees_.first_child < 0))
        formula = 8 * 256 * given.columns * n_leaves
        print(
            f"{workers} workers: a worker sent {moved['up'] / workers / 1e6:.2f} MB and received "
            f"{moved['down'] / workers / 1e6:.2f} MB in {moved['trips'] / given.rounds:.1f} round trips a tree; "
            f"8 x 256 x columns x leaves = {formula / 1e6:.2f} MB",
            flush=True,
        )
    BoostSteps._run_on_workers = plain


# ------------------------------------------------------------------------------------------------- the plan

# Measured by `bytes` (28 columns, 31 leaves) and on one core; the network is that of an ordinary cluster.
STEPS = 14  # round trips a tree
SENT_OF_FORMULA = 1.22  # by a worker, of 8 x 256 x columns x leaves
RECEIVED = 6_000  # bytes a step, by a worker
SECONDS_PER_CELL = 0.16 / (500_000 * 28)  # of a tree: histograms, parting
AT_THE_ROOT = 0.5  # share of that in the first step
DIRECT_TRIP = 0.005  # of up to MOST_ADDED workers
BANDWIDTH, LATENCY = 1.25e9, 0.0005  # bytes a second, seconds: 10 Gbit/s
STRAGGLING = 0.1  # standard deviation of the logarithm of a worker's time
WIDE_FROM = 2**30  # rows


def measure_task(n_tasks: int = 400) -> float:
    """Seconds of the scheduler for a task that does nothing."""
    with cluster_of(2) as client:
        client.gather(client.map(abs, range(n_tasks), pure=False))
        started = time.perf_counter()
        client.gather(client.map(abs, range(n_tasks), pure=False))
        return (time.perf_counter() - started) / n_tasks


class Scheduler:
    """One task after the other, in the order they get ready."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.free = seconds, 0.0

    def start(self, ready: np.ndarray) -> np.ndarray:
        out = np.empty(len(ready))
        for k in np.argsort(ready, kind="stable"):
            self.free = out[k] = max(self.free, ready[k]) + self.seconds
        return out


def simulate_step(workers: int, compute: float, sent: float, task: float, rng) -> float:
    """Seconds from the client's question to its answer."""
    from hedgerow.dask.steps import MOST_ADDED

    works = compute * rng.lognormal(0.0, STRAGGLING, workers)
    if workers <= MOST_ADDED:
        return DIRECT_TRIP + works.max() + workers * sent / BANDWIDTH
    scheduler = Scheduler(task)
    ready = scheduler.start(np.zeros(workers)) + LATENCY + RECEIVED / BANDWIDTH + works
    while len(ready) > MOST_ADDED:  # an answer stays where it was made until somebody adds it up
        groups = [ready[k : k + MOST_ADDED] for k in range(0, len(ready), MOST_ADDED)]
        begin = scheduler.start(np.array([own.max() for own in groups]))
        ready = begin + LATENCY + np.array([(len(own) - 1) * sent / BANDWIDTH for own in groups])
    return float(ready.max() + LATENCY + len(ready) * sent / BANDWIDTH)


def answers_left(workers: int) -> int:
    from hedgerow.dask.steps import MOST_ADDED

    while workers > MOST_ADDED:
        workers = -(-workers // MOST_ADDED)
    return workers


def plan(given: argparse.Namespace, folder: Path) -> None:
    """Gradient boosting of two classes, a core a worker: rounds of 31 leaves."""
    d, leaves = given.columns, 31
    rng, task = np.random.default_rng(0), measure_task()
    print(f"a task costs the scheduler {1e3 * task:.2f} ms (measured)")
    print(
        "| rows | workers | memory a worker | sent by one | received by the client | a tree | Dask | network |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for n in (10**8, 10**9, 10**10):
        for workers in (10, 100, 1_000):
            of_a_worker = n / workers
            width = 16 if n >= WIDE_FROM else 8
            sent = SENT_OF_FORMULA * width * 256 * d * leaves  # a tree
            compute = of_a_worker * d * SECONDS_PER_CELL
            shares = [AT_THE_ROOT, *[(1 - AT_THE_ROOT) / (STEPS - 1)] * (STEPS - 1)]
            repeats = [
                sum(simulate_step(workers, compute * share, sent / STEPS, task, rng) for share in shares)
                for _ in range(5)
            ]
            seconds = float(np.median(repeats))
            bare = sum(simulate_step(workers, 0.0, 0.0, task, rng) for _ in shares)
            moved = sum(simulate_step(workers, 0.0, sent / STEPS, task, rng) for _ in shares) - bare
            to_client = sent * answers_left(workers)
            print(
                f"| {n:.0e} | {workers:,} | {of_a_worker * (2 * d + 48) / 1e9:.1f} GB | "
                f"{sent * given.rounds / 1e9:.2f} GB | {to_client * given.rounds / 1e9:.1f} GB | "
                f"{seconds:.1f} s | {bare:.1f} s | {moved:.1f} s |",
                flush=True,
            )


# ------------------------------------------------------------------------------------------------- beside others


def peers(given: argparse.Namespace, folder: Path) -> None:
    """The same cluster, the same rows, the same settings as far as each has them."""
    import lightgbm
    from xgboost import dask as xgboost

    from hedgerow.dask import HistGradientBoostingClassifier as OnDask

    alike = {"n_estimators": given.rounds, "learning_rate": 0.1, "max_leaves": 31, "max_bin": 255}
    kinds = {
        "hedgerow": lambda: OnDask(**settings(given)),
        "LightGBM": lambda: lightgbm.DaskLGBMClassifier(**alike, min_child_samples=20, verbose=-1),
        "XGBoost": lambda: xgboost.DaskXGBClassifier(
            **alike, tree_method="hist", grow_policy="lossguide", max_depth=0
        ),
    }
    held = make_rows(HELD_OUT, given.columns, 10**6)
    truth, X = held["y"].to_numpy(), held.drop("y").to_pandas()
    for n in given.rows:
        where = folder / str(n)
        write_rows(where, n, given.columns)
        with cluster_of(given.workers[0]) as client:
            parts = read_parts(where).repartition(npartitions=2 * given.workers[0]).persist()
            client.wait_for_workers(given.workers[0])
            for name, make in kinds.items():
                started = time.perf_counter()
                model = make().fit(parts.drop(columns="y"), parts["y"])
                seconds = time.perf_counter() - started
                local = model.to_local() if hasattr(model, "to_local") else model
                proba = local.predict_proba(X) if name != "XGBoost" else _xgboost_proba(model, X)
                loss = -np.mean(np.log(np.where(truth == 1, proba[:, 1], proba[:, 0])))
                print(f"{n:>12,} rows  {name:<12}{seconds:8.2f} s   held-out log loss {loss:.5f}", flush=True)


def _xgboost_proba(model, X):
    second = model.get_booster().inplace_predict(X)
    return np.stack([1 - second, second], axis=1)


# ------------------------------------------------------------------------------------------------- faults


def kills(given: argparse.Namespace, folder: Path) -> None:
    """Each fit loses a worker at a moment drawn from how long an undisturbed one takes."""
    rng = np.random.default_rng(0)
    write_rows(folder / "rows", given.rows[0], given.columns)
    with cluster_of(given.workers[0]) as client:
        parts = read_parts(folder / "rows")
        started = time.perf_counter()
        expected = digest(fit_on_dask(given, parts).to_local(), folder)
        whole = time.perf_counter() - started
        for k in range(10):
            client.wait_for_workers(given.workers[0])
            moment = rng.uniform(0, whole)
            worker = rng.choice(sorted(client.scheduler_info(n_workers=-1)["workers"]))
            timer = threading.Timer(
                moment, client.run, (os._exit, 1), {"workers": [worker], "on_error": "ignore"}
            )
            timer.start()
            started = time.perf_counter()
            found = digest(fit_on_dask(given, parts).to_local(), folder)
            took = time.perf_counter() - started
            timer.join()
            words = "same bits" if found == expected else "OTHER BITS"
            print(f"kill {k + 1:2} after {moment:5.2f} of {whole:.2f} s: {took:5.2f} s   {words}", flush=True)


# ------------------------------------------------------------------------------------------------- memory


class Watch(threading.Thread):
    """The most memory that the process had of its own, and the largest code file."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder, self.own, self.file = folder, 0, 0

    def run(self) -> None:
        while True:
            lines = Path("/proc/self/status").read_text().splitlines()
            own = next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))
            self.own = max(self.own, own * 1024)
            sizes = [file.stat().st_size for file in self.folder.glob("hedgerow-*/*.bin") if file.exists()]
            self.file = max(self.file, sum(sizes))
            time.sleep(0.05)


def make_model(given: argparse.Namespace):
    if given.model == "forest":
        return RandomForestClassifier(given.rounds, min_samples_leaf=50, random_state=0, n_jobs=2)
    return HistGradientBoostingClassifier(**settings(given))


def fit_watched(given: argparse.Namespace, folder: Path) -> None:
    """In a process of its own; prints what it took."""
    watch, model = Watch(folder), make_model(given)
    if given.in_memory:
        frame = pl.read_parquet(folder / "rows")
        X, y = frame.drop("y"), frame["y"].to_numpy()
        model = model.set_params(max_bins=255) if given.model == "forest" else model
    watch.start()
    started, before = time.perf_counter(), os.times()
    if given.in_memory:
        model.fit(X, y)
        model = model.set_params(max_bins=None) if given.model == "forest" else model
    else:
        model.fit(TableStream(folder / "rows", memory=0, folder=folder), "y")
    seconds, after = time.perf_counter() - started, os.times()
    cpu = after.user + after.system - before.user - before.system
    found = {"seconds": seconds, "cpu": cpu, "own": watch.own, "file": watch.file}
    print(json.dumps(found | {"digest": digest(model, folder)}))


def memory(given: argparse.Namespace, folder: Path) -> None:
    cpu = {}
    for n in given.rows:
        with tempfile.TemporaryDirectory(dir=folder) as name:
            write_rows(Path(name) / "rows", n, given.columns)
            found = run_watched(given, Path(name), n, [])
            cpu[n] = found["cpu"]
            if n <= given.most_in_memory:
                other = run_watched(given, Path(name), n, ["--in-memory"])
                print("same bits" if other["digest"] == found["digest"] else "OTHER BITS", flush=True)
    if len(cpu) > 1:
        few, many = min(cpu), max(cpu)
        print(f"exponent of CPU seconds {math.log(cpu[many] / cpu[few]) / math.log(many / few):.2f}")


def run_watched(given: argparse.Namespace, folder: Path, n: int, more: list[str]) -> dict:
    command = [sys.executable, "-P", __file__, "memory", "--child", "--folder", str(folder), *more]
    command += ["--rounds", str(given.rounds), "--model", given.model]
    found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    print(
        f"{n:>12,} rows  {'in memory' if more else 'out of core':<12}{found['seconds']:8.1f} s  "
        f"{found['cpu']:8.1f} s of CPU  {n / found['seconds'] / 1e3:8.0f} thousand rows/s  "
        f"{found['own'] / 1e9:6.2f} GB of its own  {found['file'] / 1e9:6.2f} GB of code file",
        flush=True,
    )
    return found


KINDS = {"plan": plan, "same": same, "memory": memory, "peers": peers, "kills": kills, "bytes": bytes_moved}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=KINDS)
    parser.add_argument("--rows", type=int, nargs="+", default=[200_000])
    parser.add_argument("--columns", type=int, default=28)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--workers", type=int, nargs="*")
    parser.add_argument("--model", choices=("gradient_boosting", "forest"), default="gradient_boosting")
    parser.add_argument("--most-in-memory", type=int, default=5_000_000, help="rows")
    parser.add_argument("--folder", default=None)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--in-memory", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.workers = given.workers or ([1, 2, 3, 4] if given.what == "same" else [2])
    if given.child:
        fit_watched(given, Path(given.folder))
        return
    print(f"{given.what}: {given.columns} columns, {given.rounds} rounds of 31 leaves (or trees)", flush=True)
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        KINDS[given.what](given, Path(name))


if __name__ == "__main__":
    main()
