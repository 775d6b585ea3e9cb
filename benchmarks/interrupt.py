"""Ctrl-C: how long a machine goes on after it.

    python benchmarks/interrupt.py                     every case, five times
    python benchmarks/interrupt.py --case rbf --times 20

SIGINT is sent to a process of its own at a random moment of its fits (or grids). Printed: the median and the worst
delay until it has stopped, in seconds. Half a second is promised where the processor is not shared.
"""

import argparse
import signal
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

CASES = {
    "rbf": "SVC(C=10).fit(X, y)",
    "rbf, C=1e6": "SVC(C=1e6, gamma=0.1).fit(X, y)",
    "poly": "SVC(kernel='poly', coef0=1).fit(X, y)",
    "sigmoid": "SVC(kernel='sigmoid', gamma=0.002, coef0=-0.5).fit(X, y)",
    "four classes": "SVC().fit(X[:8000], four[:8000])",
    "function": "SVC(kernel=product).fit(X[:12000], y[:12000])",
    "precomputed": "SVC(kernel='precomputed').fit(K, y[:12000])",
    "sparse": "SVC().fit(S, y)",
    "wide": "SVC().fit(W, y[:4000])",
    "probability": "SVC(probability=True).fit(X, y)",
    "SVR": "SVR().fit(X, target)",
    "svm_path": "svm_path(SVC(), X[:6000], y[:6000], C=[0.1, 1, 10, 100], cv=5)",
    "svm_path, small memory": "svm_path(SVC(cache_size=50), X, y, C=[0.1, 1, 10, 100], cv=5)",
    "LinearSVC": "LinearSVC(tol=1e-12).fit(L, side)",
    "LinearSVC, descent": "LinearSVC(dual=True, loss='hinge', C=100, tol=1e-12).fit(L, side)",
    "LinearSVC, sparse": "LinearSVC(tol=1e-12).fit(S, y)",
}


def product(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """A kernel that can be stopped itself: what is measured is what comes after it."""
    out = np.empty((len(A), len(B)))
    for i in range(0, len(A), 200):
        out[i : i + 200] = A[i : i + 200] @ B.T
    return out


def rows_for(case: str) -> dict[str, Any]:
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 50))
    y = (X[:, 0] * X[:, 1] + rng.normal(size=len(X)) > 0).astype(int)
    given: dict[str, Any] = {"X": X, "y": y, "target": X[:, 0] + rng.normal(size=len(X))}
    given["four"] = 2 * y + (X[:, 2] > 0)
    given["product"] = product
    if "(K" in CASES[case]:
        given["K"] = X[:12_000] @ X[:12_000].T
    if "(S" in CASES[case]:
        at = np.sort(rng.integers(0, 50_000, size=(len(X), 50)), axis=1)
        given["S"] = csr_matrix(
            (np.ones(at.size), at.ravel(), np.arange(0, at.size + 1, 50)), (len(X), 50_000)
        )
    if "(W" in CASES[case]:
        given["W"] = rng.normal(size=(4_000, 5_000))
    if "(L" in CASES[case]:
        given["L"] = rng.normal(size=(200_000, 100))
        given["side"] = (given["L"][:, 0] + rng.normal(size=200_000) > 0).astype(int)
    return given


def child(case: str) -> None:
    """Fits, again and again, until it is told to stop."""
    from hedgerow import SVC, SVR, LinearSVC, svm_path

    warnings.simplefilter("ignore")
    names = rows_for(case) | {"SVC": SVC, "SVR": SVR, "LinearSVC": LinearSVC, "svm_path": svm_path}
    run: Callable[[], Any] = eval(f"lambda: {CASES[case]}", names)
    print("ready", flush=True)
    try:
        while True:
            run()
    except KeyboardInterrupt:
        print(time.monotonic(), flush=True)


def delay(case: str, wait: float) -> float:
    command = [sys.executable, __file__, "--child", case]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        return float(process.stdout.readline()) - sent


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        return child(args.child)
    moments = np.random.default_rng(0)
    print(f"{'':<26}{'median':>8}{'worst':>8}")
    for case in args.case or CASES:
        delays = [delay(case, float(moments.uniform(0.1, 4.0))) for _ in range(args.times)]
        print(f"{case:<26}{statistics.median(delays):8.2f}{max(delays):8.2f}", flush=True)
    return None


if __name__ == "__main__":
    main()
