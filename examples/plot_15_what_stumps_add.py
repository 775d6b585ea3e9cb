"""
What each column adds
=====================

Boosted stumps are an additive model: a curve for each column.
"""

from hedgerow import AdaBoostClassifier, datasets

heart = datasets.heart()
model = AdaBoostClassifier(n_estimators=100, predictions="confident").fit(heart.table, heart.target)
figure = model.diagnose(heart.table, heart.target).additive.draw()
