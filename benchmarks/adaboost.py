"""AdaBoost: 200 stumps and 100 trees of depth six on 100,000 x 30, beside scikit-learn and 200 depth-one rounds of the
boosting libraries.

    python benchmarks/adaboost.py                                   everything at hand
    python benchmarks/adaboost.py --workload stumps --peer hedgerow --peer "xgboost"

hedgerow and scikit-learn are exact: every distinct value is a threshold. The others look at no more than 256 a column,
and do something else with them (gradient boosting of the logistic loss, depth one): they are here for their speed.
scikit-learn takes minutes; --limit ends it.
"""

from typing import Any

import numpy as np

from common import THREADS, Peer, Workload, bench_of, cells_of, print_table, tabular

STUMPS, TREES, DEPTH = 200, 100, 6
WORKLOADS = {
    "stumps": Workload(f"{STUMPS} stumps", lambda: tabular(100_000, 30, seed=3, held_out=50_000)),
    "trees": Workload(
        f"{TREES} trees of depth {DEPTH}", lambda: tabular(100_000, 30, seed=3, held_out=50_000)
    ),
}


# Imports are inside the functions: a peer's process loads that peer and nothing else.
def fit_hedgerow(**choices: Any) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from hedgerow import AdaBoostClassifier

        return AdaBoostClassifier(n_estimators=STUMPS, n_jobs=THREADS, **choices).fit(X, y)

    return fit


def fit_hedgerow_trees(predictions: str) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from hedgerow import AdaBoostClassifier
        from hedgerow.boost.weak.tree import Tree

        gives = "calibrated" if predictions == "confident" else "signs"
        return AdaBoostClassifier(Tree(gives, max_depth=DEPTH), n_estimators=TREES, n_jobs=THREADS).fit(X, y)

    return fit


def fit_scikit_learn(depth: int, rounds: int) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from sklearn.ensemble import AdaBoostClassifier
        from sklearn.tree import DecisionTreeClassifier

        return AdaBoostClassifier(
            DecisionTreeClassifier(max_depth=depth), n_estimators=rounds, random_state=0
        ).fit(X, y)

    return fit


def fit_hgb(X: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=STUMPS, max_leaf_nodes=2, learning_rate=0.5, early_stopping=False
    ).fit(X, y)


def fit_xgboost(X: np.ndarray, y: np.ndarray) -> Any:
    import xgboost

    return xgboost.XGBClassifier(
        n_estimators=STUMPS, max_depth=1, learning_rate=0.5, tree_method="hist", n_jobs=THREADS
    ).fit(X, y)


def fit_lightgbm(X: np.ndarray, y: np.ndarray) -> Any:
    import lightgbm

    settings = {
        "objective": "binary",
        "num_leaves": 2,
        "learning_rate": 0.5,
        "num_threads": THREADS,
        "verbose": -1,
    }
    return lightgbm.train(settings, lightgbm.Dataset(X, y), STUMPS)


def fit_snapml(X: np.ndarray, y: np.ndarray) -> Any:
    from snapml import BoostingMachineClassifier

    return BoostingMachineClassifier(num_round=STUMPS, max_depth=1, learning_rate=0.5, n_jobs=THREADS).fit(
        X, y
    )


def shares(model: Any, X: np.ndarray) -> Any:
    return model.predict_proba(X)


PEERS = {
    "stumps": {
        "hedgerow": Peer("hedgerow", "hedgerow", fit_hedgerow(), shares),
        "hedgerow confident": Peer("hedgerow", "hedgerow", fit_hedgerow(predictions="confident"), shares),
        "xgboost": Peer("xgboost", "xgboost", fit_xgboost, shares),
        "HGB": Peer("sklearn", "scikit-learn", fit_hgb, shares),
        "lightgbm": Peer("lightgbm", "lightgbm", fit_lightgbm, lambda m, X: m.predict(X)),
        "snapml": Peer("snapml", "snapml", fit_snapml, shares),
        "scikit-learn": Peer("sklearn", "scikit-learn", fit_scikit_learn(1, STUMPS), shares),
    },
    "trees": {
        "hedgerow": Peer("hedgerow", "hedgerow", fit_hedgerow_trees("discrete"), shares),
        "hedgerow confident": Peer("hedgerow", "hedgerow", fit_hedgerow_trees("confident"), shares),
        "scikit-learn": Peer("sklearn", "scikit-learn", fit_scikit_learn(DEPTH, TREES), shares),
    },
}


def main() -> None:
    every = PEERS["stumps"] | {f"{name} trees": peer for name, peer in PEERS["trees"].items()}
    bench = bench_of(__file__, WORKLOADS, every)
    for name in bench.args.workload or WORKLOADS:
        print(f"\n{name}: {WORKLOADS[name].note}, 100,000 x 30 float32, 2 classes, {THREADS} threads")
        mine = PEERS["stumps"] if name == "stumps" else {f"{peer} trees": None for peer in PEERS["trees"]}
        args = [peer for peer in bench.args.peer or mine if peer in mine]
        print_table(cells_of(bench, name, args), ours="hedgerow" if name == "stumps" else "hedgerow trees")


if __name__ == "__main__":
    main()
