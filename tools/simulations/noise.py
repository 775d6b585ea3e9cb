"""Studies of tables in which nothing predicts the target: how often is a model recommended all the same?

Wanted is at most 5 in 100.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl
from joblib import Parallel, delayed

from hedgerow.studies.options import StudyOptions
from hedgerow.studies.run import run_study
from simulations.population import share

PANEL = ("stump", "tree", "forest", "adaboost", "gradient_boosting", "linear_svm", "svm", "blend")
KINDS = ("two classes", "one in ten", "three classes", "numbers", "skewed numbers")


def noise(kind: str, n: int, random: np.random.Generator) -> pl.DataFrame:
    """Numbers, a category, and a target that knows none of them."""
    cells = {f"x{j}": random.normal(size=n) for j in range(4)} | {
        "town": random.choice(["ash", "elm", "oak"], n)
    }
    y = {
        "two classes": random.choice(["a", "b"], n),
        "one in ten": random.choice(["a", "b"], n, p=[0.1, 0.9]),
        "three classes": random.choice(["a", "b", "c"], n),
        "numbers": random.normal(size=n),
        "skewed numbers": np.exp(random.normal(size=n)),
    }[kind]
    return pl.DataFrame(cells | {"y": y})


def is_recommended(kind: str, seed: int, panel: tuple[str, ...] = PANEL) -> bool:
    random = np.random.default_rng([KINDS.index(kind), seed])
    table = noise(kind, int(random.integers(150, 400)), random)
    options = StudyOptions("y", models=panel, folds=5, repeats=2 - seed % 2, random_state=seed, n_jobs=1)
    return run_study(table, options).result.verdict.is_recommended


def table(part: float) -> Iterator[str]:
    each = max(2, int(100 * part))
    yield "| target | studies | recommended a model, % |"
    yield "|---|---|---|"
    for kind in KINDS:
        hits = sum(Parallel(n_jobs=2)(delayed(is_recommended)(kind, seed) for seed in range(each)))
        yield f"| {kind} | {each} | {share(hits, each)} |"
