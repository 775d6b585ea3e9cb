"""R's rpart: the table of one data set with given folds. Run as a script, it writes the stored answers again:

python tests/prune/rpart.py          (R with the package rpart must be installed)
"""

import io
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from hedgerow import datasets

STORED = Path(__file__).parent / "fixtures" / "rpart_cp.json"
SCRIPT = """
suppressMessages(library(rpart))
args <- commandArgs(trailingOnly = TRUE)
d <- read.csv(args[1], stringsAsFactors = TRUE)
if (args[2] == "class") d$y <- factor(d$y)
fold <- rep(1:10, length = nrow(d))
fit <- rpart(y ~ ., d, method = args[2],
             control = rpart.control(cp = as.numeric(args[3]), minsplit = 20, minbucket = 7, xval = fold,
                                     usesurrogate = 0, maxsurrogate = 0, maxcompete = 0))
write.csv(format(fit$cptable, digits = 17), row.names = FALSE, quote = FALSE)
"""
RULES = {"min_samples_split": 20, "min_samples_leaf": 7}


def sets() -> dict[str, tuple[pl.DataFrame, np.ndarray, str, float]]:
    """Rows without missing cells, target, rpart's method, cp. Splits tie in spam only, where its cp leaves them out."""
    spam, heart = datasets.spam(), datasets.heart().frame().drop_nulls()
    rng = np.random.default_rng(11)
    X = pl.DataFrame({f"x{k}": rng.normal(size=700).round(6) for k in range(5)})
    score = (X["x0"] + X["x1"] * X["x2"]).to_numpy() + rng.normal(size=700)
    return {
        "spam": (spam.frame().drop("type"), spam.target, "class", 0.005),
        "heart": (
            heart.drop("diameter narrowing"),
            heart["diameter narrowing"].cast(pl.String).to_numpy(),
            "class",
            0.0,
        ),
        "three classes": (X, np.digitize(score, [-0.7, 0.7]).astype(str), "class", 0.0),
        "numbers": (X, score.round(6), "anova", 0.001),
    }


@cache
def installed() -> bool:
    if shutil.which("Rscript") is None:
        return False
    return subprocess.run(["Rscript", "-e", "library(rpart)"], capture_output=True).returncode == 0


def cp_table_of_rpart(X: pl.DataFrame, y: np.ndarray, method: str, cp: float) -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        rows, script = Path(folder) / "rows.csv", Path(folder) / "fit.R"
        X.with_columns(y=pl.Series(y)).write_csv(rows)
        script.write_text(SCRIPT)
        command = ["Rscript", str(script), str(rows), method, str(cp)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return np.loadtxt(io.StringIO(done.stdout), delimiter=",", skiprows=1)


if __name__ == "__main__":
    tables = {name: cp_table_of_rpart(*given).tolist() for name, given in sets().items()}
    version = subprocess.run(
        ["Rscript", "-e", 'cat(as.character(packageVersion("rpart")))'],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    columns = ["CP", "nsplit", "rel error", "xerror", "xstd"]
    content = {
        "made by": f"rpart {version}, python tests/prune/rpart.py",
        "R": SCRIPT.strip(),
        "columns": columns,
    }
    STORED.write_text(json.dumps(content | {"tables": tables}, indent=1) + "\n")
