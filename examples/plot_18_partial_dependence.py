"""
What a column does to the prediction
====================================

Partial dependence on the age, averaged over passengers.
"""

from hedgerow import HistGradientBoostingClassifier, datasets

titanic = datasets.titanic()
model = HistGradientBoostingClassifier(max_iter=50).fit(titanic.table, titanic.target)
found = model.partial_dependence("age", titanic.table)
print(found)
axes = found.draw()
