"""Sparse rows, documents x words, against scikit-learn (forests, trees) and LightGBM (gradient boosting): CPU seconds
of fit and predict on one thread, peak memory above that of the process before fit, accuracy on new documents.

    python benchmarks/sparse.py                          20,000 documents x 50,000 words
    python benchmarks/sparse.py --documents 5000 --words 20000 --trees 20
    python benchmarks/sparse.py --model forest

Words follow Zipf's law; a twentieth of a document's words are of its topic. Each figure is from a process of its own.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

MODELS = ("forest", "extra_trees", "tree", "regression", "gradient_boosting")
PEERS = {"gradient_boosting": ("hedgerow", "lightgbm")}


def documents(n: int, words: int, seed: int = 0) -> tuple[csr_matrix, np.ndarray]:
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, words + 1)
    length, topic = rng.integers(40, 200, n), rng.integers(0, 2, n)
    row = np.repeat(np.arange(n), length)
    column = rng.choice(words, length.sum(), p=share / share.sum())
    of_topic = np.random.default_rng(99).integers(words // 250, words // 10, (2, 60))
    chosen = rng.random(len(column)) < 0.05
    column[chosen] = of_topic[topic[row[chosen]], rng.integers(0, 60, chosen.sum())]
    X = csr_matrix((np.ones(len(column)), (row, column)), shape=(n, words))
    X.sum_duplicates()
    return X, topic


def make(model: str, peer: str, trees: int) -> Any:
    if peer == "lightgbm":
        import lightgbm

        return lightgbm.LGBMClassifier(n_estimators=trees, num_leaves=31, n_jobs=1, verbose=-1)
    if peer == "hedgerow":
        import hedgerow as library
    else:
        import sklearn.ensemble
        import sklearn.tree

        library = type("both", (), vars(sklearn.ensemble) | vars(sklearn.tree))
    jobs = {"n_jobs": 1} if peer == "hedgerow" or model not in ("tree", "gradient_boosting") else {}
    return {
        "forest": lambda: library.RandomForestClassifier(trees, random_state=0, **jobs),
        "extra_trees": lambda: library.ExtraTreesClassifier(trees, random_state=0, **jobs),
        "tree": lambda: library.DecisionTreeClassifier(random_state=0, **jobs),
        "regression": lambda: library.RandomForestRegressor(
            max(1, trees // 10), max_features="sqrt", random_state=0, **jobs
        ),
        "gradient_boosting": lambda: library.HistGradientBoostingClassifier(
            max_iter=trees, early_stopping=False, **jobs
        ),
    }[model]()


def measure(model: str, peer: str, options: argparse.Namespace) -> dict[str, float]:
    X, y = documents(options.documents, options.words)
    new, truth = documents(options.documents // 4, options.words, seed=1)
    estimator = make(model, peer, options.trees)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    estimator.fit(X, y)
    fitted = time.process_time()
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    right = float(np.mean((estimator.predict(new) > 0.5) == truth))
    done = time.process_time()
    return {"fit": fitted - began, "predict": done - fitted, "MB": memory, "right": right, "entries": X.nnz}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--model", action="append", choices=MODELS)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure(*options.child, options)))
        return
    print(f"{options.documents:,} documents x {options.words:,} words, {options.trees} trees, one thread")
    print(f"{'model':18} {'peer':10} {'fit s':>8} {'predict s':>10} {'fit MB':>8} {'right':>7}")
    sizes = [f"--{name}={getattr(options, name)}" for name in ("documents", "words", "trees")]
    for model in options.model or MODELS:
        for peer in PEERS.get(model, ("hedgerow", "sklearn")):
            command = [sys.executable, __file__, *sizes, "--child", model, peer]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found = json.loads(done.stdout.splitlines()[-1])
            print(
                f"{model:18} {peer:10} {found['fit']:8.2f} {found['predict']:10.2f} {found['MB']:8.0f} "
                f"{found['right']:7.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
