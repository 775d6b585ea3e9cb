"""
Tables larger than memory
=========================

Rows are read block by block; the model is the same to the bit.
"""

import numpy as np
import polars as pl

from hedgerow import HistGradientBoostingClassifier, TableStream

random = np.random.default_rng(0)
rows = pl.DataFrame(random.normal(size=(20_000, 5)), schema=[f"x{j}" for j in range(5)])
rows = rows.with_columns(y=(pl.col("x0") + pl.col("x1") > 0).cast(pl.Int64))
model = HistGradientBoostingClassifier(max_iter=20, early_stopping=False)
model.fit(TableStream(rows.lazy(), block_rows=4096), "y")
print(f"accuracy {model.score(rows.drop('y'), rows['y'].to_numpy()):.3f}")
axes = model.partial_dependence("x0", rows.drop("y").head(2000)).draw()
