"""SVC against LIBSVM (scikit-learn's SVC) on real data: the same optimum?

    python benchmarks/svm_optimum.py --rows 1000 --limit 20
    python benchmarks/svm_optimum.py --machine sigmoid --data usps

For each data set and kernel, over C from 0.001 to 10,000, with and without class weights, on two classes and on many:
how far the dual objectives are apart (relative), our largest certified gap, how many predictions differ where LIBSVM's
score is not near 0, and both times. A fit of LIBSVM that is over the limit is left out, and counted; so is one
whose kernel matrix is not semidefinite (tanh at large C): the problem then has many optima. Wants
../shared/data beside the checkout. LinearSVC is compared with scikit-learn's (liblinear) by the objective of its own
problem, which ours may only reach or go below.
"""

import argparse
import multiprocessing
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.svm.real_data import NAMES, dual, rows_of, settings_of  # noqa: E402

from hedgerow import SVC, LinearSVC  # noqa: E402

COSTS = (1e-3, 1e-2, 0.1, 1.0, 10.0, 1e2, 1e3, 1e4)
NEAR = 0.01  # scores this close to 0 may fall on either side, relative to the largest
MANY = ("usps", "letter")


@dataclass
class Row:
    """One line of the table: the worst over all costs."""

    duals: float = 0.0
    gap: float = 0.0
    differ: int = 0
    sure: int = 0
    fits: int = 0
    late: int = 0
    bent: int = 0  # the kernel matrix is not semidefinite: many optima, none of them the one
    theirs: float = 0.0
    ours: float = 0.0
    from_C: list[float] = field(default_factory=list)

    def line(self, name: str, rows: int, what: str) -> str:
        costs = f"{min(self.from_C):g} to {max(self.from_C):g}" if self.from_C else "none"
        late = f" ({self.late} over the limit)" if self.late else ""
        late += f" ({self.bent} not semidefinite)" if self.bent else ""
        return (
            f"| {name} | {rows:,} | {what} | {costs}{late} | {self.duals:.0e} | {self.gap:.0e} | "
            f"{self.differ} of {self.sure:,} | {self.theirs:.2f} | {self.ours:.2f} |"
        )


def _their_fit(pipe: Connection, X: Any, y: Any, C: float, settings: dict[str, Any]) -> None:
    from sklearn.svm import SVC as LibSVC

    warnings.simplefilter("ignore")
    begin = perf_counter()
    model = LibSVC(C=C, tol=1e-4, cache_size=500, **settings).fit(X, y)
    seconds = perf_counter() - begin
    pipe.send((seconds, model))


def their_fit(X: Any, y: Any, C: float, settings: dict[str, Any], limit: float) -> tuple[float, Any] | None:
    """In a process of its own, which can be ended: LIBSVM cannot."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_their_fit, args=(there, X, y, C, settings))
    child.start()
    found = here.recv() if here.poll(limit) else None
    if found is None:
        child.kill()
    child.join()
    return found


def compare(X: Any, y: Any, settings: dict[str, Any], limit: float) -> Row:
    row, late = Row(), 0
    for C in COSTS:
        found = their_fit(X, y, C, settings, limit) if late < 1 else None
        if found is None:
            late += 1
            row.late += 1
            continue
        begin = perf_counter()
        ours = SVC(C=C, tol=1e-4, **settings).fit(X, y)
        row.ours += perf_counter() - begin
        seconds, theirs = found
        row.theirs += seconds
        if min(one.curvature for one in ours.certificate_.each) < 0:
            row.bent += 1
            continue
        row.from_C.append(C)
        kernel = {name: settings[name] for name in ("kernel", "gamma", "coef0", "degree") if name in settings}
        best = dual(theirs, X, **kernel)
        row.duals = max(row.duals, abs(dual(ours, X, **kernel) - best) / abs(best))
        row.gap = max(row.gap, ours.certificate_.worst.relative_gap)
        scores = theirs.decision_function(X)
        near = NEAR * max(1.0, float(np.abs(scores).max()) * NEAR)
        sure = np.abs(scores) > near
        sure = sure if sure.ndim == 1 else sure.all(axis=1)
        row.differ += int((ours.predict(X)[sure] != theirs.predict(X)[sure]).sum())
        row.sure += int(sure.sum())
    return row


def linear_objective(X: Any, sign: Any, w: Any, b: float, C: float, squared: bool) -> float:
    """liblinear's own: the intercept is penalised as one more column of ones."""
    excess = np.maximum(0, 1 - sign * (X @ w + b))
    return float(0.5 * (w @ w + b * b) + C * (excess**2 if squared else excess).sum())


