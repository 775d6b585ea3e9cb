"""Gradient boosting beside LightGBM, XGBoost, CatBoost and scikit-learn, in one run.

    python benchmarks/gradient.py speed --rows 500000 --rounds 200 --threads 2
    python benchmarks/gradient.py quality --rounds 100 [--tables adult,churn] [--stopping]

speed: seconds (wall and CPU) of fit and predict, and held-out log loss, on the shapes of the issue.
quality: five-fold log loss or RMSE on the tables of ../shared/data, at the same rounds and leaves; with --stopping each
library's own early stopping instead. Packages that are not installed are left out, and said so.
"""

import argparse
import importlib.util
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

TABLES = {  # target
    "adult": "income",
    "ames_housing": "Sale_Price",
    "bike_sharing_hour": "cnt",
    "breast_cancer_ljubljana": "Class",
    "california_housing_mixed": "median_house_value",
    "car_evaluation": "class",
    "churn": "churn",
    "credit_g": "class",
    "diamonds": "price",
    "heart_cleveland": "diameter narrowing",
    "hypothyroid": "Class",
    "ijcnn1": "label",
    "letter": "lettr",
    "mushroom": "Poisonous/Edible",
    "soybean": "class",
    "spambase": "type",
    "titanic_1309": "survived",
    "vote": "Class",
    "a9a": "label",
    "usps": "digit",
    "nycflights13": "arr_delay",
}
MOST_ROWS = 20_000  # of a table, drawn
DROPPED = {"bike_sharing_hour": ["casual", "registered"]}  # they add up to the target
MODELS = ("hedgerow", "lightgbm", "xgboost", "sklearn", "catboost")


def model_of(name: str, task: str, rounds: int, threads: int, leaves: int, stopping: bool) -> Any:
    common: dict[str, Any] = {"learning_rate": 0.1}
    if name in ("hedgerow", "sklearn"):
        if name == "hedgerow":
            import hedgerow as package

            common |= {"n_jobs": threads}
        else:
            import sklearn.ensemble as package
        kind = (
            package.HistGradientBoostingRegressor
            if task == "regression"
            else package.HistGradientBoostingClassifier
        )
        return kind(max_iter=rounds, max_leaf_nodes=leaves, early_stopping=stopping, random_state=0, **common)
    common |= {"n_estimators": rounds, "random_state": 0}
    if name == "lightgbm":
        from lightgbm import LGBMClassifier, LGBMRegressor

        kind = LGBMRegressor if task == "regression" else LGBMClassifier
        return kind(num_leaves=leaves, n_jobs=threads, verbose=-1, max_bin=255, **common)
    if name == "xgboost":
        from xgboost import XGBClassifier, XGBRegressor

        kind = XGBRegressor if task == "regression" else XGBClassifier
        grow = {"grow_policy": "lossguide", "max_leaves": leaves, "max_depth": 0, "max_bin": 255}
        return kind(tree_method="hist", n_jobs=threads, enable_categorical=True, **grow, **common)
    from catboost import CatBoostClassifier, CatBoostRegressor

    kind = CatBoostRegressor if task == "regression" else CatBoostClassifier
    return kind(depth=6, thread_count=threads, verbose=0, allow_writing_files=False, **common)


def installed(names: list[str]) -> list[str]:
    found = [name for name in names if name == "hedgerow" or importlib.util.find_spec(name)]
    for name in set(names) - set(found):
        print(f"{name} is not installed and left out")
    return found


def load_table(folder: Path, name: str) -> tuple[Any, Any, str]:
    import numpy as np
    import pandas as pd

    frame = pd.read_parquet(folder / f"{name}.parquet")
    frame = frame[frame[TABLES[name]].notna()]
    frame = frame.sample(min(len(frame), MOST_ROWS), random_state=0).reset_index(drop=True)
    y = frame.pop(TABLES[name])
    frame = frame.drop(columns=DROPPED.get(name, []))
    frame.columns = [f"c{j}" for j in range(frame.shape[1])]
    for column in frame:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            frame[column] = frame[column].astype(str).where(frame[column].notna()).astype("category")
        else:
            frame[column] = frame[column].astype(float)
    regression = pd.api.types.is_numeric_dtype(y) and y.nunique() > 30
    if regression:
        return frame, y.to_numpy(float), "regression"
    return frame, np.unique(y.astype(str), return_inverse=True)[1], "classes"


