"""
The best small tree, proved
===========================

Greedy, pruned and optimal trees of the same questions.
"""

from hedgerow import OptimalTreeClassifier, compare_growth, datasets

titanic = datasets.titanic()
model = OptimalTreeClassifier(max_depth=3).fit(titanic.table, titanic.target)
print(model.certificate_)
found = compare_growth(model, titanic.table, titanic.target, sizes=(2, 3, 4, 5))
axes = found.draw()
