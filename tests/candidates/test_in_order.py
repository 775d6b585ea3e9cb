"""Rows in the order of time: what a model searches inside, it tests on later rows."""

from importlib import import_module

import numpy as np
import polars as pl
import pytest

from hedgerow import AdaBoostClassifier, DecisionTreeClassifier, HistGradientBoostingClassifier, LinearSVC
from hedgerow.candidate import TaskSpec, load_candidate
from hedgerow.estimators.delegating import unwrap
from hedgerow.estimators.meta import EarlyStopped, GridSearchC
from hedgerow.intake import ColumnOptions, prepare_data, read_source
from hedgerow.prune.cp_table import TIME_FOLDS

N = 130
RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(N, 3))
Y = np.where(X[:, 0] + RANDOM.normal(size=N) > 0, "up", "down")
SPEC = TaskSpec("classification", N, 3, 2, in_order=True)


def test_c_is_chosen_on_later_rows():
    search = GridSearchC(LinearSVC(), values=(0.1, 1.0), in_order=True)
    splits = search._splits(X, Y)
    assert len(splits) == 3
    assert all(train.max() < test.min() for train, test in splits)
    late = np.where(np.arange(N) < 100, "a", Y)  # classes that the first rows lack: drawn as without time
    assert any(train.max() > test.min() for train, test in search._splits(X, late))
    assert set(search.fit(X, Y).predict(X)) == {"up", "down"}


def test_rounds_are_judged_by_the_last_rows():
    boosting = HistGradientBoostingClassifier(early_stopping=True, max_iter=30, min_samples_leaf=5)
    found = EarlyStopped(boosting, in_order=True).fit(X, Y)
    cut = N - 13
    wanted = boosting.fit(X[:cut], Y[:cut], X_val=X[cut:], y_val=Y[cut:])
    assert found.validation_score_.tolist() == wanted.validation_score_.tolist()
    stumps = AdaBoostClassifier("stump", n_estimators=40, early_stopping=True, n_iter_no_change=5)
    found = EarlyStopped(stumps, max_rows=0, in_order=True).fit(X, Y)
    wanted = stumps.fit(X[:cut], Y[:cut], validation=(X[cut:], Y[cut:]))
    assert unwrap(found).predict_proba(X).tolist() == wanted.predict_proba(X).tolist()


def test_trees_are_pruned_by_later_rows(monkeypatch):
    seen = []
    module = import_module("hedgerow.prune.cp_table")
    one_fold = module._one_fold

    def spy(data, left_out, tested, *rest):
        seen.append(np.flatnonzero(~left_out).max() < tested.min())
        return one_fold(data, left_out, tested, *rest)

    monkeypatch.setattr(module, "_one_fold", spy)
    model = load_candidate("tree").make_estimator(SPEC, {}).fit(X, Y)
    assert seen == [True] * TIME_FOLDS
    assert model.cp_table_.n_folds == TIME_FOLDS
    with pytest.raises(ValueError, match="'time'"):
        DecisionTreeClassifier(prune={"method": "cost_complexity", "folds": "times"}).fit(X, Y)


@pytest.mark.parametrize("name", ["adaboost", "boosted_trees", "gradient_boosting", "linear_svm"])
def test_candidates_say_what_they_are(name):
    candidate = load_candidate(name)
    fitted = candidate.make_estimator(SPEC, {}).fit(X, Y)
    assert candidate.describe(fitted)
    assert candidate.facts(fitted)


def test_rows_with_a_time_are_in_its_order():
    frame = pl.DataFrame({"day": RANDOM.permutation(N), "x": X[:, 0], "y": Y})
    data = prepare_data(read_source(frame), ColumnOptions(target="y", time="day"))
    assert data.samples.time.tolist() == sorted(frame["day"])
    by_day = frame.sort("day")
    assert data.target.labels.tolist() == by_day["y"].to_list()
    assert data.features.column("x").values.tolist() == by_day["x"].to_list()
