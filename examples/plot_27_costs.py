"""
When one mistake costs more
===========================

A missed patient costs five times a false alarm: from which probability on?
"""

from hedgerow import RandomForestClassifier, datasets, evaluate

heart = datasets.heart()
model = RandomForestClassifier(60, random_state=0)
found = evaluate(model, heart.table, heart.target, cv=5, progress=False).threshold(false_negative=5)
print(found)
axes = found.draw()
