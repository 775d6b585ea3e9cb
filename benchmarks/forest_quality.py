"""Held-out accuracy of forests of 100 trees: hedgerow's, scikit-learn's and, where R has it, ranger's.

    python benchmarks/forest_quality.py                         all data sets
    python benchmarks/forest_quality.py adult --repeats 10      one of them, ten forests each

Data are read from ../shared/data, a folder of parquet files beside the repository. Letter, adult and covertype have a
standard split and are trained on it with several seeds; spam and the sample of covertype are split anew each time,
for all models alike. Adult goes to hedgerow as it is; scikit-learn gets its categories one-hot or as ordinal codes,
ranger as factors (ordered by the target's mean, or in the order of their names; all partitions of 41 levels have no
end). Printed: mean accuracy in percent and its standard error over the repeats, and hedgerow less the model, repeat
by repeat.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
TREES, THREADS = 100, 1
RANGER = """
library(ranger)
train <- read.csv("{folder}/train.csv", stringsAsFactors=TRUE, na.strings=character())
test <- read.csv("{folder}/test.csv", stringsAsFactors=TRUE, na.strings=character())
train$y <- factor(train$y)
for (j in names(test)) if (is.factor(train[[j]])) test[[j]] <- factor(test[[j]], levels=levels(train[[j]]))
m <- ranger(y ~ ., train, num.trees={trees}, min.node.size=1, probability=TRUE, num.threads={threads}, seed={seed},
            verbose=FALSE, respect.unordered.factors="{factors}")
