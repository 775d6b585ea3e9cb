"""A result is reported as soon as it is there, though a fit that started before it is still running."""

import threading

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from hedgerow.evaluation import run as evaluation
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.splits import make_splits

REPORTED = threading.Event()


class Quick(ClassifierMixin, BaseEstimator):
    __module__ = "hedgerow.made_up"  # so that it runs in a thread

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


class Waiting(Quick):
    __module__ = "hedgerow.made_up"

    def fit(self, X, y):
        assert REPORTED.wait(30), "nobody was told of the model that was done long ago"
        return super().fit(X, y)


def test_a_quick_answer_does_not_wait_for_a_slow_one(monkeypatch):
    monkeypatch.setattr(evaluation, "MIN_SECONDS_THREAD", -1.0)
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    models = {"first": Quick(), "waiting": Waiting(), "quick": Quick()}
    data = make_data(list(models.values()), X, y)
    reported = []

    def on_result(key, result):
        reported.append(key)
        if key[1] == "quick":
            REPORTED.set()

    results = evaluation.run_folds(
        models, data, make_splits(2, data), n_jobs=2, show_progress=False, on_result=on_result
    )
    assert all(not result.failure for some in results.values() for result in some)
    assert reported.index((0, "quick")) < reported.index((0, "waiting"))
    assert sorted(reported) == sorted((k, name) for k in range(2) for name in models)