def score_folds(name: str, frame: Any, y: Any, task: str, rounds: int, stopping: bool) -> tuple[float, float]:
    """Mean log loss or RMSE over five folds, and the CPU seconds of fitting."""
    import numpy as np
    from sklearn.metrics import log_loss, root_mean_squared_error
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = (
        KFold(5, shuffle=True, random_state=1)
        if task == "regression"
        else StratifiedKFold(5, shuffle=True, random_state=1)
    )
    found, seconds = [], 0.0
    for train, test in folds.split(frame, y):
        X, T = frame.iloc[train], frame.iloc[test]
        model = model_of(name, task, rounds, 1, 31, stopping)
        extra: dict[str, Any] = {}
        if name == "catboost":
            category = [c for c in X if str(X[c].dtype) == "category"]
            X, T = (part.assign(**{c: part[c].astype(str) for c in category}) for part in (X, T))
            extra["cat_features"] = category
        began = time.process_time()
        try:
            model.fit(X, y[train], **extra)
        except ValueError as reason:  # scikit-learn's, of a column without a single present cell
            print(f"{name} failed: {reason}")
            return np.nan, np.nan
        seconds += time.process_time() - began
        if task == "regression":
            found.append(root_mean_squared_error(y[test], model.predict(T)))
        else:
            found.append(log_loss(y[test], np.clip(model.predict_proba(T), 1e-15, 1), labels=np.unique(y)))
    return float(np.mean(found)), seconds


def quality(args: argparse.Namespace) -> None:
    import numpy as np

    folder = Path(args.data)
    names = installed(args.models.split(","))
    print(f"{'table':26}" + "".join(f"{name:>12}" for name in names) + "   CPU s: " + " ".join(names))
    ratios: dict[str, list[float]] = {name: [] for name in names}
    ranks: dict[str, list[float]] = {name: [] for name in names}
    for table in args.tables.split(",") if args.tables else TABLES:
        frame, y, task = load_table(folder, table)
        rows = {name: score_folds(name, frame, y, task, args.rounds, args.stopping) for name in names}
        best = float(np.nanmin([loss for loss, _ in rows.values()]))
        for place, name in enumerate(
            sorted(names, key=lambda name: np.nan_to_num(rows[name][0], nan=np.inf))
        ):
            ranks[name].append(place + 1)
        for name in names:
            ratios[name].append(rows[name][0] / best)
        print(
            f"{table:26}"
            + "".join(f"{rows[name][0]:12.5g}" for name in names)
            + "   "
            + " ".join(f"{rows[name][1]:6.1f}" for name in names),
            flush=True,
        )
    print(f"{'mean of loss / best':26}" + "".join(f"{np.nanmean(ratios[name]):12.4f}" for name in names))
    print(f"{'worst of loss / best':26}" + "".join(f"{np.nanmax(ratios[name]):12.4f}" for name in names))
    print(f"{'mean rank':26}" + "".join(f"{np.mean(ranks[name]):12.2f}" for name in names))


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


def speed(args: argparse.Namespace) -> None:
    from sklearn.metrics import log_loss

    X, y = made_table(args.rows + args.test_rows, args.columns, args.categories)
    X, T, y, t = X[: args.rows], X[args.rows :], y[: args.rows], y[args.rows :]
    category = list(range(args.columns - args.categories, args.columns))
    print(
        f"{args.rows} x {args.columns} ({args.categories} categories), {args.rounds} rounds, {args.threads} threads"
    )
    print(f"{'':12}{'fit wall':>10}{'fit CPU':>10}{'predict':>10}{'log loss':>10}")
    for name in installed(args.models.split(",")):
        model = model_of(name, "classes", args.rounds, args.threads, 31, False)
        A, B, extra = X, T, {}
        if category and name in ("hedgerow", "sklearn"):
            model.set_params(categorical_features=category)
        elif category and name == "lightgbm":
            extra = {"categorical_feature": category}
        elif category:
            import pandas as pd

            A, B = (pd.DataFrame(part) for part in (X, T))
            kind = "category" if name == "xgboost" else str
            A, B = (
                part.astype(dict.fromkeys(category, int)).astype(dict.fromkeys(category, kind))
                for part in (A, B)
            )
            extra = {"cat_features": category} if name == "catboost" else {}
        wall, cpu = time.perf_counter(), time.process_time()
        model.fit(A, y, **extra)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        began = time.perf_counter()
        shares = model.predict_proba(B)
        took = time.perf_counter() - began
        print(f"{name:12}{wall:10.2f}{cpu:10.2f}{took:10.3f}{log_loss(t, shares):10.5f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("speed", "quality"))
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--tables", default="")
    parser.add_argument("--data", default=str(Path(__file__).resolve().parents[2] / "shared" / "data"))
    parser.add_argument("--stopping", action="store_true")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--test-rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=28)
    parser.add_argument("--categories", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(args.threads)
    warnings.simplefilter("ignore")
    quality(args) if args.what == "quality" else speed(args)


if __name__ == "__main__":
    sys.exit(main())
