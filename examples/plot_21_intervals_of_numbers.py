"""
Intervals for numbers
=====================

Quantiles of what the forest has seen for such rows.
"""

import matplotlib.pyplot as plt
import numpy as np

from hedgerow import RandomForestRegressor

random = np.random.default_rng(0)
x = np.sort(random.uniform(0, 6, 400))
y = np.sin(x) + random.normal(0, 0.1 + 0.08 * x)
forest = RandomForestRegressor(200, min_samples_leaf=10, random_state=0).fit(x[:, None], y)
low, high = forest.predict_interval(x[:, None], 0.9).T
figure, axes = plt.subplots()
axes.fill_between(x, low, high, alpha=0.3, label="nine of ten rows")
axes.plot(x, y, ".", markersize=3, color="0.3", label="rows")
axes.set(xlabel="x", ylabel="y")
axes.legend()
