"""A hold-out that is predicted worse than the folds is said: how often where nothing is wrong?

Tables as those of whole studies, whose hold-out is drawn from the same rows; a tree, a linear SVM and gradient boosting
on three folds. Below it the same tables with rows in the order of time, the last fifth of which are moved: there it
should be said, the oftener the farther.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl
from joblib import Parallel, delayed

from hedgerow.studies.options import StudyOptions
from hedgerow.studies.run import run_study
from simulations.population import share
from simulations.studies import KINDS

ROWS = (40, 100, 300, 1000)
DRAWS = 60
MOVED = (0.5, 1.0, 2.0)  # standard deviations of the columns that the target is made of
CLASSES = [kind for kind in KINDS if kind not in ("numbers", "skewed errors")]
FEWEST = 5  # rows of a class
BEGIN = "The hold-out is predicted worse than the folds"


def is_said(kind: str, n: int, seed: int, moved: float = 0.0) -> bool | None:
    """None of a table that no study takes: the hold-out would lack a class."""
    random = np.random.default_rng([list(KINDS).index(kind), n, seed])
    rows = KINDS[kind](n, random)
    if moved:
        late = pl.int_range(n) >= 0.8 * n
        rows = rows.with_columns(pl.when(late).then(pl.col("x0") + moved).otherwise(pl.col("x0")).alias("x0"))
        rows = rows.with_columns(day=pl.int_range(n))
    time = "day" if moved else None
    counts = rows["y"].value_counts()["count"]
    if kind in CLASSES and (len(counts) < 2 or counts.min() < FEWEST):
        return None
    result = run_study(rows, StudyOptions("y", time=time, random_state=seed, n_jobs=1, quick=True)).result
    return any(note.text.startswith(BEGIN) for note in result.notes)


def table(part: float) -> Iterator[str]:
    each = max(2, int(DRAWS * part))
    yield "| target | " + " | ".join(f"{n} rows" for n in ROWS) + " | all, % |"
    yield "|---" * (len(ROWS) + 2) + "|"
    for kind in KINDS:
        yield _line(kind, [_draw(kind, n, each, 0.0) for n in ROWS])
    yield "\n| numbers, columns of the hold-out moved by | 300 rows | 1000 rows | all, % |"
    yield "|---" * 4 + "|"
    for moved in MOVED:
        yield _line(
            f"{moved:g} standard deviation{'s' * (moved != 1)}",
            [_draw("numbers", n, each, moved) for n in ROWS[2:]],
        )


def _draw(kind: str, n: int, each: int, moved: float) -> list[bool]:
    found = Parallel(n_jobs=2)(delayed(is_said)(kind, n, seed, moved) for seed in range(each))
    return [one for one in found if one is not None]


def _line(title: str, found: list[list[bool]]) -> str:
    every = [one for some in found for one in some]
    counts = " | ".join(f"{sum(some)} of {len(some)}" for some in found)
    return f"| {title} | {counts} | {share(sum(every), len(every))} |"
