"""Gradient boosting that finds its rounds on rows held out, then learns from all."""

import numpy as np
import pytest

from hedgerow import HistGradientBoostingClassifier
from hedgerow.estimators.meta import EarlyStopped


def rows(n=300):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 3))
    return X, (X[:, 0] + 0.5 * random.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_model_of_all_rows_with_the_best_number_of_rounds(weighted):
    X, y = rows()
    weight = np.linspace(0.5, 2, len(y)) if weighted else None
    inside = HistGradientBoostingClassifier(max_iter=40, early_stopping=True, random_state=3)
    found = EarlyStopped(inside).fit(X, y, sample_weight=weight)
    best = int(np.argmax(found.validation_score_))
    alone = HistGradientBoostingClassifier(max_iter=best, early_stopping=False, random_state=3)
    alone.fit(X, y, sample_weight=weight)
    assert found.best_estimator_.n_iter_ == best > 0
    assert np.array_equal(found.predict_proba(X), alone.predict_proba(X))


def test_of_many_rows_the_first_fit_is_kept():
    X, y = rows()
    inside = HistGradientBoostingClassifier(max_iter=10, early_stopping=True, random_state=3)
    assert np.array_equal(
        EarlyStopped(inside, max_rows=100).fit(X, y).predict_proba(X), inside.fit(X, y).predict_proba(X)
    )
