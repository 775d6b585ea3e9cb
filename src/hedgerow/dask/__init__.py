"""dask: gradient boosting on a Dask cluster, the same model to the bit as on one machine.

    grower.py    one tree from histograms that come from anywhere
    shard.py     the rows of one worker, and what a fit knows of them
    cluster.py   steps on all shards: plain tasks, added up
    pieces.py    partitions -> pieces -> shards
    fit.py       all of it
    estimators.py   scikit-learn's face: fit on collections, lazy predictions, to_local

Dask's own scheduler and messages only. It comes with `pip install hedgerow[dask]`.
"""

try:
    import distributed  # noqa: F401
except ImportError as reason:
    raise ImportError(
        "hedgerow.dask needs Dask, which is not installed. Install it: pip install 'hedgerow[dask]'"
    ) from reason

from hedgerow.dask.estimators import HistGradientBoostingClassifier, HistGradientBoostingRegressor

__all__ = ["HistGradientBoostingClassifier", "HistGradientBoostingRegressor"]
