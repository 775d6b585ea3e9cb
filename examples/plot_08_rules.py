"""
If-then rules instead of a tree
===============================

The paths of a tree, each pruned on its own, as C4.5rules does it.
"""

from hedgerow import DecisionTreeClassifier, RuleListClassifier, datasets

titanic = datasets.titanic()
model = RuleListClassifier(max_rules=6).fit(titanic.table, titanic.target)
print(model.to_text())
print(model.explain(titanic.table)[0])

# %%
# The tree of as many leaves, to compare.
axes = DecisionTreeClassifier(max_leaf_nodes=6).fit(titanic.table, titanic.target).draw()
