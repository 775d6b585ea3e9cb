"""
Gradient boosting, and when to stop
===================================

The loss of held-out rows after each round.
"""

from hedgerow import HistGradientBoostingClassifier, datasets

titanic = datasets.titanic()
model = HistGradientBoostingClassifier(early_stopping=True, random_state=0).fit(titanic.table, titanic.target)
found = model.diagnose()
print(found)
axes = found.draw()
