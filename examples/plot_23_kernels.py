"""
A kernel bends the boundary
===========================

The same rows, three kernels.
"""

import matplotlib.pyplot as plt
import numpy as np

from hedgerow import SVC

random = np.random.default_rng(0)
X = random.normal(size=(200, 2))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
grid = np.stack(np.meshgrid(np.linspace(-3, 3, 80), np.linspace(-3, 3, 80)), axis=-1)
figure, panels = plt.subplots(1, 3, figsize=(9, 3.2), sharey=True)
for panel, kernel in zip(panels, ("linear", "poly", "rbf"), strict=True):
    model = SVC(kernel=kernel, degree=2, C=10).fit(X, y)
    scores = model.decision_function(grid.reshape(-1, 2)).reshape(80, 80)
    panel.contourf(grid[..., 0], grid[..., 1], scores > 0, alpha=0.25, cmap="coolwarm")
    panel.scatter(*X.T, c=y, s=8, cmap="coolwarm")
    panel.set(title=f"{kernel}: {model.score(X, y):.0%} right", xlabel="first column")
panels[0].set_ylabel("second column")
