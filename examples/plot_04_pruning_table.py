"""
rpart's table, and the tree within one standard error
=====================================================

Cost-complexity pruning, cross-validated ten times.
"""

from hedgerow import DecisionTreeClassifier, datasets

titanic = datasets.titanic()
tree = DecisionTreeClassifier(prune="cost_complexity").fit(titanic.table, titanic.target)
print(tree.cp_table_)
axes = tree.cp_table_.draw()
