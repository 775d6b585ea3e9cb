"""
A score with an interval, and its curves
========================================

Ten folds, a baseline beside each score, and what may be wrong with the method.
"""

from hedgerow import RandomForestClassifier, datasets, evaluate

heart = datasets.heart()
model = RandomForestClassifier(60, random_state=0)
found = evaluate(model, heart.table, heart.target, cv=5, progress=False)
print(found)
figure = found.draw()
