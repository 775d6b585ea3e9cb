"""
Which splits would other rows reproduce?
=========================================

Two hundred bootstrap replicas of a tree of three levels.
"""

from hedgerow import DecisionTreeClassifier, datasets, stability

titanic = datasets.titanic()
found = stability(DecisionTreeClassifier(max_depth=3), titanic.table, titanic.target)
print(found.sentence)
axes = found.draw()
