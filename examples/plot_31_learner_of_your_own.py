"""
Boosting a learner of your own
==============================

Anything with fit and predict can be boosted.
"""

from sklearn.naive_bayes import GaussianNB

from hedgerow import AdaBoostClassifier, ToNumbers, datasets

heart = datasets.heart()
X = ToNumbers().fit(heart.table).transform(heart.table)
model = AdaBoostClassifier(GaussianNB(), n_estimators=20).fit(X, heart.target)
print(model.diagnostics_)
axes = model.diagnostics_.draw()
