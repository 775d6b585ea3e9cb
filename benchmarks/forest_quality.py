"""Held-out accuracy of a forest of 100 trees beside scikit-learn's and, if R has it, ranger's.

    python benchmarks/forest_quality.py [letter spambase adult covertype covertype_100k]

Data are read from ../shared/data. Adult goes to hedgerow with its categories as they are; scikit-learn gets them
one-hot, ranger as factors. The mean over three seeds, and its spread.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEEDS, TREES = 3, 100
RANGER = """
library(ranger)
train <- read.csv("{folder}/train.csv", stringsAsFactors=TRUE)
test <- read.csv("{folder}/test.csv", stringsAsFactors=TRUE)
train$y <- factor(train$y)
for (j in names(test)) if (is.factor(train[[j]])) test[[j]] <- factor(test[[j]], levels=levels(train[[j]]))
for (s in 1:{seeds}) {{
  m <- ranger(y ~ ., train, num.trees={trees}, min.node.size=1, probability=TRUE, num.threads=2, seed=s,
              respect.unordered.factors="order")
  p <- predict(m, test)$predictions
  cat(mean(colnames(p)[max.col(p, ties.method="first")] == as.character(test$y)), "")
}}
"""


def load(name: str) -> tuple[polars.DataFrame, np.ndarray]:
    frame = polars.read_parquet(DATA / f"{name.removesuffix('_100k')}.parquet")
    known = ("cover_type", "class", "target", "lettr", "letter", "income", "spam", "y", "is_spam", "type")
    target = next((c for c in frame.columns if c.lower() in known), frame.columns[-1])
    y = np.unique(frame[target].cast(polars.String).to_numpy(), return_inverse=True)[1]
    frame = frame.drop(target)
    if name.endswith("_100k"):
        part = np.random.default_rng(1).permutation(len(y))[:100_000]
        return frame[part], y[part]
    return frame, y


def halves(name: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Letter and covertype by their standard split, the others two thirds to one."""
    if name == "letter":
        return np.arange(16_000), np.arange(16_000, n)
    if name == "covertype":
        return np.arange(15_120), np.arange(15_120, n)
    order = np.random.default_rng(0).permutation(n)
    return order[: 2 * n // 3], order[2 * n // 3 :]


def ours(frame: polars.DataFrame, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> list[float]:
    from hedgerow import RandomForestClassifier

    models = (RandomForestClassifier(TREES, random_state=s, n_jobs=2) for s in range(SEEDS))
    return [float(np.mean(m.fit(frame[train], y[train]).predict(frame[test]) == y[test])) for m in models]


def theirs(frame: polars.DataFrame, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> list[float]:
    from sklearn.ensemble import RandomForestClassifier

    X = frame.to_dummies([c for c in frame.columns if not frame[c].dtype.is_numeric()]).to_numpy()
    models = (RandomForestClassifier(TREES, random_state=s, n_jobs=2) for s in range(SEEDS))
    return [float(np.mean(m.fit(X[train], y[train]).predict(X[test]) == y[test])) for m in models]


def ranger(frame: polars.DataFrame, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        whole = frame.rename({c: f"f{j}" for j, c in enumerate(frame.columns)})
        whole = whole.with_columns(polars.Series("y", y), polars.col(polars.String).fill_null("missing"))
        whole[train].write_csv(f"{folder}/train.csv")
        whole[test].write_csv(f"{folder}/test.csv")
        code = RANGER.format(folder=folder, seeds=SEEDS, trees=TREES)
        done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True)
    return [float(x) for x in done.stdout.split()] if done.returncode == 0 else []


def main() -> None:
    for name in sys.argv[1:] or ["letter", "spambase", "adult", "covertype_100k", "covertype"]:
        frame, y = load(name)
        train, test = halves(name, len(y))
        line = f"{name:15s} {len(train):7d} / {len(test):6d}"
        for label, score in (("hedgerow", ours), ("scikit-learn", theirs), ("ranger", ranger)):
            try:
                found = score(frame, y, train, test)
            except FileNotFoundError:
                found = []
            line += f"  {label} {100 * np.mean(found):.2f} +- {100 * np.std(found):.2f}" if found else ""
        print(line, flush=True)


if __name__ == "__main__":
    main()
