"""
The same model on a Dask cluster
================================

Rows stay on their workers, and the model is that of one machine, to the bit. Here the cluster is two threads of this
process.
"""

import dask.array as da
import numpy as np
from distributed import Client

from hedgerow import HistGradientBoostingClassifier
from hedgerow.dask import HistGradientBoostingClassifier as OnCluster

random = np.random.default_rng(0)
X = random.normal(size=(4_000, 5))
y = (X[:, 0] + X[:, 1] ** 2 > 1).astype(int)
with Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None):
    far = OnCluster(max_iter=20, early_stopping=False).fit(
        da.from_array(X, chunks=(1_000, 5)), da.from_array(y, chunks=1_000)
    )
near = HistGradientBoostingClassifier(max_iter=20, early_stopping=False).fit(X, y)
print("the same model:", np.array_equal(far.to_local().predict_proba(X), near.predict_proba(X)))
axes = far.to_local().partial_dependence(1, X).draw()
