"""Gradient boosting on real tables beside LightGBM, XGBoost, CatBoost and scikit-learn: five-fold log loss or RMSE.

    python benchmarks/gradient_tables.py                          # the same rounds, leaves and learning rate for all
    python benchmarks/gradient_tables.py --defaults               # each library's defaults, and early stopping
    python benchmarks/gradient_tables.py --tables adult,churn --models hedgerow,lightgbm --results kept.json
    python benchmarks/gradient_tables.py --tables hypothyroid --seeds 5     # five times five folds

After the losses stands that of hedgerow by the best of LightGBM, XGBoost and scikit-learn, with the standard error of
the ratio over the folds: one seed of a table that few rows decide says little.

Tables are those of ../shared/data, at most MOST_ROWS rows of each. Defaults of categories were chosen on the TUNED
ones, before the OTHERS were looked at; where penalties ease (docs/decisions/0020) was chosen on both.
--defaults: up to 1,000 rounds, a tenth of the training rows held out
(hedgerow and scikit-learn draw their own), 20 rounds of patience where a library has no default. --results keeps what
was measured: a library is not run again on a table it was run on (but hedgerow is).
"""

import argparse
import json
import os
import sys
import time
import warnings
from itertools import chain
from pathlib import Path
from typing import Any

from gradient import MODELS, installed, model_of

TUNED = {  # table: target
    "adult": "income",
    "ames_housing": "Sale_Price",
    "bike_sharing_hour": "cnt",
    "breast_cancer_ljubljana": "Class",
    "california_housing_mixed": "median_house_value",
    "car_evaluation": "class",
    "churn": "churn",
    "soybean": "class",
    "titanic_1309": "survived",
    "letter": "lettr",
}
OTHERS = {
    "a9a": "label",
    "credit_g": "class",
    "diamonds": "price",
    "heart_cleveland": "diameter narrowing",
    "hypothyroid": "Class",
    "ijcnn1": "label",
    "mushroom": "Poisonous/Edible",
    "nycflights13": "arr_delay",
    "spambase": "type",
    "titanic_kaggle": "Survived",
    "vote": "Class",
    "covertype": "Cover_Type",
    "usps": "digit",
}
TABLES = TUNED | OTHERS
MOST_ROWS = 5_000
DROPPED = {"bike_sharing_hour": ["casual", "registered"], "titanic_kaggle": ["Name", "Ticket", "PassengerId"]}
MOST_ROUNDS, PATIENCE = 1000, 20
BEST_OF = ("lightgbm", "xgboost", "sklearn")


def load_table(folder: Path, name: str) -> tuple[Any, Any, str]:
    import numpy as np
    import pandas as pd

    frame = pd.read_parquet(folder / f"{name}.parquet")
    frame = frame[frame[TABLES[name]].notna()]
    frame = frame.sample(min(len(frame), MOST_ROWS), random_state=0).reset_index(drop=True)
    y = frame.pop(TABLES[name])
    frame = frame.drop(columns=[c for c in DROPPED.get(name, []) if c in frame])
    frame.columns = [f"c{j}" for j in range(frame.shape[1])]
    for column in frame:
        if pd.api.types.is_numeric_dtype(frame[column]):
            frame[column] = frame[column].astype(float)
        else:
            frame[column] = frame[column].astype(str).where(frame[column].notna()).astype("category")
    if pd.api.types.is_numeric_dtype(y) and y.nunique() > 30:
        return frame, y.to_numpy(float), "regression"
    return frame, np.unique(y.astype(str), return_inverse=True)[1], "classes"


def fit_stopped(name: str, model: Any, X: Any, y: Any, task: str, extra: dict[str, Any]) -> Any:
    """With a tenth of the rows held out, where the library does not do it itself."""
    import numpy as np
    from sklearn.model_selection import train_test_split

    strata = y if task == "classes" and np.unique(y, return_counts=True)[1].min() > 1 else None
    train, held = train_test_split(range(len(X)), test_size=0.1, random_state=0, stratify=strata)
    pair = (X.iloc[held], y[held])
    if name == "lightgbm":
        from lightgbm import early_stopping

        extra |= {"eval_set": [pair], "callbacks": [early_stopping(PATIENCE, verbose=False)]}
    elif name == "xgboost":
        model.set_params(early_stopping_rounds=PATIENCE)
        extra |= {"eval_set": [pair], "verbose": False}
    else:
        extra |= {"eval_set": pair, "early_stopping_rounds": PATIENCE}
    return model.fit(X.iloc[train], y[train], **extra)


