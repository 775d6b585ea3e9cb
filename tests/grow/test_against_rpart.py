"""Category splits against rpart, where R and rpart are installed."""

import shutil
import subprocess
from functools import cache

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.tree.tree import LEAF

# cp = -1: rpart takes back splits that do not lower its risk, for classes the error rate; this keeps them.
SCRIPT = """
suppressMessages(library(rpart))
args <- commandArgs(trailingOnly = TRUE)
d <- read.csv(args[1], stringsAsFactors = TRUE)
control <- rpart.control(cp = -1, minsplit = 12, minbucket = 5, maxdepth = 3, xval = 0, maxsurrogate = 0,
                         usesurrogate = 0, maxcompete = 0)
if (args[2] == "class") d$y <- factor(d$y)
fit <- rpart(y ~ ., d, weights = w_, method = args[2], control = control,
             parms = if (args[2] == "class") list(split = args[3]) else NULL)
cat(fit$where, sep = " ")
"""


@cache
def has_rpart() -> bool:
    if shutil.which("Rscript") is None:
        return False
    return (
        subprocess.run(["Rscript", "-e", "library(rpart)"], capture_output=True, check=False).returncode == 0
    )


def leaves_of_rpart(frame, method, split, folder):
    frame.to_csv(folder / "rows.csv", index=False)
    (folder / "fit.R").write_text(SCRIPT)
    command = ["Rscript", str(folder / "fit.R"), str(folder / "rows.csv"), method, split]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return np.array([int(word) for word in done.stdout.split()])


def table(seed, regression):
    import pandas as pd

    rng = np.random.default_rng(seed)
    n = 233
    frame = pd.DataFrame(
        {
            "a": rng.choice([f"a{k}" for k in range(9)], n),
            "b": rng.choice([f"b{k}" for k in range(5)], n),
            "x": rng.normal(size=n).round(6),
        }
    )
    effect = dict(zip([f"a{k}" for k in range(9)], rng.normal(size=9), strict=True))
    score = frame.a.map(effect) + 0.5 * frame.x + rng.normal(size=n)
    frame["y"] = score.round(6) if regression else np.where(score > 0, "yes", "no")
    frame["w_"] = np.ones(n)
    return frame


def same_parts(one, other):
    """Two labellings of rows that name the same groups."""
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


def improvement_everywhere(model):
    """rpart does not make a split that gains nothing."""
    tree = model.hedgerow_tree_
    inner = tree.kind != LEAF
    first = tree.first_child[inner]
    load = tree.weight * tree.impurity
    return ((load[inner] - load[first] - load[first + 1]) > 1e-9).all()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("what", ["gini", "information", "anova"])
def test_the_same_leaves_as_rpart(what, seed, tmp_path):
    pytest.importorskip("pandas")
    if not has_rpart():
        pytest.skip("R with the package rpart is not installed")
    frame = table(seed, what == "anova")
    X, y = frame[["a", "b", "x"]], frame["y"]
    method = "anova" if what == "anova" else "class"
    rules = {"max_depth": 3, "min_samples_split": 12, "min_samples_leaf": 5}
    if what == "anova":
        model = DecisionTreeRegressor(**rules).fit(X, y)
    else:
        criterion = {"gini": "gini", "information": "entropy"}[what]
        model = DecisionTreeClassifier(criterion=criterion, **rules).fit(X, y)
    assert improvement_everywhere(model)
    theirs = leaves_of_rpart(frame, method, what, tmp_path)
    assert same_parts(model.apply(X), theirs)
