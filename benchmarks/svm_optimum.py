"""SVC against LIBSVM (scikit-learn's SVC) on real data: the same optimum?

    python benchmarks/svm_optimum.py [--rows 5000]

Prints for each data set, kernel and C both dual objectives' relative difference, our certified gap, how many
predictions away from the boundary differ, and both times. Wants ../shared/data beside the checkout.
"""

import argparse
import sys
import warnings
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.svm import SVC as LibSVC

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.svm.real_data import NAMES, dual, rows_of, settings_of  # noqa: E402

from hedgerow import SVC  # noqa: E402

COSTS = (1e-2, 1.0, 1e2)
HEADS = (
    *("data", "rows", "kernel", "C", "duals differ by", "certified gap", "predictions differ"),
    *("LIBSVM s", "ours s"),
)
NEAR = 0.01  # scores this close to 0 may fall on either side


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--kernels", default="linear,rbf")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| " + " | ".join(HEADS) + " |")
    print("|---" * len(HEADS) + "|")
    for name in NAMES:
        X, y = rows_of(ROOT.parent / "shared" / "data", name, asked.rows)
        y = np.isin(y, np.unique(y)[::2])
        for kernel in asked.kernels.split(","):
            settings = settings_of(kernel, X)
            for C in COSTS:
                print(_line(name, X, y, kernel, settings, C), flush=True)


def _line(name: str, X: object, y: object, kernel: str, settings: dict[str, object], C: float) -> str:
    started = perf_counter()
    ours = SVC(C=C, tol=1e-4, **settings).fit(X, y)
    middle = perf_counter()
    theirs = LibSVC(C=C, tol=1e-4, cache_size=500, **settings).fit(X, y)
    ended = perf_counter()
    best = dual(theirs, X, **settings)
    off = abs(dual(ours, X, **settings) - best) / abs(best)
    sure = np.abs(theirs.decision_function(X)) > NEAR
    differ = int((ours.predict(X)[sure] != theirs.predict(X)[sure]).sum())
    return (
        f"| {name} | {len(y):,} | {kernel} | {C:g} | {off:.0e} | {ours.certificate_.relative_gap:.0e} | "
        f"{differ} of {sure.sum():,} | {ended - middle:.2f} | {middle - started:.2f} |"
    )


if __name__ == "__main__":
    main()