def compare_linear(X: Any, y: Any, squared: bool) -> Row:
    """Ours on a column of ones instead of an intercept is liblinear's problem."""
    from scipy.sparse import csr_matrix, hstack, issparse
    from sklearn.svm import LinearSVC as Liblinear

    row, sign = Row(), np.where(y, 1.0, -1.0)
    loss = "squared_hinge" if squared else "hinge"
    ones = np.ones((X.shape[0], 1))
    wide = csr_matrix(hstack([X, csr_matrix(ones)])) if issparse(X) else np.hstack([X, ones])
    for C in (1e-3, 1e-2, 0.1, 1.0, 10.0):
        begin = perf_counter()
        ours = LinearSVC(C=C, loss=loss, tol=1e-6, fit_intercept=False).fit(wide, y)
        middle = perf_counter()
        theirs = Liblinear(C=C, loss=loss, tol=1e-6, max_iter=5000, random_state=0).fit(X, y)
        row.theirs, row.ours = row.theirs + perf_counter() - middle, row.ours + middle - begin
        w, v = ours.coef_[0], theirs.coef_[0]
        mine = linear_objective(X, sign, w[:-1], float(w[-1]), C, squared)
        best = linear_objective(X, sign, v, float(theirs.intercept_[0]), C, squared)
        row.duals = max(row.duals, (mine - best) / best)  # above 0: ours is the worse
        row.gap = max(row.gap, ours.certificate_.relative_gap)
        scores = theirs.decision_function(X)
        sure = np.abs(scores) > NEAR
        row.differ += int(((ours.decision_function(wide) > 0)[sure] != (scores > 0)[sure]).sum())
        row.sure += int(sure.sum())
        row.from_C.append(C)
    return row


def comparisons(name: str, X: Any, labels: Any, limit: float) -> Iterator[tuple[str, Callable[[], Row]]]:
    """What is compared on these rows; of many classes, every other one against the rest, or all pairs."""
    two = np.isin(labels, np.unique(labels)[::2])
    for kernel in ("linear", "poly", "rbf", "sigmoid"):
        yield kernel, partial(compare, X, two, settings_of(kernel, X), limit)
    weighted = settings_of("rbf", X) | {"class_weight": "balanced"}
    yield "rbf, balanced", partial(compare, X, two, weighted, limit)
    if name in MANY:
        pairs = settings_of("rbf", X) | {"decision_function_shape": "ovo"}
        yield f"rbf, {len(np.unique(labels))} classes", partial(compare, X, labels, pairs, limit)
    yield "liblinear, hinge", partial(compare_linear, X, two, False)
    yield "liblinear, squared hinge", partial(compare_linear, X, two, True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--limit", type=float, default=20, help="seconds for a fit of LIBSVM")
    parser.add_argument("--data", action="append", choices=NAMES)
    parser.add_argument(
        "--machine", action="append", help="only those whose name begins so: rbf, sigmoid, ..."
    )
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    heads = ("data", "rows", "machine", "C", "objectives differ by", "certified gap", "predictions differ")
    print("| " + " | ".join((*heads, "theirs s", "ours s")) + " |")
    print("|---" * 9 + "|")
    for name in given.data or NAMES:
        X, labels = rows_of(ROOT.parent / "shared" / "data", name, given.rows)
        for words, run in comparisons(name, X, labels, given.limit):
            if not given.machine or words.startswith(tuple(given.machine)):
                print(run().line(name, X.shape[0], words), flush=True)


if __name__ == "__main__":
    main()
