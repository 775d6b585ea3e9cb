"""50 boosted neurons against networks of one hidden layer of 50 units, and against a plane.

    python benchmarks/neurons.py
    python benchmarks/neurons.py --workload neurons_5k --peer hedgerow --peer "scikit-learn MLP"

Held-out accuracy beside the time: a network that is not trained to its end is fast, too.
"""

from typing import Any

import numpy as np

from common import THREADS, Peer, Workload, bench_of, cells_of, print_table, tabular

WORKLOADS = {
    "neurons_5k": Workload("5,000 x 20", lambda: tabular(5_000, 20, seed=4, held_out=20_000)),
    "neurons_100k": Workload("100,000 x 30", lambda: tabular(100_000, 30, seed=5, held_out=50_000)),
}


def fit_hedgerow(activation: str, fine_tune: int = 0) -> Any:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from hedgerow import BoostedNeuronsClassifier

        return BoostedNeuronsClassifier(
            n_estimators=50, activation=activation, fine_tune=fine_tune, random_state=0, n_jobs=THREADS
        ).fit(X, y)

    return fit


def standardised(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)


def fit_mlp(X: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.neural_network import MLPClassifier

    return standardised(MLPClassifier((50,), activation="tanh", random_state=0)).fit(X, y)


def fit_plane(X: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.linear_model import LogisticRegression

    return standardised(LogisticRegression()).fit(X, y)


def shares(model: Any, X: np.ndarray) -> Any:
    return model.predict_proba(X)


PEERS = {
    "hedgerow": Peer("hedgerow", "hedgerow", fit_hedgerow("tanh"), shares),
    "hedgerow soft": Peer("hedgerow", "hedgerow", fit_hedgerow("soft_threshold"), shares),
    "hedgerow tuned": Peer("hedgerow", "hedgerow", fit_hedgerow("tanh", 30), shares),
    "scikit-learn MLP": Peer("sklearn", "scikit-learn", fit_mlp, shares),
    "logistic": Peer("sklearn", "scikit-learn", fit_plane, shares),
}


def main() -> None:
    bench = bench_of(__file__, WORKLOADS, PEERS)
    for name in bench.args.workload or WORKLOADS:
        print(f"\n{name}: {WORKLOADS[name].note} float32, 2 classes, 50 units, {THREADS} threads")
        print_table(cells_of(bench, name, bench.args.peer or PEERS))


if __name__ == "__main__":
    main()
