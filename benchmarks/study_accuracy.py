"""The most accurate answer of a study against what people have: LightGBM, XGBoost and HistGradientBoosting, defaults.

    python benchmarks/study_accuracy.py                          every table of ../shared/data, at most 3,000 rows each
    python benchmarks/study_accuracy.py --rows 0 churn credit_g  all rows of these tables

The study seals a hold-out; the peers learn from the same other rows, with the same columns, categories as such, and all
predict the same hold-out. Each cell is the log loss (of numbers: the root mean squared error) and, of two classes, the
area under the ROC curve. "best peer" is the best of the three on the hold-out itself, which no one knows beforehand.
A line is "worse" where the study's rows lose more than the best peer's by more than two standard errors of the
difference, row by row. A log loss below 0.01 counts as 0.01: both are nearly always right, and the ratio of two such
numbers says nothing.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
TARGETS = {
    "a9a": "label", "adult": "income", "ames_housing": "Sale_Price", "bike_sharing_hour": "cnt",
    "breast_cancer_ljubljana": "Class", "california_housing_mixed": "median_house_value", "car_evaluation": "class",
    "churn": "churn", "covertype": "Cover_Type", "credit_g": "class", "diamonds": "price", "esl_mixture": "y",
    "heart_cleveland": "diameter narrowing", "hypothyroid": "Class", "ijcnn1": "label", "letter": "lettr",
    "mushroom": "Poisonous/Edible", "nycflights13": "arr_delay", "soybean": "class", "spambase": "type",
    "titanic_1309": "survived", "titanic_kaggle": "Survived", "usps": "digit", "vote": "Class",
}  # fmt: skip
NUMBERS = ("ames_housing", "bike_sharing_hour", "california_housing_mixed", "diamonds", "nycflights13")
DROP = {"bike_sharing_hour": ("casual", "registered")}  # they sum to the target
LEAST = 1e-15
MOST_LEVELS = 255
NEARLY_RIGHT = 0.01  # a log loss


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", default=list(TARGETS))
    parser.add_argument("--rows", type=int, default=3000, help="drawn at random; 0 for all")
    parser.add_argument("--random-state", type=int, default=0)
    given = parser.parse_args()
    print(f"{'':26}{'rows':>7}  {'study':>9}{'AUC':>7}  {'best peer':>9}{'AUC':>7}  ratio  model / peer")
    ratios, worse = [], []
    for name in given.tables:
        frame = pl.read_parquet(SHARED / f"{name}.parquet")
        if given.rows and frame.height > given.rows:
            frame = frame.sample(given.rows, seed=given.random_state)
        found = compare(name, frame.drop_nulls(TARGETS[name]), given.random_state)
        ratios.append(found["ratio"])
        worse += [name] if found["worse"] else []
        print(found["line"], flush=True)
    print(
        f"geometric mean of the ratios (below 1: the study is better): {np.exp(np.mean(np.log(ratios))):.4f}"
    )
    print(f"at least as good on {sum(r <= 1 for r in ratios)} of {len(ratios)}; ", end="")
    print(f"clearly worse: {', '.join(worse) or 'none'}")


def compare(name: str, frame: Any, random_state: int) -> dict[str, Any]:
    import hedgerow

    target, task = TARGETS[name], "regression" if name in NUMBERS else "classification"
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        result = hedgerow.study(
            frame, target, folder=folder, task=task, drop=DROP.get(name, ()), random_state=random_state,
            **({"scoring": "rmse"} if task == "regression" else {}),
        )  # fmt: skip
        held = pl.read_csv(Path(folder) / "holdout.csv", infer_schema_length=None)
    seconds = time.perf_counter() - begin
    rows = held["row"].to_numpy()
    used = [column.name for column in result.profile.columns if column.used]
    truth, losses, area = score_study(held, task)
    theirs = {peer: score_peer(peer, frame, used, target, rows, truth, task) for peer in PEERS}
    best = min(theirs, key=lambda peer: float(theirs[peer][0].mean()))
    their_losses, their_area = theirs[best]
    root = np.sqrt if task == "regression" else np.asarray
    ours, peer = float(root(losses.mean())), float(root(their_losses.mean()))
    difference = losses - their_losses
    is_worse = difference.mean() > 2 * difference.std(ddof=1) / np.sqrt(len(difference))
    ratio = max(ours, NEARLY_RIGHT) / max(peer, NEARLY_RIGHT)
    line = (
        f"{name:26}{frame.height:7,}  {ours:9.4g}{area:7.3f}  {peer:9.4g}{their_area:7.3f}  {ratio:5.3f}  "
        f"{result.verdict.chosen} / {best}, {seconds:.0f} s{'  WORSE' if is_worse else ''}"
    )
    return {"ratio": ratio, "worse": bool(is_worse), "line": line}


def score_study(held: Any, task: str) -> tuple[Any, Any, float]:
    if task == "regression":
        truth = held["truth"].to_numpy()
        return truth, (truth - held["prediction"].to_numpy()) ** 2, float("nan")
    labels = [name.removeprefix("probability_") for name in held.columns if name.startswith("probability_")]
    truth = held["truth"].cast(str).to_numpy()
    proba = held.select([f"probability_{label}" for label in labels]).to_numpy()
    return truth, *_of_classes(truth, proba, labels)


def _of_classes(truth: Any, proba: Any, labels: list[str]) -> tuple[Any, float]:
    from sklearn.metrics import roc_auc_score

    place = np.array([labels.index(label) for label in truth])
    losses = -np.log(np.clip(proba[np.arange(len(truth)), place] / proba.sum(axis=1), LEAST, 1))
    area = (
        roc_auc_score(place == 1, proba[:, 1]) if len(labels) == 2 and len(set(place)) == 2 else float("nan")
    )
    return losses, float(area)


def score_peer(
    peer: str, frame: Any, used: list[str], target: str, rows: Any, truth: Any, task: str
) -> tuple[Any, float]:
    X = _to_pandas(frame.select(used))
    if peer == "HistGradientBoosting":  # it refuses categories of more levels
        X = X[[name for name in X if X[name].dtype != "category" or X[name].nunique() <= MOST_LEVELS]]
    is_train = np.ones(frame.height, bool)
    is_train[rows] = False
    y = frame[target].to_numpy() if task == "regression" else frame[target].cast(str).to_numpy()
    train, test = X[is_train], X[~is_train]
    assert np.array_equal(y[rows], truth) or task == "regression"
    order = np.argsort(np.argsort(rows))  # hold-out rows come in the order of holdout.csv
    if task == "regression":
        predicted = PEERS[peer](task).fit(train, y[is_train]).predict(test)[order]
        return (truth - predicted) ** 2, float("nan")
    labels = sorted(set(y[is_train].tolist()) | set(truth.tolist()))
    codes = np.array([labels.index(label) for label in y[is_train]])
    known = np.unique(codes)  # xgboost wants 0, 1, 2, ... without gaps
    proba = PEERS[peer](task).fit(train, np.searchsorted(known, codes)).predict_proba(test)[order]
    full = np.zeros((len(proba), len(labels)))
    full[:, known] = proba
    return _of_classes(truth, full, labels)


def _to_pandas(frame: Any) -> Any:
    """Categories as such, everything else as numbers."""
    import pandas as pd

    columns = {}
    for column in frame.iter_columns():
        if column.dtype in (pl.String, pl.Categorical) or isinstance(column.dtype, pl.Enum):
            columns[column.name] = pd.Categorical(column.cast(pl.String).to_list())
        else:
            columns[column.name] = column.to_physical().cast(pl.Float64).to_numpy()
    return pd.DataFrame(columns).rename(columns=lambda name: "".join(c if c.isalnum() else "_" for c in name))


def _lightgbm(task: str) -> Any:
    import lightgbm

    kind = lightgbm.LGBMRegressor if task == "regression" else lightgbm.LGBMClassifier
    return kind(verbose=-1, n_jobs=2, random_state=0)


def _xgboost(task: str) -> Any:
    import xgboost

    kind = xgboost.XGBRegressor if task == "regression" else xgboost.XGBClassifier
    return kind(enable_categorical=True, n_jobs=2, random_state=0)


def _hist_gradient_boosting(task: str) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingRegressor if task == "regression" else HistGradientBoostingClassifier
    return kind(categorical_features="from_dtype", random_state=0)


PEERS = {"LightGBM": _lightgbm, "XGBoost": _xgboost, "HistGradientBoosting": _hist_gradient_boosting}


if __name__ == "__main__":
    main()
