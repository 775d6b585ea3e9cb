"""
All prunings of one tree
========================

What each method keeps, and its error on rows that none of them used.
"""

from hedgerow import DecisionTreeClassifier, compare_prunings, datasets

titanic = datasets.titanic()
found = compare_prunings(DecisionTreeClassifier(), titanic.table, titanic.target)
print(found)
axes = found.draw()
