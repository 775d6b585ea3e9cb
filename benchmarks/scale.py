"""One model wherever the rows lie: in memory, read block by block, on a Dask cluster. Seconds of each fit, and whether
the model files are equal. (-P: Dask looks for a package of the name of a file in this folder.)

    python -P benchmarks/scale.py --rows 200000 --columns 28 --rounds 20 --workers 2
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from hedgerow import HistGradientBoostingClassifier, TableStream, save


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


def fit_on_dask(frame: pl.DataFrame, settings: dict, workers: int, folder: Path, expected: bytes) -> None:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from hedgerow.dask import HistGradientBoostingClassifier as OnDask

    rows = dd.from_pandas(frame.to_pandas(), npartitions=2 * workers, sort=False)
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        rows = client.persist(rows)
        client.run(__import__, "hedgerow.dask")
        started = time.perf_counter()
        model = OnDask(**settings).fit(rows, "y")
        report(f"Dask, {workers} workers", time.perf_counter() - started, model.to_local(), folder, expected)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=28)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--workers", type=int, nargs="*", default=[2])
    given = parser.parse_args()
    settings = {"max_iter": given.rounds, "random_state": 0, "early_stopping": False}
    frame = make_rows(given.rows, given.columns)
    print(f"{given.rows:,} rows x {given.columns}, {given.rounds} rounds of 31 leaves")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame.write_parquet(folder / "rows.parquet")
        started = time.perf_counter()
        model = HistGradientBoostingClassifier(**settings, n_jobs=2).fit(frame.drop("y"), frame["y"])
        expected = report("in memory, 2 threads", time.perf_counter() - started, model, folder, None)
        for what, memory in (("blocks, codes in memory", 10**12), ("blocks, codes in a file", 0)):
            started = time.perf_counter()
            stream = TableStream(folder / "rows.parquet", memory=memory, folder=folder)
            model = HistGradientBoostingClassifier(**settings, n_jobs=2).fit(stream, "y")
            report(what, time.perf_counter() - started, model, folder, expected)
        for workers in given.workers:
            fit_on_dask(frame, settings, workers, folder, expected)


if __name__ == "__main__":
    main()
