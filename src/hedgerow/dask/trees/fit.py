"""Trees and forests on a Dask cluster.   In: an unfitted estimator and collections.   Out: it, fitted: the model of one
machine, to the bit.

    partitions -> all rows on one worker -> copies on the others, as far as they have room -> a share of the trees each

A tree depends on the rows, the seed and its number alone (ensemble/forest.py), so that it does not matter who grows it.
Where no worker has room for all rows, they are grown by sums (spread.py), with `max_bins`.
"""

import copy
import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.core.criteria import CRITERIA, RATIO_CRITERIA
from hedgerow.dask.keys import mix
from hedgerow.dask.memory import memory_limits
from hedgerow.dask.pieces import Parts, check_names, delayed
from hedgerow.dask.trees.spread import SpreadRows, grow_spread
from hedgerow.encode.encoded import MOST_BINS
from hedgerow.ensemble.draws import draw_size
from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.trees import Trees, parts_of
from hedgerow.estimators.tree import validate
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.tree import keep_grown
from hedgerow.fitting.validate import draw_seed
from hedgerow.prune import cut_path
from hedgerow.store.kinds.forest import NOBODY_KNOWS
from hedgerow.tree.cut import cut

BYTES_PER_CELL = 32  # while a forest grows: as it came, as a Table, as codes, and while one becomes the other
BYTES_PER_ROW = 64


def fit_tree(model: Any, client: Any, X: Any, y: Any, weight: Any, parts: Parts) -> None:
    """As fit_forest, for one tree."""
    workers, why = _find_room(client, X, parts)
    if not workers:
        _fit_spread_tree(model, client, parts, why)
        return
    rows = [None if one is None else client.compute(one, workers=workers) for one in (X, y, weight)]
    _take_over(model, client.submit(fit_whole, copy.copy(model), *rows, workers=workers, pure=False).result())


def fit_whole(model: Any, X: Any, y: Any, weight: Any) -> Any:
    return model.fit(X, y, weight)


def fit_forest(model: Any, client: Any, X: Any, y: Any, weight: Any, parts: Parts) -> None:
    """`X`, `y`, `weight`: collections of Dask; `parts`: the same as delayed partitions."""
    if model.warm_start or model.stop is not None:
        raise ValueError(
            f"warm_start={model.warm_start!r}, stop={model.stop!r}: on a cluster all trees are grown at once. Leave "
            "both out, or fit on one machine."
        )
    n_trees = model._checked_numbers()
    workers, why = _find_room(client, X, parts)
    if not workers:
        _fit_spread_forest(model, client, parts, n_trees, why)
        return
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
    _take_over(model, fitted)


def _take_over(model: Any, fitted: Any) -> None:
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
    from hedgerow.dask.steps import own_threads

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


def _find_room(client: Any, X: Any, parts: Parts) -> tuple[list[str], str]:
    """Workers with memory for all rows; why there are none."""
    shapes = client.gather(client.compute([delayed(find_shape)(rows) for rows, _, _ in parts]))
    n_rows = sum(many for many, _ in shapes)
    n_columns = X.shape[1]
    wanted = n_rows * (BYTES_PER_CELL * n_columns + BYTES_PER_ROW)
    limit = memory_limits(client)
    found = [name for name, own in limit.items() if own == 0 or own >= wanted]  # 0: no limit
    if found:
        check_names({k: names for k, (_, names) in enumerate(shapes)})
    most = max(limit.values(), default=0)
    return found, (
        f"{n_rows:,} rows of {n_columns} columns want {wanted / 1e9:.2f} GB on each worker that grows trees, but "
        f"the largest of {len(limit)} has {most / 1e9:.2f} GB."
    )


def find_shape(rows: Any) -> tuple[int, tuple[Any, ...]]:
    """How many rows, and the names of the columns, if they have names."""
    return len(rows), tuple(getattr(rows, "columns", ()))


# --- rows that fit no worker


def _fit_spread_tree(model: Any, client: Any, parts: Parts, why: str) -> None:
    params = validate(model)
    _check_spread(model, params, why)
    rows = SpreadRows(model, client, parts, params)
    _set_classes(model, rows)
    names = list[Any]() if rows.classes is None else rows.classes.tolist()
    total = float(rows.n_used) if rows.weights is None else rows.weights.total
    limits = params.limits(rows.n_used, len(rows.schema.names), total)
    keys = [mix(draw_seed(params.random_state))]
    (tree,), _, n_missing = grow_spread(rows, params, limits, "all", rows.n_used, 0, keys, relative=False)
    missing = frozenset(np.flatnonzero(n_missing).tolist())
    model._keep(keep_grown(tree, rows.schema, params, limits, names, missing))


def _fit_spread_forest(model: Any, client: Any, parts: Parts, n_trees: int, why: str) -> None:
    params = validate(model._one_tree())
    _check_spread(model, params, why)
    rows = SpreadRows(model, client, parts, params)
    _set_classes(model, rows)
    if rows.classes is not None:
        rows.weigh_draws(model)
    model._older_trees(n_trees)  # draws the seed
    how = model._how()
    size = draw_size(how, model.max_samples, rows.n_used)
    limits = replace(
        params.limits(rows.n_used, len(rows.schema.names), rows.mean_tree_weight(how, size)),
        redraw=bool(model.redraw),
    )
    keys = [mix(native.tree_seed(model._seed, t)) for t in range(n_trees)]
    trees, _, n_missing = grow_spread(rows, params, limits, how, size, model._seed, keys, relative=True)
    if params.ccp_alpha > 0:
        trees = [cut(tree, cut_path(tree).mask(params.ccp_alpha)) for tree in trees]
    model.forest_, model.schema_ = Forest(Trees(trees), NOBODY_KNOWS), rows.schema
    model.max_features_, model._missing = limits.max_features, frozenset(np.flatnonzero(n_missing).tolist())
    model._forget_rows()


def _set_classes(model: Any, rows: SpreadRows) -> None:
    model.n_outputs_ = 1
    if rows.classes is not None:
        model.classes_, model.n_classes_ = rows.classes, len(rows.classes)


def _check_spread(model: Any, params: TreeParams, why: str) -> None:
    """Says that trees are grown by sums; or why they cannot be."""
    if CRITERIA[params.criterion].median:
        raise ValueError(
            f"{why} Trees are then grown by sums, and criterion={params.criterion!r} asks for medians, which are none. "
            "Use criterion='squared_error', or give workers more memory."
        )
    usual: dict[str, Any] = {
        "monotonic_cst": None,
        "max_leaf_nodes": None,
        "splits": "binary",
        "missing": "learned",
        "oob_score": False,
        "trace": False,
    }
    for name, wanted in usual.items():
        if getattr(model, name, wanted) != wanted:
            raise ValueError(
                f"{why} Trees are then grown by sums, which {name}={getattr(model, name)!r} does not go along with. "
                f"Give {name}={wanted!r}, or workers more memory."
            )
    if params.criterion in RATIO_CRITERIA or (params.prune is not None and params.prune.needs != "nothing"):
        raise ValueError(
            f"{why} Trees are then grown by sums: by criterion='gini' or 'entropy', and without a pruning that "
            "judges branches by rows. Leave these out, or give workers more memory."
        )
    bins = params.max_bins or MOST_BINS
    warnings.warn(f"{why} Trees are grown by sums from all workers: those of max_bins={bins}.", stacklevel=6)
