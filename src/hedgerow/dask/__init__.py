"""dask: gradient boosting and forests on a Dask cluster, the same model to the bit as on one machine.

    grower.py    one tree from histograms that come from anywhere
    wide.py      sums of 2^30 rows and more
    shard.py     the rows of one worker, and what a fit knows of them
    cluster.py   steps on all shards: plain tasks, added up
    pieces.py    partitions -> pieces -> shards
    fit.py       all of it
    forest.py    trees and forests: trees by worker, or by counts
    tree_fit.py, tree_grower.py, tree_shard.py    trees by counts, where no worker has room for all rows
    tasks.py     fits of a study as tasks
    estimators.py   scikit-learn's face: fit on collections, lazy predictions, to_local

Dask's own scheduler and messages only. It comes with `pip install hedgerow[dask]`.
"""

try:
    import distributed  # noqa: F401
except ImportError as reason:
    raise ImportError(
        "hedgerow.dask needs Dask, which is not installed. Install it: pip install 'hedgerow[dask]'"
    ) from reason

from hedgerow.dask.estimators import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
]
