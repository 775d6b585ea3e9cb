"""
Would more rows help?
=====================

A power law through scores at growing numbers of rows.
"""

from hedgerow import DecisionTreeClassifier, datasets, learning_curve

titanic = datasets.titanic()
model = DecisionTreeClassifier(max_depth=4)
curve = learning_curve(model, titanic.table, titanic.target, progress=False)
print(curve)
axes = curve.draw()
