"""What cross-validation costs beyond its fits.

    python benchmarks/evaluate.py                        10 folds of a tree on 20,000 x 20
    python benchmarks/evaluate.py --model forest         of a random forest of 100 trees
    python benchmarks/evaluate.py --rows 5000 --repeats 5

Three figures, in one run, each the least of the repeats, in seconds of the processor (one worker, so that a busy
machine does not count). "fits": ten fits and predictions of hedgerow's model on copies of the rows of each fold,
nothing else. "evaluate": evaluate(model, X, y, cv=10) with all scores, intervals and checks. "scikit-learn":
cross_validate with the same model and three scorers. The promise: evaluate of a forest takes at most 5 % longer than
the fits.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from common import tabular


def model_of(name: str) -> Any:
    import hedgerow

    if name == "tree":
        return hedgerow.DecisionTreeClassifier(n_jobs=1)
    return hedgerow.RandomForestClassifier(100, random_state=0, n_jobs=1)


def least(call: Callable[[], Any], repeats: int) -> float:
    best = np.inf
    for _ in range(repeats):
        begin = time.process_time()
        call()
        best = min(best, time.process_time() - begin)
    return float(best)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", choices=("tree", "forest"), default="tree")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    from sklearn.base import clone
    from sklearn.model_selection import cross_validate

    from hedgerow import evaluate

    data = tabular(options.rows, 20, seed=10)
    X, y = data["Xtr"], data["ytr"]
    model = model_of(options.model)
    folds = evaluate(model_of("tree"), X, y, cv=10, scoring="accuracy", n_jobs=1).splits.parts
    splits = [(part.train, part.test) for part in folds]

    def fits() -> None:
        for train, test in splits:
            fitted = clone(model).fit(X[train], y[train])
            fitted.predict(X[test])
            fitted.predict_proba(X[test])

    scorers = ["accuracy", "roc_auc", "neg_log_loss"]
    own = least(fits, options.repeats)
    whole = least(lambda: evaluate(model, X, y, cv=10, n_jobs=1, progress=False), options.repeats)
    theirs = least(lambda: cross_validate(model, X, y, cv=splits, scoring=scorers, n_jobs=1), options.repeats)
    print(f"{options.model}, {options.rows:,} x 20, 10 folds, one worker")
    print(f"fits          {own:8.3f} s")
    print(f"evaluate      {whole:8.3f} s   {100 * (whole / own - 1):+.1f} %")
    print(f"scikit-learn  {theirs:8.3f} s   {100 * (theirs / own - 1):+.1f} %")


if __name__ == "__main__":
    main()
