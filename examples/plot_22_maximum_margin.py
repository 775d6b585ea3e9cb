"""
The widest margin, with a certificate
=====================================

Every row outside the margin, and a proof that no wider one exists.
"""

import matplotlib.pyplot as plt
import numpy as np

from hedgerow import SVC

random = np.random.default_rng(1)
X = np.vstack([random.normal(-2, 0.7, (30, 2)), random.normal(2, 0.7, (30, 2))])
y = np.repeat([0, 1], 30)
model = SVC(kernel="linear", C=np.inf).fit(X, y)
print(model.certificate_)
figure, axes = plt.subplots()
axes.scatter(*X.T, c=y, cmap="coolwarm", s=18)
axes.scatter(*model.support_vectors_.T, s=110, facecolors="none", edgecolors="black", label="support vectors")
line = np.linspace(-4, 4, 2)
(a, b), c = model.coef_[0], model.intercept_[0]
for level, style in ((-1, "--"), (0, "-"), (1, "--")):
    axes.plot(line, (level - c - a * line) / b, style, color="black")
axes.set(xlim=(-4, 4), ylim=(-4, 4), xlabel="first column", ylabel="second column")
axes.legend()
