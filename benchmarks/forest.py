"""A forest of 100 trees to full depth (gini, square root of the columns in each node) against every peer at hand; the
same to depth 16, extra trees, forests of weighted classes, forests of numbers.

    python benchmarks/forest.py                                   everything
    python benchmarks/forest.py --workload forest_2 --peer hedgerow --peer "sklearnex bins"
    python benchmarks/forest.py --rows                            one row at a time, microseconds, against the peers

"exact" peers look at every distinct value, as hedgerow does; "bins" peers at no more than 256 per column. Covertype
is read from ../shared/data, if it is there. Each table's ratios are to its own first line.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from common import THREADS, Peer, Workload, bench_of, cells_of, pixels, print_table, tabular

TREES = int(os.environ.get("BENCH_TREES", "100"))
COVERTYPE = Path(__file__).resolve().parents[2] / "shared" / "data" / "covertype.parquet"


def covertype() -> dict[str, np.ndarray]:
    import polars

    frame = polars.read_parquet(COVERTYPE)
    target = next(name for name in frame.columns if name.lower() in ("cover_type", "class", "target", "y"))
    y = np.unique(frame[target].to_numpy(), return_inverse=True)[1].astype(np.int32)
    X = frame.drop(target).to_numpy().astype(np.float32)
    out = np.random.default_rng(0).permutation(len(y)) < 50_000
    return {"Xtr": X[~out], "ytr": y[~out], "Xte": X[out], "yte": y[out]}


WORKLOADS = {
    "forest_2": Workload(
        "100,000 x 30, 2 classes", lambda: tabular(100_000, 30, 2, seed=3, held_out=100_000)
    ),
    "forest_7": Workload(
        "100,000 x 30, 7 classes", lambda: tabular(100_000, 30, 7, seed=4, held_out=100_000)
    ),
    "forest_pixels": Workload("60,000 x 784 pixels, 10 classes", lambda: pixels(60_000)),
    "forest_36k": Workload("36,000 x 8, 2 classes", lambda: tabular(36_000, 8, 2, seed=6)),
    "forest_r": Workload("100,000 x 30, numbers, all columns in each node", lambda: numbers(100_000, 30)),
    "forest_r11k": Workload("11,000 x 40, numbers, all columns in each node", lambda: numbers(11_000, 40)),
}
if COVERTYPE.exists():
    WORKLOADS["covertype"] = Workload("covertype, 531,012 x 54, 7 classes", covertype)


def numbers(rows: int, columns: int) -> dict[str, np.ndarray]:
    """The table of two classes; the target is a smooth mixture of its columns, and noise."""
    data = tabular(rows, columns, 2, seed=3, held_out=rows)
    noise = np.random.default_rng(5)

    def target(X: np.ndarray, y: np.ndarray) -> np.ndarray:
        return y + np.tanh(X[:, 0]) + X[:, 1] * np.tanh(X[:, 2]) + 0.5 * noise.normal(size=len(y))

    return data | {part: target(data["X" + part[1:]], data[part]) for part in ("ytr", "yte")}


# Imports are inside the functions: a peer's process loads that peer and nothing else.
def fit_hedgerow(kind: str = "RandomForestClassifier", **given: Any) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        import hedgerow

        return getattr(hedgerow, kind)(TREES, random_state=0, n_jobs=THREADS, **given).fit(X, y)

    return fit


def fit_scikit_learn(kind: str = "RandomForestClassifier", **given: Any) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from sklearn import ensemble

        return getattr(ensemble, kind)(TREES, random_state=0, n_jobs=THREADS, **given).fit(X, y)

    return fit


def fit_sklearnex(kind: str = "RandomForestClassifier", **given: Any) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from sklearnex import ensemble

        return getattr(ensemble, kind)(TREES, random_state=0, n_jobs=THREADS, **given).fit(X, y)

    return fit


def fit_snapml(bins: bool) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from snapml import RandomForestClassifier

        return RandomForestClassifier(
            TREES, max_features="sqrt", use_histograms=bins, n_jobs=THREADS, random_state=0
        ).fit(X, y)

    return fit


def fit_ydf(X: np.ndarray, y: np.ndarray) -> Any:
    import ydf

    ydf.verbose(0)
    learner = ydf.RandomForestLearner(
        label="y",
        num_trees=TREES,
        max_depth=-1,
        min_examples=1,
        winner_take_all=False,
        compute_oob_performances=False,
        num_threads=THREADS,
    )
    return learner.train(by_column(X) | {"y": y})


def by_column(X: np.ndarray) -> dict[str, np.ndarray]:
    return {f"f{i}": X[:, i] for i in range(X.shape[1])}


def shares(model: Any, X: np.ndarray) -> Any:
    return model.predict_proba(X)


def values(model: Any, X: np.ndarray) -> Any:
    return model.predict(X)


def leaves(model: Any) -> int:
    return sum(tree.n_leaves for tree in model.forest_.trees)


def ours(say: Any = shares, **given: Any) -> Peer:
    return Peer("hedgerow", "hedgerow", fit_hedgerow(**given), say, leaves)


def scikit_learn(say: Any = shares, **given: Any) -> Peer:
    return Peer("sklearn", "scikit-learn", fit_scikit_learn(**given), say)


def sklearnex(say: Any = shares, **given: Any) -> Peer:
    return Peer("sklearnex", "scikit-learn-intelex", fit_sklearnex(**given), say)


# Tables: the first peer of each is ours.
CLASSES = (
    {
        "hedgerow": ours(),
        "snapml exact": Peer("snapml", "snapml", fit_snapml(bins=False), shares),
        "sklearnex bins": sklearnex(),
        "snapml bins": Peer("snapml", "snapml", fit_snapml(bins=True), shares),
        "scikit-learn": scikit_learn(),
        "ydf exact": Peer("ydf", "ydf", fit_ydf, lambda m, X: m.predict(by_column(X))),
    },
    {
        "hedgerow extra": ours(kind="ExtraTreesClassifier"),
        "scikit-learn extra": scikit_learn(kind="ExtraTreesClassifier"),
    },
    {
        "hedgerow depth 16": ours(max_depth=16),
        "sklearnex depth 16": sklearnex(max_depth=16),
        "scikit-learn depth 16": scikit_learn(max_depth=16),
    },
    {
        "hedgerow weighted": ours(class_weight="balanced"),
        "scikit-learn weighted": scikit_learn(class_weight="balanced"),
    },
)
NUMBERS = (
    {
        "hedgerow numbers": ours(values, kind="RandomForestRegressor"),
        "sklearnex numbers": sklearnex(values, kind="RandomForestRegressor"),
        "scikit-learn numbers": scikit_learn(values, kind="RandomForestRegressor"),
    },
    {
        "hedgerow extra numbers": ours(values, kind="ExtraTreesRegressor"),
        "scikit-learn extra numbers": scikit_learn(values, kind="ExtraTreesRegressor"),
    },
)
PEERS = {name: peer for table in CLASSES + NUMBERS for name, peer in table.items()}
ROWS = ("hedgerow depth 16", "scikit-learn depth 16", "sklearnex depth 16")


def one_row_at_a_time(name: str) -> None:
    """Through the public face, with its checks; trees of depth 16, one thread."""
    peer, data = PEERS[name], WORKLOADS["forest_2"].load()
    model = peer.fit(data["Xtr"], data["ytr"])
    if hasattr(model, "n_jobs"):
        model.n_jobs = 1
    peer.shares(model, data["Xte"][:1])
    taken, began = [], time.perf_counter()
    for i in range(5000):
        begin = time.perf_counter()
        peer.shares(model, data["Xte"][i : i + 1])
        taken.append(time.perf_counter() - begin)
        if time.perf_counter() - began > 10:
            break
    print(
        f"{name:<24}{1e6 * np.median(taken):12,.1f} us median{1e6 * min(taken):12,.1f} us least", flush=True
    )


def main() -> None:
    if "--row-of" in sys.argv:
        return one_row_at_a_time(sys.argv[-1])
    if "--rows" in sys.argv:
        for name in ROWS:
            if PEERS[name].installed:
                subprocess.run([sys.executable, __file__, "--row-of", name], check=True)
        return None
    bench = bench_of(__file__, WORKLOADS, PEERS)
    for name in bench.args.workload or WORKLOADS:
        print(f"\n{name}: {WORKLOADS[name].note} float32, {TREES} trees, {THREADS} threads")
        for table in NUMBERS if name.startswith("forest_r") else CLASSES:
            peers = [peer for peer in table if peer in (bench.args.peer or PEERS)]
            if peers:
                print_table(cells_of(bench, name, peers), ours=next(iter(table)))
    return None


if __name__ == "__main__":
    main()
