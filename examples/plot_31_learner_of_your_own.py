"""
Boosting a learner of your own
==============================

Anything with fit and predict can be boosted: here, the better side of planes laid at random.
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from hedgerow import AdaBoostClassifier, ToNumbers, datasets


class RandomPlane(ClassifierMixin, BaseEstimator):
    """The best of twenty random planes through the middle of the rows."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        self.middle_, self.scale_ = X.mean(axis=0), X.std(axis=0) + 1e-9
        planes = np.random.default_rng(self.random_state).normal(size=(20, X.shape[1]))
        planes = np.concatenate([planes, -planes])
        sides = self._sides(X, planes.T) == (y == self.classes_[1])[:, None]
        self.plane_ = planes[np.average(sides, axis=0, weights=sample_weight).argmax()]
        return self

    def predict(self, X):
        return self.classes_[self._sides(X, self.plane_).astype(int)]

    def _sides(self, X, planes):
        return (X - self.middle_) / self.scale_ @ planes > 0


heart = datasets.heart()
X = ToNumbers().fit(heart.table).transform(heart.table)
model = AdaBoostClassifier(RandomPlane(), n_estimators=40, random_state=0).fit(X, heart.target)
print(model.diagnostics_)
axes = model.diagnostics_.draw()
