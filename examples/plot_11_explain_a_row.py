"""
Why this prediction?
====================

Exact Shapley values of one passenger.
"""

from hedgerow import RandomForestClassifier, datasets

titanic = datasets.titanic()
forest = RandomForestClassifier(100, random_state=0).fit(titanic.table, titanic.target)
found = forest.explain(titanic.frame().drop("survived").head(3))
print(found)
axes = found.draw(row=1)
