"""
A model without hedgerow
========================

The tree as SQL; it answers its own test rows as the model does.
"""

from hedgerow import DecisionTreeClassifier, datasets

titanic = datasets.titanic()
tree = DecisionTreeClassifier(max_depth=2).fit(titanic.table, titanic.target)
print(tree.export("sql"))
axes = tree.draw()
