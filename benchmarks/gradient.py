"""Gradient boosting beside LightGBM, XGBoost, CatBoost, scikit-learn and YDF: seconds, memory and held-out log loss.

    python benchmarks/gradient.py --threads 2                     # all shapes, about ten minutes
    python benchmarks/gradient.py --shape large --threads 2       # 500,000 x 28, 200 rounds
    python benchmarks/gradient.py --shape small --models hedgerow,lightgbm,hedgerow,lightgbm

Each line is one fit, in the order of --models; on a busy machine compare CPU seconds of one thread, and name models in
turn. `M rows/s` is the prediction of all test rows; `row` of one row, by `predict_proba`. Memory is what
the fit needed at its peak beyond what was there before it (Linux). YDF, which is slow to fit, is fitted on 20,000 rows
and is there for its prediction. Among all shapes the pixels have 20 rounds, by themselves 100. Packages that are not
installed are left out, and said so. gradient_tables.py has the quality on real tables.
"""

import argparse
import importlib.util
import os
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

from common import reset_peak, status_bytes

SHAPES = {  # rows, columns, of them categories, rounds, test rows
    "large": (500_000, 28, 0, 200, 100_000),
    "categories": (100_000, 40, 10, 200, 50_000),
    "small": (5_000, 20, 0, 100, 2_000),
    "pixels": (60_000, 784, 0, 100, 10_000),
}
ROUNDS_AMONG_ALL = {"pixels": 20}
MODELS = ("hedgerow", "lightgbm", "xgboost", "sklearn", "catboost")
TIMED = ("hedgerow", "lightgbm", "lightgbm_quantised", "xgboost", "sklearn", "catboost", "ydf")
ROWS_FOR_YDF = 20_000


def model_of(name: str, task: str, rounds: int, threads: int, leaves: int, defaults: bool = False) -> Any:
    """The same rounds, leaves and learning rate for all; or, for `defaults`, rounds, threads and stopping alone."""
    numbers = task == "regression"
    if name in ("hedgerow", "sklearn"):
        if name == "hedgerow":
            import hedgerow as package

            own: dict[str, Any] = {"n_jobs": threads}
        else:
            import sklearn.ensemble as package

            own = {}
        kind = package.HistGradientBoostingRegressor if numbers else package.HistGradientBoostingClassifier
        same = {} if defaults else {"max_leaf_nodes": leaves, "learning_rate": 0.1}
        return kind(max_iter=rounds, early_stopping=defaults, random_state=0, **own, **same)
    own = {"n_estimators": rounds, "random_state": 0}
    same = {} if defaults else {"learning_rate": 0.1}
    if name.startswith("lightgbm"):
        from lightgbm import LGBMClassifier, LGBMRegressor

        kind = LGBMRegressor if numbers else LGBMClassifier
        same |= {} if defaults else {"num_leaves": leaves, "max_bin": 255}
        same |= (
            {"use_quantized_grad": True, "quant_train_renew_leaf": True}
            if name == "lightgbm_quantised"
            else {}
        )
        return kind(n_jobs=threads, verbose=-1, **same, **own)
    if name == "xgboost":
        from xgboost import XGBClassifier, XGBRegressor

        kind = XGBRegressor if numbers else XGBClassifier
        grow = {"grow_policy": "lossguide", "max_leaves": leaves, "max_depth": 0, "max_bin": 255}
        grow |= {"min_child_weight": 20} if numbers else {}  # of squared errors hessians count rows
        same |= {} if defaults else grow
        return kind(tree_method="hist", n_jobs=threads, enable_categorical=True, **same, **own)
    from catboost import CatBoostClassifier, CatBoostRegressor

    kind = CatBoostRegressor if numbers else CatBoostClassifier
    same |= {} if defaults else {"depth": 6}
    return kind(thread_count=threads, verbose=0, allow_writing_files=False, **same, **own)


def installed(names: list[str]) -> list[str]:
    found = [name for name in names if importlib.util.find_spec(name.partition("_")[0])]
    for name in set(names) - set(found):
        print(f"{name} is not installed and left out")
    return found


