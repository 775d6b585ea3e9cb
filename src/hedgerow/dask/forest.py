"""Forests on a Dask cluster.   In: an unfitted forest and collections.   Out: it, fitted: the forest of one machine, to
the bit.

    partitions -> all rows on one worker -> copies on the others, as far as they have room -> a share of the trees each

A tree depends on the rows, the seed and its number alone (ensemble/forest.py), so that it does not matter who grows it.
"""

import copy
import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.trees import Trees, parts_of
from hedgerow.store.kinds.forest import NOBODY_KNOWS

BYTES_PER_CELL = 32  # while a forest grows: as it came, as a Table, as codes, and while one becomes the other
BYTES_PER_ROW = 64


def fit_forest(model: Any, client: Any, X: Any, y: Any, weight: Any) -> None:
    """`X`, `y`, `weight`: collections of Dask."""
    if model.warm_start or model.stop is not None:
        raise ValueError(
            f"warm_start={model.warm_start!r}, stop={model.stop!r}: on a cluster all trees are grown at once. Leave "
            "both out, or fit on one machine."
        )
    n_trees = model._checked_numbers()
    workers = _find_room(client, X)
    rows = [None if one is None else client.compute(one, workers=workers) for one in (X, y, weight)]
    model._older_trees(n_trees)  # draws the seed
    bare = copy.copy(model)
    ends = np.linspace(0, n_trees, min(n_trees, len(workers)) + 1).round().astype(int).tolist()
    tasks = [
        client.submit(grow_trees, bare, *rows, first, end, workers=workers, pure=False)
        for first, end in pairwise(ends)
    ]
    if model.oob_score:
        fitted = client.submit(join_trees, bare, *rows, tasks, workers=workers, pure=False).result()
    else:
        first, *others = client.gather(tasks)
        fitted = _with_trees(
            first, [part for one in (first, *others) for part in parts_of(one.forest_.trees)]
        )
    own = model.get_params()
    model.__dict__.update({name: value for name, value in vars(fitted).items() if name not in own})


def grow_trees(model: Any, X: Any, y: Any, weight: Any, first: int, end: int) -> Any:
    """The model with trees first .. end - 1 alone."""
    grown = _grow_after([None] * first, model, X, y, weight, end, False)
    return _with_trees(grown, parts_of(grown.forest_.trees)[first:])


def join_trees(model: Any, X: Any, y: Any, weight: Any, grown: list[Any]) -> Any:
    """All trees, and what they say of rows out of their bags."""
    trees = [part for one in grown for part in parts_of(one.forest_.trees)]
    return _grow_after(trees, model, X, y, weight, len(trees), model.oob_score)


def _grow_after(
    trees: Sequence[Any], model: Any, X: Any, y: Any, weight: Any, end: int, oob_score: Any
) -> Any:
    """By a warm start, which grows the trees that follow those that are there."""
    from hedgerow.dask.cluster import own_threads

    given = {name: getattr(model, name) for name in ("warm_start", "n_estimators", "oob_score", "n_jobs")}
    made = _with_trees(model, trees)
    made.set_params(warm_start=True, n_estimators=end, oob_score=oob_score, n_jobs=own_threads())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Warm-start fitting without increasing")
        made._grow(X, y, weight)
    return made.set_params(**given)


def _with_trees(model: Any, trees: Sequence[Any]) -> Any:
    made = copy.copy(model)
    draws = model.forest_.draws if hasattr(model, "forest_") else NOBODY_KNOWS
    made.forest_ = Forest(Trees(trees), draws)
    return made


def _find_room(client: Any, X: Any) -> list[str]:
    """Workers with memory for all rows."""
    from dask import delayed

    n_rows = sum(client.gather(client.compute([delayed(len)(part) for part in np.ravel(X.to_delayed())])))
    n_columns = X.shape[1]
    wanted = n_rows * (BYTES_PER_CELL * n_columns + BYTES_PER_ROW)
    limit = {
        name: worker["memory_limit"]
        for name, worker in client.scheduler_info(n_workers=-1)["workers"].items()
    }
    found = [name for name, own in limit.items() if own == 0 or own >= wanted]  # 0: no limit
    if not found:
        most = max(limit.values(), default=0)
        raise MemoryError(
            f"{n_rows:,} rows of {n_columns} columns want {wanted / 1e9:.2f} GB on each worker that grows trees, but "
            f"the largest of {len(limit)} has {most / 1e9:.2f} GB. Give workers more memory, fit a part of the rows, "
            "or use hedgerow.dask.HistGradientBoosting*, whose rows may lie on several."
        )
    return found
