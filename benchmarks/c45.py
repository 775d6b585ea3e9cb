"""recipe("c45") against Weka's J48, the same options: seconds to build, error on a held-out third.

    python benchmarks/c45.py adult.parquet --target income --weka weka.jar       a table of your own
    python benchmarks/c45.py --weka weka.jar                                     48,842 drawn rows

Weka's seconds are its own ("Time taken to build model"): Java's start and the reading of the file do not count. Ours
are of `fit`, which includes making codes of the columns. Without Java or Weka, ours alone. Debian's package `weka` has
weka.jar in its share/java; WEKA_JAR in the environment is the same as --weka.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from common import THREADS


def drawn(rows: int):
    """Five numbers, five categories of 2 to 40 levels, a tenth of the cells of one column missing."""
    import polars

    rng = np.random.default_rng(0)
    numbers = {f"n{j}": rng.normal(size=rows).round(3) for j in range(5)}
    codes = {f"c{j}": rng.integers(0, levels, rows) for j, levels in enumerate((2, 5, 9, 16, 40))}
    effect = sum(rng.normal(size=40)[codes[name]] for name in codes)
    score = effect + numbers["n0"] * (codes["c0"] == 0) + np.abs(numbers["n1"]) + rng.logistic(size=rows)
    frame = {**numbers, **{name: [f"level {k}" for k in c] for name, c in codes.items()}}
    frame["c1"] = [
        None if gone else cell for gone, cell in zip(rng.random(rows) < 0.1, frame["c1"], strict=True)
    ]
    return polars.DataFrame({**frame, "y": np.where(score > np.median(score), "yes", "no")})


def arff(table, y, classes) -> str:
    """The columns as Weka reads them; levels and classes in hedgerow's order."""
    head, cells = ["@relation rows"], []
    for number, column in enumerate(table.columns):
        if column.kind == "category":
            head.append(f"@attribute a{number} {{{','.join(f'l{k}' for k in range(len(column.levels)))}}}")
            cells.append(["?" if code < 0 else f"l{code}" for code in column.values])
        else:
            head.append(f"@attribute a{number} real")
            cells.append(["?" if x != x else repr(float(x)) for x in column.numbers])
    head.append(f"@attribute y {{{','.join(f'k{k}' for k in range(len(classes)))}}}")
    cells.append([f"k{k}" for k in np.searchsorted(classes, y)])
    return "\n".join([*head, "@data", *(",".join(row) for row in zip(*cells, strict=True))]) + "\n"


def run_weka(jar: str, train: str, test: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("train", train), ("test", test)):
            (Path(folder) / f"{name}.arff").write_text(text, encoding="utf-8")
        files = ["-t", f"{folder}/train.arff", "-T", f"{folder}/test.arff"]
        command = ["java", "-Xmx3g", "-cp", jar, "weka.classifiers.trees.J48", *files]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def said(pattern: str) -> float:
        return float(re.findall(pattern, out)[-1])

    return {
        "seconds": said(r"Time taken to build model: ([\d.]+)"),
        "error": said(r"Incorrectly Classified Instances\s+\d+\s+([\d.]+)"),
        "leaves": said(r"Number of Leaves\s*:\s*(\d+)"),
        "nodes": said(r"Size of the tree\s*:\s*(\d+)"),
    }


def run_ours(X, y, X_new, y_new, repeats: int) -> dict[str, float]:
    from hedgerow import recipe

    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        model = recipe("c45", n_jobs=THREADS).fit(X, y)
        seconds.append(time.perf_counter() - begin)
    error = 100 * float(np.mean(model.predict(X_new) != y_new))
    size = {"leaves": model.hedgerow_tree_.n_leaves, "nodes": model.hedgerow_tree_.n_nodes}
    return {"seconds": min(seconds), "error": error, **size}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", nargs="?", help="a file of rows; without it, rows are drawn")
    parser.add_argument("--target", help="name of the target column; default: the last")
    parser.add_argument("--rows", type=int, default=48_842, help="rows to draw")
    parser.add_argument("--repeats", type=int, default=5, help="fits; the fastest counts (Weka: also)")
    parser.add_argument("--weka", default=os.environ.get("WEKA_JAR", "weka.jar"), help="weka.jar")
    args = parser.parse_args()

    from hedgerow.table import to_table
    from hedgerow.table.read import read_frame

    frame = drawn(args.rows) if args.table is None else read_frame(args.table)
    target = args.target or frame.columns[-1]
    y = np.array([str(label) for label in frame[target].to_list()])
    whole = to_table(frame.drop(target))
    held_out = np.random.default_rng(0).permutation(len(y)) < len(y) // 3
    train, test = (whole.take(np.flatnonzero(part)) for part in (~held_out, held_out))
    print(f"{train.n_rows:,} rows to learn from, {test.n_rows:,} held out, {len(whole.columns)} columns")
    ours = run_ours(train, y[~held_out], test, y[held_out], args.repeats)
    print(f"{'':10}{'seconds':>9}{'error %':>9}{'leaves':>8}{'nodes':>8}")
    show("hedgerow", ours)
    if shutil.which("java") is None or not Path(args.weka).exists():
        print("J48       not here: needs java and weka.jar (--weka)")
        return
    classes = np.unique(y)
    parts = [arff(train, y[~held_out], classes), arff(test, y[held_out], classes)]
    runs = [run_weka(args.weka, *parts) for _ in range(min(3, args.repeats))]
    theirs = min(runs, key=lambda run: run["seconds"])
    show("J48", theirs)
    print(
        f"hedgerow is {theirs['seconds'] / ours['seconds']:.1f} times as fast; asked for: 5, with equal error"
    )


def show(name: str, found: dict[str, float]) -> None:
    print(f"{name:10}{found['seconds']:9.3f}{found['error']:9.3f}{found['leaves']:8.0f}{found['nodes']:8.0f}")


if __name__ == "__main__":
    main()
