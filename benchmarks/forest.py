"""A forest of 100 trees to full depth (gini, square root of the columns in each node) against every peer at hand.

    python benchmarks/forest.py                                   everything
    python benchmarks/forest.py --workload forest_2 --peer hedgerow --peer "sklearnex bins"
    python benchmarks/forest.py --rows                            one row at a time, microseconds

"exact" peers look at every distinct value, as hedgerow does; "bins" peers at no more than 256 per column. Covertype
is read from ../shared/data, if it is there.
"""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from common import THREADS, Peer, Workload, bench_of, cells_of, print_table, tabular

TREES = 100
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
}
if COVERTYPE.exists():
    WORKLOADS["covertype"] = Workload("covertype, 531,012 x 54, 7 classes", covertype)


# Imports are inside the functions: a peer's process loads that peer and nothing else.
def fit_hedgerow(X: np.ndarray, y: np.ndarray) -> Any:
    from hedgerow import RandomForestClassifier

    return RandomForestClassifier(TREES, random_state=0, n_jobs=THREADS).fit(X, y)


def fit_hedgerow_extra(X: np.ndarray, y: np.ndarray) -> Any:
    from hedgerow import ExtraTreesClassifier

    return ExtraTreesClassifier(TREES, random_state=0, n_jobs=THREADS).fit(X, y)


def fit_scikit_learn(X: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(TREES, random_state=0, n_jobs=THREADS).fit(X, y)


def fit_scikit_learn_extra(X: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(TREES, random_state=0, n_jobs=THREADS).fit(X, y)


def fit_sklearnex(X: np.ndarray, y: np.ndarray) -> Any:
    from sklearnex.ensemble import RandomForestClassifier

    return RandomForestClassifier(TREES, random_state=0, n_jobs=THREADS).fit(X, y)


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


def leaves(model: Any) -> int:
    return sum(tree.n_leaves for tree in model.forest_.trees)


PEERS = {
    "hedgerow": Peer("hedgerow", "hedgerow", fit_hedgerow, shares, leaves),
    "snapml exact": Peer("snapml", "snapml", fit_snapml(bins=False), shares),
    "sklearnex bins": Peer("sklearnex", "scikit-learn-intelex", fit_sklearnex, shares),
    "snapml bins": Peer("snapml", "snapml", fit_snapml(bins=True), shares),
    "scikit-learn": Peer("sklearn", "scikit-learn", fit_scikit_learn, shares),
    "ydf exact": Peer("ydf", "ydf", fit_ydf, lambda m, X: m.predict(by_column(X))),
    "hedgerow extra": Peer("hedgerow", "hedgerow", fit_hedgerow_extra, shares, leaves),
    "scikit-learn extra": Peer("sklearn", "scikit-learn", fit_scikit_learn_extra, shares),
}


def one_row_at_a_time() -> None:
    """Through the public face, trees of depth 16."""
    from hedgerow import RandomForestClassifier

    data = WORKLOADS["forest_2"].load()
    model = RandomForestClassifier(TREES, max_depth=16, random_state=0).fit(data["Xtr"], data["ytr"])
    model.predict_proba(data["Xte"][:1])
    taken = []
    for i in range(5000):
        begin = time.perf_counter()
        model.predict_proba(data["Xte"][i : i + 1])
        taken.append(time.perf_counter() - begin)
    print(f"one row, 100 trees: median {1e6 * np.median(taken):.1f} us, least {1e6 * min(taken):.1f} us")


def main() -> None:
    if "--rows" in sys.argv:
        return one_row_at_a_time()
    bench = bench_of(__file__, WORKLOADS, PEERS)
    for name in bench.asked.workload or WORKLOADS:
        print(f"\n{name}: {WORKLOADS[name].note} float32, 100 trees, full depth, {THREADS} threads")
        print_table(cells_of(bench, name, bench.asked.peer or PEERS))
    return None


if __name__ == "__main__":
    main()
