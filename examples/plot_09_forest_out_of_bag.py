"""
A forest judges itself
======================

Out of bag: each row is predicted by the trees that were not trained on it.
"""

from hedgerow import RandomForestClassifier, datasets

titanic = datasets.titanic()
forest = RandomForestClassifier(200, random_state=0).fit(titanic.table, titanic.target)
print(forest.oob_)
axes = forest.oob_.draw()
