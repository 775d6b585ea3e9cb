"""
Boosted neurons are a network
=============================

Each round adds a neuron; twelve of them are one hidden layer, and their sum bends around the circle.
"""

import numpy as np

from hedgerow import BoostedNeuronsClassifier

random = np.random.default_rng(0)
X = random.normal(size=(300, 2))
y = np.where((X**2).sum(axis=1) < 1.2, "inside", "outside")
model = BoostedNeuronsClassifier(n_estimators=12, random_state=0).fit(X, y)
print(f"accuracy {model.score(X, y):.3f}")
figure = model.draw_rounds(X, y)
