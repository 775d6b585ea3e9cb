"""Linear machines against every peer at hand: seconds, the objective that was reached, held-out accuracy.

    python benchmarks/linear.py                              everything
    python benchmarks/linear.py --workload sparse --peer "hedgerow hinge"

Each peer runs in a process of its own. Objectives are of the loss the peer minimises, 1/2 |w|^2 + C sum of it; peers
that penalise the intercept or stop early reach a little more. `/ ours` compares with hedgerow on the same loss. `cpu`
is processor time, which a busy machine disturbs less.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from common import CACHE, THREADS, cell_said_by, tabular
from machine_tables import pictures

Data = dict[str, Any]


def dense() -> Data:
    data = tabular(200_000, 100, 2, seed=8, held_out=50_000)
    mean, spread = data["Xtr"].mean(0), data["Xtr"].std(0) + 1e-9
    for part in ("Xtr", "Xte"):
        data[part] = np.ascontiguousarray((data[part] - mean) / spread, np.float64)
    return data | {"C": 0.1}


def sparse() -> Data:
    """Text-like: 62,500 rows of about 75 words out of 200,000, few of them frequent; unit rows."""
    from scipy.sparse import csr_matrix, diags, load_npz, save_npz

    path, rows, words, length = CACHE / "linear_sparse.npz", 62_500, 200_000, 100
    rng = np.random.default_rng(9)
    if not path.exists():
        rank = (40 * rng.pareto(0.9, size=(rows, length))).astype(np.int64)
        word = np.where(rank < words, rank, rng.integers(0, words, size=(rows, length)))
        value = rng.gamma(2.0, 0.5, size=(rows, length)) * np.log1p(word)
        X = csr_matrix((value.ravel(), word.ravel(), np.arange(rows + 1) * length), shape=(rows, words))
        X.sum_duplicates()
        X = csr_matrix(diags(1 / np.sqrt(X.multiply(X).sum(1).A1)) @ X)
        CACHE.mkdir(exist_ok=True)
        save_npz(path, X)
    X = load_npz(path)
    rng = np.random.default_rng(10)
    score = X @ (rng.normal(size=words) * (rng.random(words) < 0.3))
    y = (score + 0.5 * score.std() * rng.normal(size=rows) > np.median(score)).astype(np.int32)
    return {"Xtr": X[:50_000], "ytr": y[:50_000], "Xte": X[50_000:], "yte": y[50_000:], "C": 1.0}


WORKLOADS: dict[str, tuple[str, Callable[[], Data]]] = {
    "dense": ("200,000 x 100 dense, standardised, C=0.1", dense),
    "sparse": ("50,000 x 200,000 sparse, unit rows, C=1", sparse),
    "pictures": ("20,000 x 784 dense, ten classes, C=1", lambda: pictures(20_000) | {"C": 1.0}),
}


@dataclass(frozen=True)
class Peer:
    module: str
    package: str
    loss: str
    make: Callable[[float], Any]
    note: str = ""
    float32: bool = False


# Imports are inside the functions: a peer's process loads that peer and nothing else.
def ours(**settings: Any) -> Callable[[float], Any]:
    def make(C: float) -> Any:
        from hedgerow import LinearSVC

        return LinearSVC(C=C, n_jobs=THREADS, random_state=0, **settings)

    return make


def scikit_learn(**settings: Any) -> Callable[[float], Any]:
    def make(C: float) -> Any:
        from sklearn.svm import LinearSVC

        return LinearSVC(C=C, random_state=0, **settings)

    return make


def snapml(C: float) -> Any:
    from snapml import SupportVectorMachine

    return SupportVectorMachine(regularizer=1.0 / C, n_jobs=THREADS, fit_intercept=True, random_state=0)


PEERS = {
    "hedgerow hinge": Peer("hedgerow", "hedgerow", "hinge", ours(loss="hinge")),
    "hedgerow squared": Peer("hedgerow", "hedgerow", "squared", ours()),
    "snapml hinge": Peer("snapml", "snapml", "hinge", snapml, "float32 rows", float32=True),
    "scikit-learn hinge": Peer("sklearn", "scikit-learn", "hinge", scikit_learn(loss="hinge", dual=True)),
    "scikit-learn primal": Peer("sklearn", "scikit-learn", "squared", scikit_learn(dual=False)),
    "scikit-learn dual": Peer("sklearn", "scikit-learn", "squared", scikit_learn(dual=True)),
}


def child(workload: str, name: str, repeats: int) -> None:
    peer, data = PEERS[name], WORKLOADS[workload][1]()
    X, y, C = data["Xtr"], data["ytr"], data["C"]
    if peer.float32:
        X, y = X.astype(np.float32), y.astype(np.float32)
    peer.make(C).fit(X[:300], y[:300])
    seconds, cpu = [], []
    for _ in range(repeats):
        begin, spent = time.perf_counter(), time.process_time()
        model = peer.make(C).fit(X, y)
        seconds.append(time.perf_counter() - begin)
        cpu.append(time.process_time() - spent)
    w, b = np.atleast_2d(model.coef_).astype(np.float64), np.ravel(model.intercept_).astype(np.float64)
    classes = np.unique(data["ytr"]) if len(w) > 1 else np.array([1])
    excess = np.maximum(0, 1 - np.where(data["ytr"][:, None] == classes, 1, -1) * (data["Xtr"] @ w.T + b))
    loss = float((excess**2 if peer.loss == "squared" else excess).sum())
    score = data["Xte"] @ w.T + b
    answer = classes[score.argmax(axis=1)] if len(w) > 1 else score[:, 0] > 0
    accuracy = float((answer == (data["yte"] if len(w) > 1 else data["yte"] == 1)).mean())
    cell = {
        "seconds": seconds,
        "cpu": cpu,
        "objective": 0.5 * float((w**2).sum()) + C * loss,
        "accuracy": accuracy,
    }
    print("@@" + json.dumps(cell))


def run(workload: str, name: str, repeats: int, limit: float) -> dict[str, Any] | str:
    if importlib.util.find_spec(PEERS[name].module) is None:
        return "not installed"
    command = [sys.executable, __file__, "--child", workload, name, "--repeats", str(repeats)]
    cell = cell_said_by(command, limit)
    return cell if "seconds" in cell else cell["status"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workload", action="append", choices=WORKLOADS)
    parser.add_argument("--peer", action="append", choices=PEERS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=240, help="seconds after which a peer is ended")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(*args.child, args.repeats)
        return
    for workload in args.workload or WORKLOADS:
        WORKLOADS[workload][1]()  # made and cached here, not in a timed child
        print(f"\n{workload}: {WORKLOADS[workload][0]}, {THREADS} threads")
        heads = f"{'fit min s':>11}{'/ ours':>8}{'cpu s':>9}{'/ ours':>8}{'objective':>13}{'accuracy':>10}"
        print(f"{'peer':<21}{'version':>10}" + heads)
        reference: dict[str, dict[str, Any]] = {}
        for name in args.peer or PEERS:
            peer, cell = PEERS[name], run(workload, name, args.repeats, args.limit)
            if isinstance(cell, str):
                print(f"{name:<21}  {cell}")
                continue
            if peer.module == "hedgerow":
                reference[peer.loss] = cell
            own = reference.get(peer.loss)
            ratios = [min(cell[k]) / min(own[k]) if own else float("nan") for k in ("seconds", "cpu")]
            version = importlib.metadata.version(peer.package)
            figures = f"{min(cell['seconds']):11.3f}{ratios[0]:8.2f}{min(cell['cpu']):9.3f}{ratios[1]:8.2f}"
            quality = f"{cell['objective']:13.3f}{cell['accuracy']:10.4f}  {peer.note}"
            print(f"{name:<21}{version:>10}{figures}{quality}", flush=True)


if __name__ == "__main__":
    main()
