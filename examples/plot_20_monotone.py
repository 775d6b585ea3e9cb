"""
Prices that may only rise
=========================

A monotonic constraint follows knowledge that rows alone do not carry.
"""

import matplotlib.pyplot as plt
import numpy as np

from hedgerow import HistGradientBoostingRegressor

random = np.random.default_rng(0)
x = np.sort(random.uniform(0, 10, 150))
price = np.sqrt(x) + random.normal(0, 0.3, 150)
free = HistGradientBoostingRegressor(min_samples_leaf=5).fit(x[:, None], price)
rising = HistGradientBoostingRegressor(min_samples_leaf=5, monotonic_cst=[1]).fit(x[:, None], price)
figure, axes = plt.subplots()
axes.plot(x, price, ".", color="0.6", label="rows")
axes.plot(x, free.predict(x[:, None]), "--", label="free")
axes.plot(x, rising.predict(x[:, None]), label="only rising")
axes.set(xlabel="size", ylabel="price")
axes.legend()
