"""The most accurate answer of a study against what people have: LightGBM, XGBoost and HistGradientBoosting, defaults.

    python benchmarks/study_accuracy.py                          every table of ../shared/data, at most 3,000 rows each
    python benchmarks/study_accuracy.py --rows 0 churn credit_g  all rows of these tables
    python benchmarks/study_accuracy.py --repeats 5 vote         five studies, means over their hold-outs

The study seals a hold-out; the peers learn from the same other rows, with the same columns, categories as such, and all
predict the same hold-out. Each cell is the log loss (of numbers: the root mean squared error) and, of two classes, the
area under the ROC curve. "best peer" is the best of the three on the hold-outs themselves, which no one knows before.
A line is "WORSE" where the study's rows lose more than the best peer's by more than two standard errors of the
difference, row by row (each row's difference averaged over the hold-outs it is in); "AUC WORSE" likewise, by DeLong's
components. A log loss below 0.01 counts as 0.01: both are nearly always right, and the ratio of two such numbers says
nothing. The last lines sum up each criterion over the tables.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
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
    parser.add_argument(
        "--repeats", type=int, default=1, help="studies of each table, with hold-outs of their own"
    )
    given = parser.parse_args()
    print(f"{'':26}{'rows':>7}  {'study':>9}{'AUC':>7}  {'best peer':>9}{'AUC':>7}  ratio  model / peer")
    found = []
    for name in given.tables:
        frame = pl.read_parquet(SHARED / f"{name}.parquet")
        if given.rows and frame.height > given.rows:
            frame = frame.sample(given.rows, seed=0)
        found.append(compare(name, frame.drop_nulls(TARGETS[name]), given.repeats))
        print(found[-1].line, flush=True)
    print("\n".join(summarize(found)))


@dataclass(frozen=True)
class Found:
    """Of one table. Below 1, and above 0, the study is better."""

    name: str
    line: str
    ratio: float  # of the losses, to that of the best peer
    area: float  # the difference of the areas, to that of the best peer by area; nan if there is none
    is_worse: bool
    is_worse_by_area: bool


def summarize(found: list[Found]) -> list[str]:
    """A line for each criterion."""
    classes = [one for one in found if one.name not in NUMBERS]
    numbers = [one for one in found if one.name in NUMBERS]
    lines = [
        f"{title}: {_count(len(some))}, geometric mean of the ratios "
        f"{np.exp(np.mean(np.log([one.ratio for one in some]))):.3f}, at least as good on "
        f"{sum(one.ratio <= 1 for one in some)}; {_name([one for one in some if one.is_worse])}"
        for title, some in (("all", found), ("log loss", classes), ("RMSE", numbers))
        if some
    ]
    areas = [one for one in found if one.area == one.area]
    if areas:
        lines.append(
            f"AUC: {_count(len(areas))}, mean difference {np.mean([one.area for one in areas]):+.4f}, at least as good "
            f"on {sum(one.area >= 0 for one in areas)}; {_name([one for one in areas if one.is_worse_by_area])}"
        )
    return lines


def _count(n: int) -> str:
    return f"{n} table{'s' if n > 1 else ''}"


def _name(worse: list[Found]) -> str:
    return f"clearly worse: {', '.join(one.name for one in worse) or 'none'}"


@dataclass(frozen=True)
class Answer:
    """Of one model on one hold-out."""

    loss: Any  # of each row
    scores: Any  # of each row, by which the AUC orders them; None if there is no AUC
    positive: Any  # of each row: is it of the second class?

    @property
    def area(self) -> float:
        from sklearn.metrics import roc_auc_score

        return float("nan") if self.scores is None else float(roc_auc_score(self.positive, self.scores))


def compare(name: str, frame: Any, repeats: int) -> Found:
    """Means over the repeats; the best peer is the best on average."""
    task, begin = "regression" if name in NUMBERS else "classification", time.perf_counter()
    root = np.sqrt if task == "regression" else np.asarray
    held, chosen = [], []
    answers: dict[str, list[Answer]] = {"study": [], **{peer: [] for peer in PEERS}}
    for random_state in range(repeats):
        rows, truth, used, model, ours = study(name, frame, task, random_state)
        held.append(rows)
        chosen.append(model)
        answers["study"].append(ours)
        for peer in PEERS:
            answers[peer].append(score_peer(peer, frame, used, TARGETS[name], rows, truth, task))
    means = {who: float(np.mean([root(one.loss.mean()) for one in some])) for who, some in answers.items()}
    best = min(PEERS, key=lambda peer: means[peer])
    ratio = max(means["study"], NEARLY_RIGHT) / max(means[best], NEARLY_RIGHT)
    losses = [mine.loss - theirs.loss for mine, theirs in zip(answers["study"], answers[best], strict=True)]
    is_worse = _is_above_zero(held, losses)
    areas = {who: float(np.mean([one.area for one in some])) for who, some in answers.items()}
    best_area = max(PEERS, key=lambda peer: areas[peer]) if areas["study"] == areas["study"] else best
    is_worse_by_area = areas["study"] < areas[best_area] and _is_above_zero(
        held, [_placements(*pair) for pair in zip(answers[best_area], answers["study"], strict=True)]
    )
    marks = "  WORSE" * is_worse + "  AUC WORSE" * is_worse_by_area
    models = ", ".join(
        f"{model} {chosen.count(model)}" if repeats > 1 else model for model in dict.fromkeys(chosen)
    )
    line = (
        f"{name:26}{frame.height:7,}  {means['study']:9.4g}{areas['study']:7.3f}  {means[best]:9.4g}"
        f"{areas[best_area]:7.3f}  {ratio:5.3f}  {models} / {best}, {time.perf_counter() - begin:.0f} s{marks}"
    )
    area = areas["study"] - areas[best_area]
    return Found(name, line, ratio, area, is_worse, is_worse_by_area)


def _is_above_zero(held: list[Any], differences: list[Any]) -> bool:
    """By more than two standard errors, of the means of each row over the hold-outs it is in."""
    rows, values = np.concatenate(held), np.concatenate(differences)
    number = np.unique(rows, return_inverse=True)[1]
    mean = np.bincount(number, values) / np.bincount(number)
    return bool(mean.mean() > 2 * mean.std(ddof=1) / np.sqrt(len(mean)))


def _placements(first: Answer, second: Answer) -> Any:
    """What each row adds to the difference of the areas, whose mean is the difference (DeLong's components)."""
    each = np.zeros(len(first.scores))
    for answer, sign in ((first, 1.0), (second, -1.0)):
        positive = answer.positive  # their classes may be in another order
        share = positive.mean()
        above, below = answer.scores[positive], answer.scores[~positive]
        wins = (above[:, None] > below) + 0.5 * (above[:, None] == below)
        area = wins.mean()
        each[positive] += sign * (area + (wins.mean(axis=1) - area) / share)
        each[~positive] += sign * (area + (wins.mean(axis=0) - area) / (1 - share))
    return each


def study(name: str, frame: Any, task: str, random_state: int) -> tuple[Any, Any, list[str], str, Answer]:
    """The rows of the hold-out, their truth, the columns used, the chosen model, and its answer."""
    import hedgerow

    with tempfile.TemporaryDirectory() as folder:
        result = hedgerow.study(
            frame, TARGETS[name], folder=folder, task=task, drop=DROP.get(name, ()), random_state=random_state,
            **({"scoring": "rmse"} if task == "regression" else {}),
        )  # fmt: skip
        held = pl.read_csv(Path(folder) / "holdout.csv", infer_schema_length=None)
    used = [column.name for column in result.profile.columns if column.used]
    truth, answer = score_study(held, task)
    return held["row"].to_numpy(), truth, used, result.verdict.chosen, answer


def score_study(held: Any, task: str) -> tuple[Any, Answer]:
    if task == "regression":
        truth = held["truth"].to_numpy()
        return truth, Answer((truth - held["prediction"].to_numpy()) ** 2, None, None)
    labels = [name.removeprefix("probability_") for name in held.columns if name.startswith("probability_")]
    truth = held["truth"].cast(str).to_numpy()
    proba = held.select([f"probability_{label}" for label in labels]).to_numpy()
    return truth, _of_classes(truth, proba, labels)


def _of_classes(truth: Any, proba: Any, labels: list[str]) -> Answer:
    place = np.array([labels.index(label) for label in truth])
    losses = -np.log(np.clip(proba[np.arange(len(truth)), place] / proba.sum(axis=1), LEAST, 1))
    has_area = len(labels) == 2 and len(set(place)) == 2
    return Answer(losses, proba[:, 1] if has_area else None, place == 1 if has_area else None)


def score_peer(
    peer: str, frame: Any, used: list[str], target: str, rows: Any, truth: Any, task: str
) -> Answer:
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
        return Answer((truth - predicted) ** 2, None, None)
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
