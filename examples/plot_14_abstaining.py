"""
Boosting with predictors that may abstain
=========================================

A predictor that says nothing about a row does not change its weight.
"""

from hedgerow import AdaBoostClassifier, datasets

heart = datasets.heart()
model = AdaBoostClassifier(n_estimators=40, predictions="abstaining").fit(heart.table, heart.target)
found = model.diagnose(heart.table, heart.target)
print(found.rounds)
axes = found.rounds.draw()
