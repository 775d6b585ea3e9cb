"""One model wherever the rows lie: in memory, read block by block, on a Dask cluster. Seconds of each fit, and whether
the model files are equal. (-P: Dask looks for a package of the name of a file in this folder.)

    python -P benchmarks/scale.py --rows 200000 --columns 28 --rounds 20 --workers 2
    python -P benchmarks/scale.py --peers --rows 5000000             LightGBM's and XGBoost's Dask estimators beside
    python -P benchmarks/scale.py --kills 10 --rows 20000 --workers 3     workers killed at random moments: same bits?

Of a fit on a cluster: the bytes that workers sent, beside the formula of docs/scale.md.
"""

import argparse
import os
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl

from hedgerow import HistGradientBoostingClassifier, TableStream, save

HELD_OUT = 200_000  # rows


def make_rows(n: int, d: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32)
    raw = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + rng.logistic(size=n)
    return pl.DataFrame({f"x{j}": X[:, j] for j in range(d)} | {"y": (raw > 0).astype(np.int64)})


def model_bytes(model, folder: Path) -> bytes:
    save(model, folder / "model.hedgerow")
    return (folder / "model.hedgerow").read_bytes()


def report(name: str, seconds: float, model, folder: Path, expected: bytes | None) -> bytes:
    found = model_bytes(model, folder)
    same = "" if expected is None else ("same bits" if found == expected else "OTHER BITS")
    print(f"{name:<24}{seconds:8.2f} s   {same}", flush=True)
    return found


@contextmanager
def cluster_of(workers: int, rows: pl.DataFrame):
    """A client and the rows as a collection, on the workers already."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, memory_limit=0, silence_logs=50
        ) as cluster,
        Client(cluster) as client,
    ):
        client.run(__import__, "hedgerow.dask")
        parts = client.persist(dd.from_pandas(rows.to_pandas(), npartitions=2 * workers, sort=False))
        wait(parts)
        yield client, parts


def wait(parts) -> None:
    from distributed import wait

    wait(parts)


def bytes_sent(client) -> int:
    sent = client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total)
    return sum(sent.values())


def fit_on_dask(frame: pl.DataFrame, settings: dict, workers: int, folder: Path, expected: bytes) -> None:
    from hedgerow.dask import HistGradientBoostingClassifier as OnDask

    with cluster_of(workers, frame) as (client, rows):
        before, started = bytes_sent(client), time.perf_counter()
        model = OnDask(**settings).fit(rows, "y")
        seconds = time.perf_counter() - started
        report(f"Dask, {workers} workers", seconds, model.to_local(), folder, expected)
        say_bytes(model, bytes_sent(client) - before, workers)


def say_bytes(model, found: int, workers: int) -> None:
    """A worker sends 8 bytes a code, column and leaf; with few workers all but the first to it, and it the sum."""
    cells, leaves = 8 * 256 * model.n_features_in_, int(np.sum(model.trees_.first_child < 0))
    print(
        f"  sent {found / 1e6:.0f} MB; {workers} workers x {cells:,} bytes x {leaves:,} leaves = "
        f"{workers * cells * leaves / 1e6:.0f} MB"
    )


def fit_peers(frame: pl.DataFrame, held: pl.DataFrame, rounds: int, workers: int) -> None:
    """The same cluster, the same rows, the same settings as far as each has them."""
    import lightgbm
    from xgboost import dask as xgboost

    from hedgerow.dask import HistGradientBoostingClassifier as OnDask

    same = {"n_estimators": rounds, "learning_rate": 0.1, "max_leaves": 31, "max_bin": 255}
    kinds = {
        "hedgerow": lambda: OnDask(max_iter=rounds, early_stopping=False, random_state=0),
        "LightGBM": lambda: lightgbm.DaskLGBMClassifier(**same, min_child_samples=20, verbose=-1),
        "XGBoost": lambda: xgboost.DaskXGBClassifier(
            **same, tree_method="hist", grow_policy="lossguide", max_depth=0
        ),
    }
    truth, X = held["y"].to_numpy(), held.drop("y").to_pandas()
    with cluster_of(workers, frame) as (_, rows):
        for name, make in kinds.items():
            started = time.perf_counter()
            model = make().fit(rows.drop(columns="y"), rows["y"])
            seconds = time.perf_counter() - started
            local = model.to_local() if hasattr(model, "to_local") else model
            proba = local.predict_proba(X) if name != "XGBoost" else _xgboost_proba(model, X)
            loss = -np.mean(np.log(np.where(truth == 1, proba[:, 1], proba[:, 0])))
            print(f"{name:<12}{seconds:8.2f} s   held-out log loss {loss:.5f}", flush=True)


def _xgboost_proba(model, X):
    second = model.get_booster().inplace_predict(X)
    return np.stack([1 - second, second], axis=1)


def kill_workers(
    frame: pl.DataFrame, settings: dict, workers: int, kills: int, folder: Path, expected: bytes
) -> None:
    """Each fit loses a worker at a moment drawn from how long an undisturbed one takes."""
    from threading import Timer

    from hedgerow.dask import HistGradientBoostingClassifier as OnDask

    rng = np.random.default_rng(0)
    with cluster_of(workers, frame) as (client, rows):
        started = time.perf_counter()
        OnDask(**settings).fit(rows, "y")
        whole = time.perf_counter() - started
    for k in range(kills):
        with cluster_of(workers, frame) as (client, rows):
            moment = rng.uniform(0, whole)
            worker = rng.choice(sorted(client.scheduler_info(n_workers=-1)["workers"]))
            timer = Timer(moment, client.run, (os._exit, 1), {"workers": [worker], "on_error": "ignore"})
            timer.start()
            model = OnDask(**settings).fit(rows, "y")
            timer.cancel()
            timer.join()
            same = model_bytes(model.to_local(), folder) == expected
            words = "same bits" if same else "OTHER BITS"
            print(f"kill {k + 1:2} after {moment:5.2f} of {whole:.2f} s   {words}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=28)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--workers", type=int, nargs="*", default=[2])
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--kills", type=int, default=0)
    given = parser.parse_args()
    settings = {"max_iter": given.rounds, "random_state": 0, "early_stopping": False, "n_jobs": 2}
    print(f"{given.rows:,} rows x {given.columns}, {given.rounds} rounds of 31 leaves")
    if given.peers:
        frame = make_rows(given.rows + HELD_OUT, given.columns)
        fit_peers(frame[HELD_OUT:], frame[:HELD_OUT], given.rounds, given.workers[0])
        return
    frame = make_rows(given.rows, given.columns)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame.write_parquet(folder / "rows.parquet")
        started = time.perf_counter()
        model = HistGradientBoostingClassifier(**settings).fit(frame.drop("y"), frame["y"])
        expected = report("in memory, 2 threads", time.perf_counter() - started, model, folder, None)
        if given.kills:
            kill_workers(frame, settings, given.workers[0], given.kills, folder, expected)
            return
        for what, memory in (("blocks, codes in memory", 10**12), ("blocks, codes in a file", 0)):
            started = time.perf_counter()
            stream = TableStream(folder / "rows.parquet", memory=memory, folder=folder)
            model = HistGradientBoostingClassifier(**settings).fit(stream, "y")
            report(what, time.perf_counter() - started, model, folder, expected)
        for workers in given.workers:
            fit_on_dask(frame, settings, workers, folder, expected)


if __name__ == "__main__":
    main()
