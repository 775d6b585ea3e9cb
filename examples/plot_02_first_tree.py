"""
A first tree, and its picture
=============================

Text columns and missing ages are taken as they are.
"""

from hedgerow import DecisionTreeClassifier, datasets

titanic = datasets.titanic()
tree = DecisionTreeClassifier(max_depth=3).fit(titanic.table, titanic.target)
print(tree.to_text())
axes = tree.draw()
