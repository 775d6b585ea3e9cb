"""Fits side by side: Ctrl-C ends them all, and one encoding serves all folds and candidates."""

import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from hedgerow import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
    ExtraTreesClassifier,
    LinearSVC,
    RandomForestClassifier,
    compare,
)
from hedgerow.encode import encoded
from hedgerow.evaluation import run
from hedgerow.evaluation.predictions import predict_all


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupt_ends_threaded_folds():
    code = """
        import os
        import numpy as np
        from hedgerow import DecisionTreeClassifier, RandomForestClassifier, compare
        from hedgerow.evaluation import run
        run.MIN_SECONDS_THREAD = 0.0
        really = run.fit_and_predict
        def fit_and_predict(job):
            os.write(1, b"fit\\n")  # whole, whichever thread it is
            return really(job)
        run.fit_and_predict = fit_and_predict
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(3000, 8)), rng.integers(0, 2, 3000)
        models = {"stump": DecisionTreeClassifier(max_depth=1), "forest": RandomForestClassifier(3000)}
        try:
            compare(models, X, y, cv=4, n_jobs=2, progress=False)
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "fit\n"  # the stump, in the main thread
        assert process.stdout.readline() == "fit\n"  # the forest, in another
        process.send_signal(signal.SIGINT)
        printed, trouble = process.communicate(timeout=60)
    finally:
        process.kill()
    assert printed.endswith("stopped\n")
    assert process.returncode == 0, trouble
    assert trouble == ""


def test_columns_are_ranked_once_for_all_folds_and_candidates(monkeypatch):
    really, ranked = encoded.native.rank_columns, []

    class Counting:
        def __getattr__(self, name):
            return getattr(native, name)

        def rank_columns(self, columns, threads):
            ranked.append(len(columns))
            return really(columns, threads)

    native = encoded.native
    monkeypatch.setattr(encoded, "native", Counting())
    rng = np.random.default_rng(5)
    X = rng.normal(size=(150, 6))
    y = np.where(X[:, 0] + rng.normal(size=150) > 0, "yes", "no")
    models = {
        "tree": DecisionTreeClassifier(prune="cost_complexity"),
        "forest": RandomForestClassifier(5, random_state=0),
        "extra": ExtraTreesClassifier(5, random_state=0),
        "boosted": AdaBoostClassifier(n_estimators=5),
    }
    found = compare(models, X, y, cv=4, n_jobs=1, progress=False)
    assert all(entry.n_failed == 0 for entry in found.entries)
    assert [n for n in ranked if n > 1] == [6]  # single columns are looked at by the check of leaks


def test_large_forests_run_alone_and_say_the_same(monkeypatch):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(90, 4))
    y = np.where(X[:, 0] + rng.normal(size=90) > 0, "yes", "no")
    models = {
        "tree": DecisionTreeClassifier(max_depth=3),
        "forest": RandomForestClassifier(5, random_state=0),
    }
    before = compare(models, X, y, cv=3, n_jobs=2, progress=False)
    alone, fit = [], run._one_by_one
    monkeypatch.setattr(run, "LARGE_FOREST", 50)
    monkeypatch.setattr(run, "_one_by_one", lambda one, keys: (alone.extend(keys), fit(one, keys))[1])
    after = compare(models, X, y, cv=3, n_jobs=2, progress=False)
    assert alone == [(0, "forest"), (1, "forest"), (2, "forest")]
    assert [one.score for one in after.entries] == [one.score for one in before.entries]


@pytest.mark.parametrize("model", [RandomForestClassifier(5, random_state=0), LinearSVC()])
def test_where_scores_are_all_that_counts_classes_are_not_predicted(model, monkeypatch):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 3))
    y = np.array(["a", "b", "c"])[rng.integers(0, 3, 60)]
    model.fit(X, y)
    usual = predict_all(model, X, model.classes_)
    monkeypatch.setattr(type(model), "predict", None)
    brief = predict_all(model, X, model.classes_, classify=False)
    np.testing.assert_array_equal(brief.values, usual.values)
    np.testing.assert_array_equal(brief.decision, usual.decision)
    assert (brief.proba is None) == (usual.proba is None) == isinstance(model, LinearSVC)