p <- predict(m, test, num.threads={threads}, verbose=FALSE)$predictions
cat("@", mean(colnames(p)[max.col(p, ties.method="first")] == as.character(test$y)))
"""


@dataclass(frozen=True)
class Set:
    file: str
    target: str
    repeats: int
    # Rows before the first are for training, from the second on for testing
    split: tuple[int, int] | None = None
    sample: int | None = None  # rows of a random sample, two thirds of them for training


SETS = {
    "letter": Set("letter", "lettr", 10, (16_000, 16_000)),
    "spam": Set("spambase", "type", 30, sample=4_601),
    "adult": Set("adult", "income", 8, (32_561, 32_561)),
    "covertype_100k": Set("covertype", "Cover_Type", 3, sample=100_000),
    "covertype": Set("covertype", "Cover_Type", 3, (11_340, 15_120)),  # 3,780 rows between are for validation
}


@dataclass(frozen=True)
class Task:
    train: polars.DataFrame
    train_y: np.ndarray
    test: polars.DataFrame
    test_y: np.ndarray
    seed: int


def task_of(given: Set, folder: Path, seed: int) -> Task:
    frame = polars.read_parquet(folder / f"{given.file}.parquet")
    y = np.unique(frame[given.target].cast(polars.String).to_numpy(), return_inverse=True)[1]
    frame = frame.drop(given.target)
    frame = frame.with_columns(polars.col(polars.Categorical).cast(polars.String))
    if given.split:
        train, test = np.arange(given.split[0]), np.arange(given.split[1], len(y))
    else:
        part = np.random.default_rng(seed).permutation(len(y))[: given.sample]
        train, test = np.split(part, [2 * len(part) // 3])
    return Task(frame[train], y[train], frame[test], y[test], seed)


def words(frame: polars.DataFrame) -> list[str]:
    return [name for name in frame.columns if frame[name].dtype == polars.String]


def hedgerow(task: Task, redraw: bool = True) -> float:
    from hedgerow import RandomForestClassifier

    model = RandomForestClassifier(TREES, redraw=redraw, random_state=task.seed, n_jobs=THREADS)
    model.fit(task.train, task.train_y)
    return float(np.mean(model.predict(task.test) == task.test_y))


def scikit_learn(task: Task, codes: str) -> float:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    encoder = {
        "one-hot": OneHotEncoder(handle_unknown="ignore", sparse_output=False, dtype=np.float32),
        "ordinal": OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, dtype=np.float32),
    }[codes]
    model = make_pipeline(
        make_column_transformer((encoder, words(task.train)), remainder="passthrough"),
        RandomForestClassifier(TREES, random_state=task.seed, n_jobs=THREADS),
    )
    model.fit(task.train, task.train_y)
    return float(np.mean(model.predict(task.test) == task.test_y))


def ranger(task: Task, factors: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        for name, frame, y in (("train", task.train, task.train_y), ("test", task.test, task.test_y)):
            plain = frame.rename({column: f"f{j}" for j, column in enumerate(frame.columns)})
            plain = plain.with_columns(polars.col(polars.String).fill_null("missing"), polars.Series("y", y))
            plain.write_csv(f"{folder}/{name}.csv")
        code = RANGER.format(folder=folder, seed=task.seed + 1, trees=TREES, threads=THREADS, factors=factors)
        done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=True)
    return float(done.stdout.rpartition("@")[2])


def models_for(name: str) -> dict[str, Callable[[Task], float]]:
    models: dict[str, Callable[[Task], float]] = {"hedgerow": hedgerow}
    if name != "adult":
        return models | {
            "scikit-learn": lambda task: scikit_learn(task, "ordinal"),
            "ranger": lambda task: ranger(task, "ignore"),
        }
    models["hedgerow, redraw=False"] = lambda task: hedgerow(task, redraw=False)
    for codes in ("one-hot", "ordinal"):
        models[f"scikit-learn, {codes}"] = lambda task, codes=codes: scikit_learn(task, codes)
    for factors in ("order", "ignore"):
        models[f"ranger, {factors}"] = lambda task, factors=factors: ranger(task, factors)
    return models


def has_ranger() -> bool:
    try:
        return subprocess.run(["Rscript", "-e", "library(ranger)"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def mean_and_error(numbers: list[float]) -> tuple[float, float]:
    hundred = 100 * np.array(numbers)
    return float(hundred.mean()), float(hundred.std(ddof=1) / np.sqrt(len(hundred)))


def compare(name: str, repeats: int, folder: Path, wanted: str | None) -> None:
    models = {label: model for label, model in models_for(name).items() if not wanted or wanted in label}
    if not has_ranger():
        models = {label: model for label, model in models.items() if not label.startswith("ranger")}
    found: dict[str, list[float]] = {label: [] for label in models}
    begin = time.perf_counter()
    for seed in range(repeats):
        task = task_of(SETS[name], folder, seed)
        for label, model in models.items():
            found[label].append(model(task))
        said = ", ".join(f"{label} {100 * each[-1]:.2f}" for label, each in found.items())
        print(f"{name} {seed}: {said}", file=sys.stderr, flush=True)
    rows = f"{len(task.train_y):,} / {len(task.test_y):,} rows"
    for label, accuracies in found.items():
        mean, error = mean_and_error(accuracies)
        line = f"| {name}, {rows} | {label} | {mean:.2f} ± {error:.2f} |"
        if label != "hedgerow" and "hedgerow" in found:
            less = [ours - theirs for ours, theirs in zip(found["hedgerow"], accuracies, strict=True)]
            line += " {:+.2f} ± {:.2f} |".format(*mean_and_error(less))
        print(line if line.count("|") == 5 else line + " |", flush=True)
    print(f"({repeats} repeats, {time.perf_counter() - begin:.0f} s)\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", choices=[[], *SETS], default=[], help="all if none is named")
    parser.add_argument("--repeats", type=int, help="forests a model; at least 2 for a standard error")
    parser.add_argument("--data", type=Path, default=SHARED, help="folder of the parquet files")
    parser.add_argument("--only", help="models whose name has this in it")
    args = parser.parse_args()
    for name in args.sets or SETS:
        compare(name, max(2, args.repeats or SETS[name].repeats), args.data, args.only)


if __name__ == "__main__":
    main()
