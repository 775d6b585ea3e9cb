"""The path over C and gamma: beside our own separate fits, and beside scikit-learn's GridSearchCV, on the same grid and
folds.

    python benchmarks/svm_path.py                     every workload
    python benchmarks/svm_path.py --workload costs    one

Each way runs in a process of its own. All three fit every point on each fold; the first two also on all rows. `error`
is the smallest cross-validated error: the same answer, or nearly.
"""

import argparse
import json
import os
import sys
import time
import warnings
from typing import Any

import numpy as np

from common import THREADS, cell_said_by
from svm import digits, scaled

FOLDS = 5
Grid = dict[str, Any]


def costs() -> Grid:
    data = scaled(2_000)
    return {"X": data["Xtr"], "y": data["ytr"], "C": np.logspace(-1, 2, 7), "gamma": [0.02]}


def both() -> Grid:
    return costs() | {"C": np.logspace(-1, 2, 4), "gamma": [0.005, 0.01, 0.02, 0.04]}


def large() -> Grid:
    data = scaled(5_000)
    return {"X": data["Xtr"], "y": data["ytr"], "C": np.logspace(-1, 1, 5), "gamma": [0.01, 0.02]}


def classes() -> Grid:
    data = digits()
    return {"X": data["Xtr"], "y": data["ytr"], "C": np.logspace(-1, 2, 4), "gamma": [0.02, 0.05, 0.1]}


WORKLOADS = {
    "costs": ("2,000 x 50, seven C", costs),
    "both": ("2,000 x 50, four C, four gamma", both),
    "large": ("5,000 x 50, five C, two gamma", large),
    "classes": ("digits, four C, three gamma", classes),
}
WAYS = ("svm_path", "our separate fits", "GridSearchCV")


def dealt(grid: Grid) -> Any:
    from hedgerow.svm.folds import assign_folds

    return assign_folds(np.unique(grid["y"], return_inverse=True)[1].astype(np.int32), FOLDS)


def by_path(grid: Grid) -> float:
    from hedgerow import SVC, svm_path

    model = SVC(n_jobs=THREADS)
    path = svm_path(model, grid["X"], grid["y"], C=grid["C"], gamma=grid["gamma"], cv=FOLDS)
    return min(point.error for point in path.points)


def by_fits(grid: Grid) -> float:
    from hedgerow import SVC

    X, y, fold = grid["X"], grid["y"], dealt(grid)
    errors = []
    for gamma in grid["gamma"]:
        for C in grid["C"]:
            model = SVC(C=C, gamma=gamma, n_jobs=THREADS)
            model.fit(X, y)
            held = [fold == k for k in range(FOLDS)]
            errors.append(np.mean([1 - model.fit(X[~h], y[~h]).score(X[h], y[h]) for h in held]))
    return float(min(errors))


def by_search(grid: Grid) -> float:
    from sklearn.model_selection import GridSearchCV, PredefinedSplit
    from sklearn.svm import SVC

    search = GridSearchCV(
        SVC(),
        {"C": grid["C"], "gamma": grid["gamma"]},
        cv=PredefinedSplit(dealt(grid)),
        n_jobs=THREADS,
        refit=False,
    )
    return float(1 - search.fit(grid["X"], grid["y"]).best_score_)


def child(workload: str, way: str, repeats: int) -> None:
    grid = WORKLOADS[workload][1]()
    run = dict(zip(WAYS, (by_path, by_fits, by_search), strict=True))[way]
    warnings.simplefilter("ignore")
    seconds, cpu = [], []
    for _ in range(repeats):
        before, spent = time.perf_counter(), os.times()
        error = run(grid)
        seconds.append(time.perf_counter() - before)
        now = os.times()
        cpu.append(sum(now[:4]) - sum(spent[:4]))
    print("@@" + json.dumps({"seconds": min(seconds), "cpu": min(cpu), "error": error}))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workload", action="append", choices=WORKLOADS)
    parser.add_argument("--way", action="append", choices=WAYS)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--limit", type=float, default=240)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        return child(*args.child, args.repeats)
    for workload in args.workload or WORKLOADS:
        print(f"\n{workload}: {WORKLOADS[workload][0]}, {FOLDS} folds, {THREADS} threads")
        print(f"{'':<20}{'seconds':>9}{'/ path':>8}{'cpu s':>9}{'/ path':>8}{'error':>9}")
        path: dict[str, float] = {}
        for way in args.way or WAYS:
            command = [sys.executable, __file__, "--child", workload, way, "--repeats", str(args.repeats)]
            cell = cell_said_by(command, args.limit)
            if "seconds" not in cell:
                print(f"{way:<20}{cell['status']}")
                continue
            path = cell if way == "svm_path" else path
            times = [cell[k] / path[k] if path else float("nan") for k in ("seconds", "cpu")]
            print(
                f"{way:<20}{cell['seconds']:9.3f}{times[0]:8.2f}{cell['cpu']:9.3f}{times[1]:8.2f}{cell['error']:9.4f}",
                flush=True,
            )
    return None


if __name__ == "__main__":
    main()
