"""One CART tree to full depth (gini, one row per leaf allowed) against every peer at hand.

    python benchmarks/tree.py                                   everything
    python benchmarks/tree.py --workload tree_1k --peer hedgerow --peer scikit-learn

"exact" peers look at every distinct value, as hedgerow does; "bins" peers at no more than 256 per column.
"""

from typing import Any

import numpy as np

from common import THREADS, Peer, Workload, bench_of, cells_of, pixels, print_table, tabular

WORKLOADS = {
    "tree_1k": Workload("1,000 x 20", lambda: tabular(1_000, 20, seed=3, held_out=10_000)),
    "tree_200k": Workload("200,000 x 20", lambda: tabular(200_000, 20, seed=1, held_out=50_000)),
    "tree_500k": Workload("500,000 x 20", lambda: tabular(500_000, 20, seed=9, held_out=20_000)),
    "tree_pixels": Workload("60,000 x 784 pixels, 10 classes", lambda: pixels(60_000)),
    "tree_1m": Workload("1,000,000 x 20", lambda: tabular(1_000_000, 20, seed=2, held_out=100_000)),
}


# Imports are inside the functions: a peer's process loads that peer and nothing else.
def fit_hedgerow(X: np.ndarray, y: np.ndarray) -> Any:
    from hedgerow import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=0, n_jobs=THREADS).fit(X, y)


def fit_scikit_learn(X: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=0).fit(X, y)


def fit_snapml(bins: bool) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from snapml import DecisionTreeClassifier

        return DecisionTreeClassifier(use_histograms=bins, n_jobs=THREADS, random_state=0).fit(X, y)

    return fit


def fit_sklearnex(exact: bool) -> Any:
    """A forest of one tree that sees all rows and columns; as many bins as rows make it exact."""

    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from sklearnex.ensemble import RandomForestClassifier

        bins = len(y) if exact else 256
        forest = RandomForestClassifier(
            1, bootstrap=False, max_features=None, max_bins=bins, n_jobs=THREADS, random_state=0
        )
        return forest.fit(X, y)

    return fit


def fit_ydf(X: np.ndarray, y: np.ndarray) -> Any:
    import ydf

    ydf.verbose(0)
    learner = ydf.CartLearner(
        label="y", max_depth=-1, min_examples=1, validation_ratio=0.0, num_threads=THREADS
    )
    return learner.train(by_column(X) | {"y": y})


def fit_lightgbm(X: np.ndarray, y: np.ndarray) -> Any:
    import lightgbm

    # It sets memory aside for every leaf allowed, used or not: 10 GB here without the two caps.
    limits = {"num_leaves": min(131_072, len(y)), "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0}
    settings = {"objective": "binary", "learning_rate": 1.0, "max_bin": 255}
    quiet = {"num_threads": THREADS, "verbose": -1, "histogram_pool_size": 1024}
    return lightgbm.train(limits | settings | quiet, lightgbm.Dataset(X, y), 1)


def by_column(X: np.ndarray) -> dict[str, np.ndarray]:
    return {f"f{i}": X[:, i] for i in range(X.shape[1])}


def shares(model: Any, X: np.ndarray) -> Any:
    return model.predict_proba(X)


def leaves(model: Any) -> int:
    return int(model.get_n_leaves())


PEERS = {
    "hedgerow": Peer("hedgerow", "hedgerow", fit_hedgerow, shares, leaves),
    "scikit-learn": Peer("sklearn", "scikit-learn", fit_scikit_learn, shares, leaves),
    "snapml exact": Peer("snapml", "snapml", fit_snapml(bins=False), shares),
    "snapml bins": Peer("snapml", "snapml", fit_snapml(bins=True), shares),
    "sklearnex exact": Peer("sklearnex", "scikit-learn-intelex", fit_sklearnex(exact=True), shares),
    "sklearnex bins": Peer("sklearnex", "scikit-learn-intelex", fit_sklearnex(exact=False), shares),
    "ydf exact": Peer(
        "ydf", "ydf", fit_ydf, lambda m, X: m.predict(by_column(X)), lambda m: (m.num_nodes() + 1) // 2
    ),
    "lightgbm bins": Peer("lightgbm", "lightgbm", fit_lightgbm, lambda m, X: m.predict(X)),
}


def main() -> None:
    bench = bench_of(__file__, WORKLOADS, PEERS)
    for name in bench.args.workload or WORKLOADS:
        print(f"\n{name}: {WORKLOADS[name].note} float32, full depth, {THREADS} threads")
        print_table(cells_of(bench, name, bench.args.peer or PEERS))


if __name__ == "__main__":
    main()
