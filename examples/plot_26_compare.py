"""
Which of two models?
====================

Paired on the same splits; bars join what cannot be distinguished.
"""

from hedgerow import DecisionTreeClassifier, RandomForestClassifier, compare, datasets

titanic = datasets.titanic()
models = {
    "stump": DecisionTreeClassifier(max_depth=1),
    "pruned tree": DecisionTreeClassifier(max_depth=3),
    "forest": RandomForestClassifier(60, random_state=0),
}
found = compare(models, titanic.table, titanic.target, cv=5, repeats=1, progress=False)
print(found)
axes = found.draw()
