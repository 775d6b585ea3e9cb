"""Small data: what a fit and a prediction cost beside scikit-learn's, for every estimator that has a counterpart there.

    python benchmarks/small.py                                     all, 100, 1,000 and 10,000 rows
    python benchmarks/small.py --only SVC --rows 100 1000          some
    python benchmarks/small.py --profile RandomForestClassifier    where the time of 100 rows goes

Ours and theirs take turns on the same rows (ten columns), one thread each, same parameters; the least of the times.
`x`: theirs divided by ours; below 1 scikit-learn is faster, and the last lines name these. `one row`: the prediction of
a single row. `score`: on 2,000 further rows, ours and theirs.
"""

import argparse
import cProfile
import importlib
import pstats
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from common import tabular

ROWS = (100, 1_000, 10_000)
TREES = {"n_estimators": 100, "n_jobs": 1, "random_state": 0}
# name: module of scikit-learn, its name there, parameters of both
PAIRS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "DecisionTreeClassifier": ("tree", "DecisionTreeClassifier", {"random_state": 0}),
    "DecisionTreeRegressor": ("tree", "DecisionTreeRegressor", {"random_state": 0}),
    "RandomForestClassifier": ("ensemble", "RandomForestClassifier", TREES),
    "RandomForestRegressor": ("ensemble", "RandomForestRegressor", TREES),
    "ExtraTreesClassifier": ("ensemble", "ExtraTreesClassifier", TREES),
    "ExtraTreesRegressor": ("ensemble", "ExtraTreesRegressor", TREES),
    "BaggingClassifier": ("ensemble", "BaggingClassifier", {"n_jobs": 1, "random_state": 0}),
    "BaggingRegressor": ("ensemble", "BaggingRegressor", {"n_jobs": 1, "random_state": 0}),
    "AdaBoostClassifier": ("ensemble", "AdaBoostClassifier", {"n_estimators": 50, "random_state": 0}),
    "AdaBoostRegressor": ("ensemble", "AdaBoostRegressor", {"n_estimators": 50, "random_state": 0}),
    "HistGradientBoostingClassifier": ("ensemble", "HistGradientBoostingClassifier", {"random_state": 0}),
    "HistGradientBoostingRegressor": ("ensemble", "HistGradientBoostingRegressor", {"random_state": 0}),
    "WeightedVotingClassifier": ("ensemble", "VotingClassifier", {}),
    "WeightedVotingRegressor": ("ensemble", "VotingRegressor", {}),
    "SVC": ("svm", "SVC", {}),
    "SVR": ("svm", "SVR", {}),
    "LinearSVC": ("svm", "LinearSVC", {"random_state": 0}),
    "LinearSVR": ("svm", "LinearSVR", {"random_state": 0}),
}


def make_pair(name: str) -> tuple[Any, Any]:
    import hedgerow

    module, theirs, given = PAIRS[name]
    kinds = getattr(hedgerow, name), getattr(importlib.import_module(f"sklearn.{module}"), theirs)
    if "Voting" not in name:
        return kinds[0](**given), kinds[1](**given)
    tree = "DecisionTree" + name.removeprefix("WeightedVoting")
    made = []
    for kind, trees in zip(kinds, (hedgerow, importlib.import_module("sklearn.tree")), strict=True):
        members = [(f"depth {k}", getattr(trees, tree)(max_depth=k, random_state=0)) for k in (2, 4, 8)]
        made.append(kind(members, weights=None))
    return made[0], made[1]


def load(name: str, rows: int) -> tuple[np.ndarray, ...]:
    data = tabular(10_000, 10, 2, seed=6, held_out=2_000)
    X, y, new, truth = data["Xtr"][:rows], data["ytr"][:rows], data["Xte"], data["yte"]
    if name.endswith(("Regressor", "SVR")):
        y, truth = (target + np.tanh(cells[:, 0]) for target, cells in ((y, X), (truth, new)))
    centre, spread = X.mean(0), X.std(0) + 1e-9  # machines of planes and kernels want columns of one size
    scaled = [np.ascontiguousarray((cells - centre) / spread, np.float64) for cells in (X, new)]
    return scaled[0], y, scaled[1], truth


def least(calls: tuple[Callable[[], Any], ...], budget: float) -> list[float]:
    """Seconds of each, in turns, until the budget is spent; each at least twice, if that is not too long."""
    found = [np.inf] * len(calls)
    began, turns = time.perf_counter(), 0
    while turns < 2 or time.perf_counter() - began < budget:
        for k, call in enumerate(calls):
            begin = time.perf_counter()
            call()
            found[k] = min(found[k], time.perf_counter() - begin)
        turns += 1
        if time.perf_counter() - began > 5 * budget:
            break
    return found


def measure(name: str, rows: int, budget: float) -> dict[str, list[float]]:
    X, y, new, truth = load(name, rows)
    both = make_pair(name)
    cells = {"fit": least(tuple(lambda m=m: m.fit(X, y) for m in both), budget)}
    cells["predict"] = least(tuple(lambda m=m: m.predict(X) for m in both), budget / 3)
    cells["one row"] = least(tuple(lambda m=m: m.predict(X[:1]) for m in both), budget / 10)
    cells["score"] = [m.score(new, truth) for m in both]
    return cells


def show(name: str, rows: int, cells: dict[str, list[float]]) -> list[str]:
    """Prints a line; gives the names of the cells where scikit-learn is faster."""
    parts, slower = [], []
    for kind in ("fit", "predict", "one row"):
        ours, theirs = cells[kind]
        parts.append(f"{1e6 * ours:>12,.0f}{1e6 * theirs:>12,.0f}{theirs / ours:>7.1f}")
        if theirs < ours:
            slower.append(f"{name}, {rows:,} rows, {kind}: {theirs / ours:.2f}")
    score = "".join(f"{value:>7.3f}" for value in cells["score"])
    print(f"{name:<32}{rows:>7,}{''.join(parts)}{score}", flush=True)
    return slower


def profile(name: str) -> None:
    X, y, _, _ = load(name, 100)
    model = make_pair(name)[0]
    model.fit(X, y).predict(X)
    for call in (lambda: model.fit(X, y), lambda: model.predict(X)):
        watch = cProfile.Profile()
        watch.enable()
        for _ in range(50):
            call()
        watch.disable()
        pstats.Stats(watch).sort_stats("tottime").print_stats(18)


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PAIRS, help="these estimators")
    parser.add_argument("--rows", nargs="+", type=int, default=ROWS)
    parser.add_argument("--budget", type=float, default=0.5, help="seconds for the fits of a line")
    parser.add_argument("--profile", choices=PAIRS, help="where the time of one goes, nothing else")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.profile:
        return profile(args.profile)
    head = "".join(f"{kind + ' us':>12}{'sklearn':>12}{'x':>7}" for kind in ("fit", "predict", "one row"))
    print(f"{'':<32}{'rows':>7}{head}{'score':>14}")
    slower = [
        line
        for name in args.only or PAIRS
        for rows in args.rows
        for line in show(name, rows, measure(name, rows, args.budget))
    ]
    print(
        "\nslower than scikit-learn:" if slower else "\nnothing is slower than scikit-learn",
        *slower,
        sep="\n  ",
    )
    return None


if __name__ == "__main__":
    main()
