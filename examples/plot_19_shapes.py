"""
A glass box: one column a tree
==============================

With `interaction_cst="no_interactions"` the model is a sum of curves, with bands.
"""

from hedgerow import HistGradientBoostingClassifier, datasets

titanic = datasets.titanic()
model = HistGradientBoostingClassifier(interaction_cst="no_interactions", max_iter=60)
model.fit(titanic.table, titanic.target)
found = model.additive(titanic.table, titanic.target, n_refits=10)
print(found)
figure = found.draw()