def made_table(rows: int, columns: int, categories: int, seed: int = 5) -> tuple[Any, Any]:
    """Numbers with interactions and, at the end, level numbers with an effect each."""
    import numpy as np

    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(rows, columns - categories)).astype(np.float32)
    half = max(4, numbers.shape[1] // 2)
    score = numbers[:, :half] @ rng.normal(size=half).astype(np.float32) * 0.35
    for _ in range(10):
        i, j = rng.integers(0, half, 2)
        score += rng.normal() * np.sin(1.5 * numbers[:, i]) * (numbers[:, j] > rng.normal())
    parts = [numbers]
    for k in range(categories):
        levels = int(2 + 198 * (k / max(1, categories - 1)) ** 2)
        level = np.minimum(rng.zipf(1.5, rows) - 1, levels - 1)
        score += rng.normal(size=levels)[level] * 0.3
        parts.append(level[:, None].astype(np.float32))
    y = (score + 0.7 * rng.logistic(size=rows) > 0).astype(int)
    return np.concatenate(parts, axis=1), y


def pixels(rows: int, columns: int, seed: int = 5) -> tuple[Any, Any]:
    """Ten classes of blurred strokes: most cells are zero, many columns nearly always."""
    import numpy as np

    rng = np.random.default_rng(seed)
    side = int(columns**0.5)
    y = rng.integers(0, 10, rows)
    centre = rng.uniform(0.25, 0.75, (10, 3, 2)) * side
    x0, x1 = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
    X = np.empty((rows, side * side), np.float32)
    for first in range(0, rows, 2000):
        part = slice(first, min(rows, first + 2000))
        at = centre[y[part]] + rng.normal(scale=side / 14, size=(part.stop - first, 3, 2))
        away = (x0 - at[..., 0, None, None]) ** 2 + (x1 - at[..., 1, None, None]) ** 2
        ink = np.exp(-away / (2 * (side / 16) ** 2)).sum(axis=1)
        X[part] = np.floor(np.clip(ink, 0, 1) * 255).reshape(part.stop - first, -1)
    return X, y


def peak_memory(work: Callable[[], Any]) -> float:
    """Megabytes beyond what was resident before, freed memory given back; 0 where the system does not say."""
    before = reset_peak()
    work()
    return 0.0 if before is None else (status_bytes("VmHWM") - before) / 2**20


def data_for(
    name: str, model: Any, parts: tuple[Any, Any], category: list[int]
) -> tuple[Any, Any, dict[str, Any]]:
    """Rows as the library wants categories."""
    if not category:
        return *parts, {}
    if name in ("hedgerow", "sklearn"):
        model.set_params(categorical_features=category)
        return *parts, {}
    if name.startswith("lightgbm"):
        return *parts, {"categorical_feature": category}
    import pandas as pd

    kind = "category" if name == "xgboost" else str
    A, B = (
        pd.DataFrame(part).astype(dict.fromkeys(category, int)).astype(dict.fromkeys(category, kind))
        for part in parts
    )
    return A, B, {"cat_features": category} if name == "catboost" else {}


def measure_ydf(args: argparse.Namespace, X: Any, y: Any, T: Any) -> str:
    """Prediction alone, of as many trees and leaves."""
    import pandas as pd
    import ydf

    ydf.verbose(0)
    names = [f"c{j}" for j in range(X.shape[1])]
    frame = pd.DataFrame(X[:ROWS_FOR_YDF], columns=names).assign(y=y[:ROWS_FOR_YDF])
    grow = {"growing_strategy": "BEST_FIRST_GLOBAL", "max_num_nodes": 61, "max_depth": -1}
    stop = {"early_stopping": "NONE", "validation_ratio": 0.0}
    learner = ydf.GradientBoostedTreesLearner(
        label="y", num_trees=args.rounds, num_threads=args.threads, **grow, **stop
    )
    model = learner.train(frame)
    rows = {name: T[:, j] for j, name in enumerate(names)}
    speed = rows_per_second(lambda: model.predict(rows, num_threads=args.threads), len(T))
    return f"{'ydf':20}{'':18}{speed:10.2f}"


def rows_per_second(work: Callable[[], Any], n_rows: int) -> float:
    """In millions; the best of three."""
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return n_rows / min(seconds) / 1e6


def measure(name: str, args: argparse.Namespace, X: Any, y: Any, T: Any, t: Any, category: list[int]) -> str:
    from sklearn.metrics import log_loss

    model = model_of(name, "classes", args.rounds, args.threads, 31)
    A, B, extra = data_for(name, model, (X, T), category)
    model.fit(A[:200], y[:200], **extra)  # imports, thread pools
    wall, cpu = time.perf_counter(), time.process_time()
    memory = peak_memory(lambda: model.fit(A, y, **extra))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    shares = model.predict_proba(B)
    speed = rows_per_second(lambda: model.predict_proba(B), len(t))
    one = B[:1]
    model.predict_proba(one)
    began = time.process_time()
    for _ in range(50):
        model.predict_proba(one)
    each = (time.process_time() - began) / 50 * 1e6
    loss = log_loss(t, shares)
    return f"{name:20}{wall:9.2f}{cpu:9.2f}{speed:10.2f}{each:9.0f}{memory:9.0f}{loss:10.5f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shape", choices=tuple(SHAPES), help="all of them if not given")
    parser.add_argument("--models", default=",".join(TIMED))
    parser.add_argument("--rounds", type=int, default=0, help="instead of the shape's own")
    parser.add_argument("--rows", type=int, default=0, help="instead of the shape's own")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(args.threads)
    warnings.simplefilter("ignore")
    names = installed(args.models.split(","))
    for shape in (args.shape,) if args.shape else SHAPES:
        among_all = {} if args.shape else ROUNDS_AMONG_ALL
        measure_shape(shape, names, args, args.rounds or among_all.get(shape, SHAPES[shape][3]))


def measure_shape(shape: str, names: list[str], given: argparse.Namespace, rounds: int) -> None:
    rows, columns, categories, _, test = SHAPES[shape]
    rows = given.rows or rows
    args = argparse.Namespace(rounds=rounds, threads=given.threads)
    X, y = pixels(rows + test, columns) if shape == "pixels" else made_table(rows + test, columns, categories)
    category = list(range(columns - categories, columns))
    print(f"{rows} x {columns} ({categories} categories), {rounds} rounds, {args.threads} threads")
    print(f"{'':20}{'fit wall':>9}{'fit CPU':>9}{'M rows/s':>10}{'row us':>9}{'MB':>9}{'log loss':>10}")
    for name in names:
        if name == "ydf":
            line = measure_ydf(args, X[:rows], y[:rows], X[rows:]) if shape == "large" else ""
        else:
            line = measure(name, args, X[:rows], y[:rows], X[rows:], y[rows:], category)
        if line:
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
