"""Data that does not fit: fits from a folder of Parquet files, each in a process of its own. Seconds, rows a second,
memory, the size of the code file; the exponent of seconds in rows; beside them the fit of some of the rows in memory.

    python benchmarks/out_of_core.py --rows 1000000 50000000 --columns 20 --rounds 5      gradient boosting
    python benchmarks/out_of_core.py --rows 1000000 10000000 --columns 28 --model forest --rounds 4
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import polars as pl

from hedgerow import HistGradientBoostingClassifier, RandomForestClassifier, TableStream, save

FILE_ROWS = 1_000_000


def write_rows(folder: Path, n: int, d: int) -> None:
    folder.mkdir()
    for k in range(-(-n // FILE_ROWS)):
        rng = np.random.default_rng(k)
        m = min(FILE_ROWS, n - k * FILE_ROWS)
        X = rng.standard_normal((d, m), np.float32)
        raw = X[0] + X[1] * X[2] + np.sin(3 * X[3]) + rng.logistic(size=m)
        columns = {f"x{j}": X[j] for j in range(d)} | {"y": (raw > 0).astype(np.int8)}
        pl.DataFrame(columns).write_parquet(folder / f"{k:04}.parquet", compression="uncompressed")


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


def make_model(kind: str, rounds: int):
    if kind == "forest":
        return RandomForestClassifier(rounds, min_samples_leaf=50, random_state=0, n_jobs=2)
    return HistGradientBoostingClassifier(max_iter=rounds, early_stopping=False, random_state=0, n_jobs=2)


def fit(given: argparse.Namespace) -> None:
    folder = Path(given.folder)
    watch = Watch(folder)
    model = make_model(given.model, given.rounds)
    if given.in_memory:
        frame = pl.read_parquet(folder / "rows")
        X, y = frame.drop("y"), frame["y"].to_numpy()
        if given.model == "forest":
            model.set_params(max_bins=255)
        watch.start()
        started, before = time.perf_counter(), os.times()
        model.fit(X, y)
        model = model.set_params(max_bins=None) if given.model == "forest" else model
    else:
        watch.start()
        started, before = time.perf_counter(), os.times()
        model.fit(TableStream(folder / "rows", memory=0, folder=folder, block_rows=given.block_rows), "y")
    seconds, after = time.perf_counter() - started, os.times()
    save(model, folder / "model.hedgerow")
    digest = hash((folder / "model.hedgerow").read_bytes())
    cpu = after.user + after.system - before.user - before.system
    print(
        json.dumps({"seconds": seconds, "cpu": cpu, "own": watch.own, "file": watch.file, "digest": digest})
    )


def run(given: argparse.Namespace, folder: Path, n: int, *more: str) -> dict:
    command = [sys.executable, __file__, "--child", "--folder", str(folder), "--rounds", str(given.rounds)]
    done = subprocess.run(
        [*command, "--model", given.model, *more],
        stdout=subprocess.PIPE,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    found = json.loads(done.stdout)
    name = " ".join(more).replace("--", "") or "stream"
    print(
        f"{n:>12,} rows  {name:<22}{found['seconds']:8.1f} s  {found['cpu']:8.1f} s of CPU  "
        f"{n / found['seconds'] / 1e3:8.0f} thousand rows/s  {found['own'] / 1e9:6.2f} GB of its own  "
        f"{found['file'] / 1e9:6.2f} GB of code file",
        flush=True,
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 400_000])
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--model", choices=("gradient_boosting", "forest"), default="gradient_boosting")
    parser.add_argument("--most-in-memory", type=int, default=5_000_000, help="rows")
    parser.add_argument("--block-rows", type=int, default=65_536)
    parser.add_argument(
        "--blocks", type=int, nargs="*", default=[], help="further sizes of blocks: same bits?"
    )
    parser.add_argument("--folder", default=None)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--in-memory", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        fit(given)
        return
    print(f"{given.model}, {given.columns} columns, {given.rounds} rounds or trees")
    seconds = {}
    for n in given.rows:
        with tempfile.TemporaryDirectory(dir=given.folder) as name:
            folder = Path(name)
            write_rows(folder / "rows", n, given.columns)
            found = run(given, folder, n)
            seconds[n] = found["seconds"]
            others = [run(given, folder, n, "--block-rows", str(rows)) for rows in given.blocks]
            if n <= given.most_in_memory:
                others.append(run(given, folder, n, "--in-memory"))
            if others:
                same = all(other["digest"] == found["digest"] for other in others)
                print("same bits" if same else "OTHER BITS", flush=True)
    if len(seconds) > 1:
        few, many = min(seconds), max(seconds)
        print(f"exponent {math.log(seconds[many] / seconds[few]) / math.log(many / few):.2f}")


if __name__ == "__main__":
    main()
