"""Studies of tables in which nothing predicts the target: how often is a model recommended all the same?

Wanted is at most 5 in 100. Tables of 32 to 300 rows, every other one with twelve more columns of noise; all models.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl
from joblib import Parallel, delayed

from hedgerow.studies.options import StudyOptions
from hedgerow.studies.run import run_study
from simulations.population import share

ROWS = (32, 40, 60, 100, 300)
FEWEST = 3  # rows of a class
KINDS = ("two classes", "one in ten", "three classes", "numbers", "skewed numbers")


def noise(kind: str, n: int, n_columns: int, random: np.random.Generator) -> pl.DataFrame:
    """Numbers, a category, and a target that knows none of them."""
    cells = {f"x{j}": random.normal(size=n) for j in range(n_columns)} | {
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


def is_recommended(kind: str, n: int, seed: int, models: tuple[str, ...] = ()) -> bool | None:
    """None of a table whose rare class has too few rows for a study."""
    random = np.random.default_rng([KINDS.index(kind), n, seed])
    rows = noise(kind, n, 4 if seed % 2 else 16, random)
    if rows["y"].dtype == pl.String and rows["y"].value_counts()["count"].min() < FEWEST:
        return None
    return run_study(
        rows, StudyOptions("y", models=models, random_state=seed, n_jobs=1)
    ).result.verdict.is_recommended


def table(part: float) -> Iterator[str]:
    each = max(1, int(20 * part))
    yield "| target | " + " | ".join(f"{n} rows" for n in ROWS) + " | all, % |"
    yield "|---" * (len(ROWS) + 2) + "|"
    for kind in KINDS:
        work = Parallel(n_jobs=2)
        drawn = [work(delayed(is_recommended)(kind, n, seed) for seed in range(each)) for n in ROWS]
        found = [[one for one in some if one is not None] for some in drawn]
        counts = " | ".join(f"{sum(some)} of {len(some)}" for some in found)
        yield f"| {kind} | {counts} | {share(sum(map(sum, found)), sum(map(len, found)))} |"
