"""Kernel machines: seconds to fit and rows a second to predict, beside the peers, at equal tolerance.

    python benchmarks/svm.py                          every workload and peer
    python benchmarks/svm.py --workload rbf_30k_C1    one
    python benchmarks/svm.py --scaling                our time and memory as rows double, with the exponent
    python benchmarks/svm.py --scaling 1000 2000      the same at these sizes

The column "leaves" counts support vectors. A peer that is ended by --limit took longer than that.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from common import (
    MB,
    THREADS,
    Data,
    Peer,
    Workload,
    bench_of,
    cells_of,
    print_table,
    reset_peak,
    status_bytes,
    tabular,
)
from machine_tables import pen_strokes, pictures, readings

TOL = 1e-3
DOUBLED = (2_500, 5_000, 10_000, 20_000, 40_000)


def scaled(rows: int, held_out: int = 10_000) -> Data:
    data = tabular(rows, 50, 2, seed=7, held_out=held_out)
    mean, spread = data["Xtr"].mean(axis=0), data["Xtr"].std(axis=0)
    spread = np.where(spread > 1e-6, spread, 1.0)
    return data | {name: ((data[name] - mean) / spread).astype(np.float64) for name in ("Xtr", "Xte")}


def digits() -> Data:
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    X, y = load_digits(return_X_y=True)
    parts = train_test_split(X / 16.0, y, test_size=0.3, random_state=0)
    return dict(zip(("Xtr", "Xte", "ytr", "yte"), parts, strict=True))


CASES: dict[str, dict[str, Any]] = {
    "rbf_10k_C1": {"rows": 10_000, "C": 1.0, "kernel": "rbf"},
    "rbf_10k_C10": {"rows": 10_000, "C": 10.0, "kernel": "rbf"},
    "rbf_30k_C1": {"rows": 30_000, "C": 1.0, "kernel": "rbf"},
    "rbf_30k_C10": {"rows": 30_000, "C": 10.0, "kernel": "rbf"},
    "poly3_10k": {"rows": 10_000, "C": 1.0, "kernel": "poly", "degree": 3, "coef0": 1.0},
    "tanh_10k": {"rows": 10_000, "C": 1.0, "kernel": "sigmoid", "coef0": -0.5, "shrink": 0.1},
    "poly3_30k": {"rows": 30_000, "C": 1.0, "kernel": "poly", "degree": 3, "coef0": 1.0},
    "tanh_30k": {"rows": 30_000, "C": 1.0, "kernel": "sigmoid", "coef0": -0.5, "shrink": 0.1},
    "digits_C1": {"table": digits, "C": 1.0, "kernel": "rbf"},
    "pen_strokes": {"table": pen_strokes, "C": 1.0, "kernel": "rbf"},
    "readings": {"table": readings, "C": 1.0, "kernel": "rbf"},
    "pictures_10k": {"table": partial(pictures, 10_000), "C": 5.0, "kernel": "rbf"},
}


def loader(case: dict[str, Any]) -> Callable[[], Data]:
    return case.get("table") or (lambda: scaled(case["rows"]))


def settings(case: dict[str, Any], X: np.ndarray) -> dict[str, Any]:
    gamma = case.get("shrink", 1.0) / (X.shape[1] * X.var())
    rest = {name: case[name] for name in ("C", "kernel", "degree", "coef0") if name in case}
    return rest | {"gamma": float(gamma), "tol": TOL}


def current() -> dict[str, Any]:
    """The case this process measures (a child), or the first: the fit of a peer is not told."""
    name = sys.argv[sys.argv.index("--child") + 1] if "--child" in sys.argv else "rbf_10k_C1"
    return CASES[name]


def fit_hedgerow(X: np.ndarray, y: np.ndarray) -> Any:
    from hedgerow import SVC

    return SVC(n_jobs=THREADS, **settings(current(), X)).fit(X, y)


def fit_scikit_learn(X: np.ndarray, y: np.ndarray) -> Any:
    from sklearn.svm import SVC

    return SVC(**settings(current(), X)).fit(X, y)


def fit_sklearnex(wide: bool) -> Callable[[np.ndarray, np.ndarray], Any]:
    def fit(X: np.ndarray, y: np.ndarray) -> Any:
        from sklearnex.svm import SVC

        X = X if wide else X.astype(np.float32)
        return SVC(**settings(current(), X)).fit(X, y)

    return fit


def shares(model: Any, X: np.ndarray) -> np.ndarray:
    """Class numbers as shares of one, so that the harness can score them."""
    answer = np.asarray(model.predict(X))
    return np.eye(int(max(answer.max() + 1, len(model.classes_))))[answer.astype(int)]


def supports(model: Any) -> int:
    return int(np.sum(model.n_support_))


PEERS = {
    "hedgerow": Peer("hedgerow", "hedgerow", fit_hedgerow, shares, supports),
    "sklearnex float64": Peer("sklearnex", "scikit-learn-intelex", fit_sklearnex(True), shares, supports),
    "sklearnex float32": Peer("sklearnex", "scikit-learn-intelex", fit_sklearnex(False), shares, supports),
    "scikit-learn": Peer("sklearn", "scikit-learn", fit_scikit_learn, shares, supports),
}
WORKLOADS = {name: Workload(str(case.get("rows", name)), loader(case)) for name, case in CASES.items()}


def scaling(sizes: Sequence[int]) -> None:
    """Seconds and extra memory as the rows grow; the exponent between neighbours."""
    from hedgerow import SVC

    print(
        f"{'rows':>8}{'seconds':>10}{'exponent':>10}{'peak MB':>10}{'exponent':>10}{'support':>9}{'kernel rows':>13}"
    )
    before: tuple[float, float] | None = None
    last = 0
    for rows in sizes:
        data = scaled(rows, 1_000)
        resident = reset_peak()
        begin = time.perf_counter()
        model = SVC(n_jobs=THREADS).fit(data["Xtr"], data["ytr"])
        seconds = time.perf_counter() - begin
        memory = (status_bytes("VmHWM") - resident) / MB if resident is not None else float("nan")
        steps = (
            ["-", "-"]
            if before is None
            else [
                f"{np.log(a / b) / np.log(rows / last):.2f}"
                for a, b in zip((seconds, memory), before, strict=True)
            ]
        )
        before, last = (seconds, memory), rows
        print(
            f"{rows:>8,}{seconds:>10.3f}{steps[0]:>10}{memory:>10.0f}{steps[1]:>10}{supports(model):>9,}"
            f"{model.certificate_.kernel_rows:>13,.0f}",
            flush=True,
        )


def main() -> None:
    if "--scaling" in sys.argv:
        return scaling([int(n) for n in sys.argv[sys.argv.index("--scaling") + 1 :]] or DOUBLED)
    bench = bench_of(__file__, WORKLOADS, PEERS)
    for name in bench.args.workload or WORKLOADS:
        case = CASES[name]
        print(
            f"\n{name}: {WORKLOADS[name].note}, {case['kernel']}, C={case['C']:g}, tol {TOL}, {THREADS} threads"
        )
        print_table(cells_of(bench, name, bench.args.peer or PEERS))
    return None


if __name__ == "__main__":
    main()
