"""dask: gradient boosting and forests on a Dask cluster, the same model to the bit as on one machine.

    pieces.py    partitions -> pieces: rows as a model reads them, on the worker that has them
    steps.py     steps on all workers, each with its shard of the rows: answers, added up
    boosting     gradient boosting: rounds, a tree from histograms, sums of 2^30 rows and more
    trees        trees and forests: grown by one worker each, or from sums where no worker has room for all rows
    keys.py      random numbers of the compiled growers
    memory.py    whether the workers have room
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
