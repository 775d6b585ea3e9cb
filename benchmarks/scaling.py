"""How time and memory grow, for every estimator: rows, columns and classes double three times, the rest stays.

    python benchmarks/scaling.py                                                  all, up to 8,000 rows
    python benchmarks/scaling.py --only DecisionTreeClassifier --rows 1000000     one tree, 125,000 to a million rows

Each line is an estimator and what grows: CPU seconds of the four fits (least of up to three), peak memory of the
largest, the exponent of time (slope of log seconds against log size, over the upper three sizes) and of memory. A star:
the exponent is above what the pages promise (`MOST`). Small fits cost what a call costs, so that exponents there are
low; those of memory count from 2 MB on.
"""

import argparse
import json
import sys
import time
import warnings
from typing import Any

import numpy as np

from common import MB, cell_said_by, reset_peak, status_bytes, tabular

TREES = {"n_estimators": 20, "random_state": 0, "n_jobs": 1}
ESTIMATORS: dict[str, dict[str, Any]] = {
    "DecisionTreeClassifier": {"n_jobs": 1},
    "DecisionTreeRegressor": {"n_jobs": 1},
    "RandomForestClassifier": TREES,
    "RandomForestRegressor": TREES,
    "ExtraTreesClassifier": TREES,
    "ExtraTreesRegressor": TREES,
    "BaggingClassifier": {"n_jobs": 1, "random_state": 0},
    "BaggingRegressor": {"n_jobs": 1, "random_state": 0},
    "AdaBoostClassifier": {"n_estimators": 50, "random_state": 0},
    "AdaBoostRegressor": {"n_estimators": 20, "random_state": 0},
    "HistGradientBoostingClassifier": {"random_state": 0, "early_stopping": False},
    "HistGradientBoostingRegressor": {"random_state": 0, "early_stopping": False},
    "RuleListClassifier": {},
    "OptimalTreeClassifier": {"max_depth": 2},
    "OptimalTreeRegressor": {"max_depth": 2},
    "BoostedNeuronsClassifier": {"n_estimators": 5, "random_state": 0},
    "SVC": {},
    "SVR": {},
    "LinearSVC": {"random_state": 0},
    "LinearSVR": {"random_state": 0},
}
MOST = {"rows": 1.3, "columns": 1.3, "classes": 1.3}  # n log n is 1.1 over these sizes
KERNELS = {"rows": 2.2, "columns": 1.3, "classes": 1.3}  # docs/svm.md
CLASSES = (2, 4, 8, 16)


def sizes_of(axis: str, name: str, rows: int) -> list[tuple[int, int, int]]:
    """(rows, columns, classes) of the four steps."""
    if axis == "rows":
        return [(rows >> k, 10, 2) for k in (3, 2, 1, 0)]
    if axis == "columns":
        return [(rows // 4, 80 >> k, 2) for k in (3, 2, 1, 0)]
    return [] if name.endswith(("Regressor", "SVR")) else [(rows // 4, 10, k) for k in CLASSES]


def fit_once(name: str, size: tuple[int, int, int]) -> tuple[float, float]:
    """CPU seconds; bytes at the peak beyond what was there."""
    import hedgerow

    rows, columns, classes = size
    data = tabular(rows, columns, classes, seed=7, held_out=10)
    X, y = data["Xtr"].astype(np.float64), data["ytr"]
    X = (X - X.mean(0)) / (X.std(0) + 1e-9)
    if name.endswith(("Regressor", "SVR")):
        y = y + np.tanh(X[:, 0])
    model = getattr(hedgerow, name)(**ESTIMATORS[name])
    before = reset_peak() or 0.0
    seconds, began = [], time.perf_counter()
    while not seconds or (len(seconds) < 3 and time.perf_counter() - began < 2):
        begin = time.process_time()
        model.fit(X, y)
        seconds.append(time.process_time() - begin)
        if len(seconds) == 1:
            peak = max(status_bytes("VmHWM") - before, 0.0) if before else 0.0
    return min(seconds), peak


def measure(name: str, axis: str, rows: int) -> None:
    """In a process of its own: a line after each step."""
    warnings.simplefilter("ignore")
    steps = sizes_of(axis, name, rows)
    fit_once(name, (200, 10, 2))  # imports
    found = []
    for size in steps:
        found.append(fit_once(name, size))
        print("@@" + json.dumps({"found": found}), flush=True)


def slope(size: list[int], amount: list[float]) -> float:
    return float(np.polyfit(np.log(size), np.log(np.maximum(amount, 1e-9)), 1)[0])


def show(name: str, axis: str, rows: int, limit: float) -> None:
    steps = sizes_of(axis, name, rows)
    if not steps:
        return
    cell = cell_said_by([sys.executable, __file__, "--child", name, axis, str(rows)], limit)
    found = cell.get("found", [])
    place = ("rows", "columns", "classes").index(axis)
    size = [step[place] for step in steps][: len(found)]
    seconds, peak = [s for s, _ in found], [p for _, p in found]
    line = f"{name:<31}{axis:<8}" + "".join(f"{s:>9.3f}" for s in seconds) + " " * 9 * (4 - len(found))
    if len(found) > 2:
        power = slope(size[-3:], seconds[-3:])
        star = "*" if power > (KERNELS if name in ("SVC", "SVR") else MOST)[axis] else " "
        memory = f"{slope(size[-3:], peak[-3:]):>9.2f}" if min(peak[-3:]) > 2 * MB else f"{'-':>9}"
        line += f"{power:>8.2f}{star}{peak[-1] / MB:>9.1f}{memory}"
    print(line, cell["status"], flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=ESTIMATORS, help="these estimators")
    parser.add_argument("--axis", nargs="+", choices=MOST, default=list(MOST), help="what grows")
    parser.add_argument(
        "--rows", type=int, default=8_000, help="of the largest; columns and classes: a quarter"
    )
    parser.add_argument("--limit", type=float, default=120, help="seconds for one line")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        return measure(args.child[0], args.child[1], int(args.child[2]))
    head = "".join(f"{step:>9}" for step in ("s x1", "x2", "x4", "x8"))
    print(f"{'':<31}{'grows':<8}{head}{'exponent':>9}{'peak MB':>9}{'exponent':>9}")
    for name in args.only or ESTIMATORS:
        for axis in args.axis:
            show(name, axis, args.rows, args.limit)
    return None


if __name__ == "__main__":
    main()
