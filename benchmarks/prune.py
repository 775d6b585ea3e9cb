"""Cost-complexity pruning with ten-fold cross-validation, against its own eleven fits and against R's rpart.

    python benchmarks/prune.py                          50,000 x 20, two classes
    python benchmarks/prune.py --rows 10000 --repeats 5

Three figures. "fits": the whole tree and one tree a fold, each by a fit of its own that encodes its rows anew.
"cross-validated": one fit with prune="cost_complexity", which contains the same eleven trees. "rpart": the same
table by rpart with xval = 10 and without surrogates or competing splits, with the same stop rules (minsplit 20,
minbucket 7), reading of the data not counted; once with cp = 0, where both grow whole trees, and once with rpart's
default cp = 0.01, where both leave out what could not gain that much. Fairness: rpart runs on one core and is charged
without surrogates and competing splits, which it would compute by default and which we do not; "a core" compares
seconds of processor time. Also, for every other pruning, the seconds a fit with it takes.
"""

import argparse
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from common import THREADS, tabular

RULES: dict[str, Any] = {"min_samples_split": 20, "min_samples_leaf": 7, "n_jobs": THREADS}
SCRIPT = """
suppressMessages(library(rpart))
args <- commandArgs(trailingOnly = TRUE)
d <- read.csv(args[1])
d$y <- factor(d$y)
control <- rpart.control(cp = as.numeric(args[2]), minsplit = 20, minbucket = 7, xval = 10, maxsurrogate = 0,
                         usesurrogate = 0, maxcompete = 0)
seconds <- system.time(fit <- rpart(y ~ ., d, method = "class", control = control))
best <- which.min(fit$cptable[, "xerror"])
kept <- which(fit$cptable[, "xerror"] <= sum(fit$cptable[best, c("xerror", "xstd")]))[1]
cat(seconds[["elapsed"]], seconds[["user.self"]], nrow(fit$cptable),
    fit$cptable[kept, "nsplit"], fit$cptable[kept, "xerror"])
"""


def least(call: Callable[[], Any], repeats: int) -> tuple[float, float, Any]:
    """Seconds, processor seconds, the answer."""
    best, busy, answer = np.inf, np.inf, None
    for _ in range(repeats):
        begin, begin_busy = time.perf_counter(), time.process_time()
        answer = call()
        best = min(best, time.perf_counter() - begin)
        busy = min(busy, time.process_time() - begin_busy)
    return best, busy, answer


def eleven_fits(X: np.ndarray, y: np.ndarray) -> None:
    from hedgerow import DecisionTreeClassifier

    DecisionTreeClassifier(**RULES).fit(X, y)
    fold = np.arange(len(y)) % 10
    for k in range(10):
        DecisionTreeClassifier(**RULES).fit(X[fold != k], y[fold != k])


def rpart(X: np.ndarray, y: np.ndarray, cp: float) -> list[float] | None:
    """Seconds, processor seconds, rows of the table, splits and xerror of the 1-SE tree; None without R or rpart."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        rows, script = Path(folder) / "rows.csv", Path(folder) / "fit.R"
        header = ",".join([*(f"x{j}" for j in range(X.shape[1])), "y"])
        np.savetxt(rows, np.column_stack([X, y]), delimiter=",", fmt="%.9g", header=header, comments="")
        script.write_text(SCRIPT)
        done = subprocess.run(["Rscript", str(script), str(rows), str(cp)], capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()] if done.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3, help="of each fit; the least counts")
    args = parser.parse_args()
    from hedgerow import DecisionTreeClassifier
    from hedgerow.prune import CostComplexity, load_methods

    data = tabular(args.rows, args.columns, seed=5, held_out=10_000)
    X, y = data["Xtr"], data["ytr"]
    print(f"{args.rows:,} x {args.columns} float32, 2 classes, {THREADS} threads")
    fits, *_ = least(lambda: eleven_fits(X, y), args.repeats)
    print(f"{'eleven plain fits':<34}{fits:9.3f} s")
    for cp in (0.0, 0.01):
        method = CostComplexity(cp=cp)
        ours, busy, model = least(
            lambda method=method: DecisionTreeClassifier(prune=method, **RULES).fit(X, y), args.repeats
        )
        table = model.cp_table_
        row = table.chosen
        kept = f"{len(table)} rows, 1-SE tree {table.nsplit[row]} splits, xerror {table.xerror[row]:.4f}"
        print(f"{f'cross-validated, cp = {cp:g}':<34}{ours:9.3f} s   {ours / fits:.2f} of the fits; {kept}")
        theirs = rpart(X, y, cp)
        if theirs is None:
            print(f"{'rpart':<34}  R with the package rpart is not installed")
            continue
        kept = f"{theirs[2]:.0f} rows, 1-SE tree {theirs[3]:.0f} splits, xerror {theirs[4]:.4f}"
        times = f"{theirs[0] / ours:.1f} of ours (asked for: 10), {theirs[1] / busy:.1f} a core"
        print(f"{f'rpart, xval = 10, cp = {cp:g}':<34}{theirs[0]:9.3f} s   {times}; {kept}")
    for name in (None, *load_methods()):
        seconds, _, model = least(
            lambda name=name: DecisionTreeClassifier(prune=name, **RULES).fit(X, y), args.repeats
        )
        accuracy = model.score(data["Xte"], data["yte"])
        told = f"{model.get_n_leaves():6,} leaves, held-out accuracy {accuracy:.4f}"
        print(f"{f'prune={name!r}':<42}{seconds:9.3f} s   {told}")


if __name__ == "__main__":
    main()