def score_folds(
    name: str, frame: Any, y: Any, task: str, rounds: int, defaults: bool, seeds: int
) -> tuple[list[float], float]:
    """Log loss or RMSE of each fold, and the CPU seconds of fitting."""
    import numpy as np
    from sklearn.metrics import log_loss, root_mean_squared_error
    from sklearn.model_selection import KFold, StratifiedKFold

    kind = KFold if task == "regression" else StratifiedKFold
    found, seconds = [], 0.0
    folds = [kind(5, shuffle=True, random_state=seed).split(frame, y) for seed in range(1, seeds + 1)]
    for train, test in chain(*folds):
        X, T = frame.iloc[train], frame.iloc[test]
        model = model_of(name, task, MOST_ROUNDS if defaults else rounds, 1, 31, defaults)
        extra: dict[str, Any] = {}
        if name == "catboost":
            category = [c for c in X if str(X[c].dtype) == "category"]
            X, T = (
                part.assign(**{c: part[c].astype(object).where(part[c].notna(), "") for c in category})
                for part in (X, T)
            )
            extra["cat_features"] = category
        began = time.process_time()
        try:
            if defaults and name not in ("hedgerow", "sklearn"):
                fit_stopped(name, model, X, y[train], task, extra)
            else:
                model.fit(X, y[train], **extra)
        except ValueError as reason:  # scikit-learn's, of a column without a single present cell
            print(f"{name} failed: {reason}")
            return [np.nan], np.nan
        seconds += time.process_time() - began
        if task == "regression":
            found.append(root_mean_squared_error(y[test], model.predict(T)))
        else:
            found.append(log_loss(y[test], np.clip(model.predict_proba(T), 1e-15, 1), labels=np.unique(y)))
    return found, seconds


def compare_folds(rows: dict[str, list[float]]) -> str:
    """hedgerow's loss by that of the best of three, and the standard error over the folds of both."""
    import numpy as np

    peers = {name: rows[name] for name in BEST_OF if name in rows and np.isfinite(rows[name]).all()}
    if "hedgerow" not in rows or not peers:
        return ""
    best = np.array(min(peers.values(), key=np.mean))
    apart = (np.array(rows["hedgerow"]) - best) / best.mean()
    return f"{1 + apart.mean():.3f} +- {apart.std(ddof=1) / len(apart) ** 0.5:.3f}"


def summarize(title: str, names: list[str], losses: dict[str, dict[str, float]]) -> None:
    """Ratios to the best of LightGBM, XGBoost and scikit-learn, and ranks among all."""
    import numpy as np

    def rank(row: dict[str, float], name: str) -> int:
        if np.isnan(row[name]):  # refused the table: after those that did not
            return 1 + int(np.isfinite(list(row.values())).sum())
        return 1 + sum(row[other] < row[name] for other in names)

    peers = [name for name in names if name in BEST_OF] or names
    ratios = {
        name: [row[name] / np.nanmin([row[peer] for peer in peers]) for row in losses.values()]
        for name in names
    }
    for what, line in (
        ("geometric mean to best 3", {n: np.exp(np.nanmean(np.log(ratios[n]))) for n in names}),
        ("worst to best 3", {n: np.nanmax(ratios[n]) for n in names}),
        ("mean rank", {n: np.mean([rank(row, n) for row in losses.values()]) for n in names}),
    ):
        print(f"{title}: {what}".ljust(34) + "".join(f"{line[name]:10.4f}" for name in names))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--tables", default="", help="names, 'tuned' or 'others'; all if not given")
    parser.add_argument("--data", default=str(Path(__file__).resolve().parents[2] / "shared" / "data"))
    parser.add_argument("--defaults", action="store_true")
    parser.add_argument("--seeds", type=int, default=1, help="of the folds")
    parser.add_argument("--results", default="")
    args = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    warnings.simplefilter("ignore")
    kept = Path(args.results) if args.results else None
    known = json.loads(kept.read_text()) if kept and kept.exists() else {}
    wanted = {"": list(TABLES), "tuned": list(TUNED), "others": list(OTHERS)}.get(
        args.tables, args.tables.split(",")
    )
    names = installed(args.models.split(","))
    print(
        f"{'table':34}"
        + "".join(f"{name:>10}" for name in names)
        + "   to best 3         CPU seconds of each"
    )
    losses: dict[str, dict[str, float]] = {}
    for table in wanted:
        frame, y, task = load_table(Path(args.data), table)
        rows = {}
        for name in names:
            key = f"{table} {name} {'defaults' if args.defaults else args.rounds} {args.seeds}"
            if key not in known or name == "hedgerow":
                known[key] = score_folds(name, frame, y, task, args.rounds, args.defaults, args.seeds)
                if kept:
                    kept.write_text(json.dumps(known))
            rows[name] = known[key]
        losses[table] = {name: sum(rows[name][0]) / len(rows[name][0]) for name in names}
        cells = "".join(f"{losses[table][name]:10.5g}" for name in names)
        ratio = compare_folds({name: rows[name][0] for name in names})
        print(
            f"{table:34}{cells}   {ratio:18}" + " ".join(f"{rows[name][1]:6.1f}" for name in names),
            flush=True,
        )
    for title, part in (("tuned", TUNED), ("others", OTHERS), ("all", TABLES)):
        chosen = {table: row for table, row in losses.items() if table in part}
        if chosen:
            summarize(title, names, chosen)


if __name__ == "__main__":
    sys.exit(main())
