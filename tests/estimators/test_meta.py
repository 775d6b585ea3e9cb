"""Meta-estimators: the search is that of scikit-learn, units do not matter, a sample has its share of each class."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from tests.studies.test_study import table

import hedgerow
from hedgerow import SVC, SVR, LinearSVR
from hedgerow.candidate import TaskSpec, load_candidate, make_model
from hedgerow.estimators import ToNumbers
from hedgerow.estimators.delegating import find_decision_scale, unwrap
from hedgerow.estimators.meta import CostWeighted, GridSearchC, Subsampled
from hedgerow.evaluation.predictions import predict_all
from hedgerow.features.words import as_text
from hedgerow.svm.classes import two_sided
from hedgerow.table import Table, to_table


def test_the_search_is_that_of_scikit_learn():
    random = np.random.default_rng(0)
    X = random.normal(size=(90, 3))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * random.normal(size=90) > 0, "a", "b")
    grid = (0.01, 0.3, 30.0)
    ours = GridSearchC(make_pipeline(ToNumbers(), SVC()), values=grid, folds=3, random_state=4).fit(X, y)
    folds = StratifiedKFold(3, shuffle=True, random_state=4)
    theirs = GridSearchCV(SVC(), {"C": grid}, cv=folds).fit(ToNumbers().fit_transform(X), y)
    assert ours.best_params_ == theirs.best_params_
    assert np.array_equal(ours.predict(X), theirs.predict(ToNumbers().fit_transform(X)))


def test_the_search_ends_where_the_loss_rises(monkeypatch):
    losses, tried = {0.1: 0.5, 1.0: 0.4, 10.0: 0.4, 100.0: 0.45, 1000.0: 0.1}, []

    def judge(self, value, *rest):
        tried.append(value)
        return losses[value]

    monkeypatch.setattr(GridSearchC, "_squared_error", judge)
    X = np.random.default_rng(0).normal(size=(30, 2))
    search = GridSearchC(make_pipeline(ToNumbers(), SVR()), values=tuple(losses)).fit(X, X[:, 0])
    assert tried == [0.1, 1.0, 10.0, 100.0]
    assert search.best_params_ == {"C": 1.0}  # of equal ones the first


def test_an_outlier_of_another_fold_is_no_matter_of_scale(recwarn):
    X = np.random.default_rng(3).normal(size=(60, 2))
    X[7, 1] = 1e6  # in standard deviations of all rows, those of a fold without this one hardly differ
    y = np.where(X[:, 0] > 0, "a", "b")
    GridSearchC(make_pipeline(ToNumbers(), hedgerow.LinearSVC()), values=(1.0,)).fit(X, y)
    assert not recwarn.list


@pytest.mark.parametrize("machine", [SVR(), LinearSVR(random_state=0)])
def test_the_unit_of_the_target_does_not_matter(machine):
    random = np.random.default_rng(1)
    X = random.normal(size=(70, 2))
    y = X[:, 0] - X[:, 1] + 0.2 * random.normal(size=70)
    one, other = (
        GridSearchC(make_pipeline(ToNumbers(), machine), values=(1.0,)).fit(X, goal)
        for goal in (y, 5000 * y + 80_000)
    )
    np.testing.assert_allclose(other.predict(X), 5000 * one.predict(X) + 80_000, rtol=0, atol=60)


def test_a_weight_of_two_is_a_row_twice():
    random = np.random.default_rng(2)
    X = random.normal(size=(40, 2))
    y = X[:, 0] + 0.1 * random.normal(size=40)
    whole = GridSearchC(make_pipeline(ToNumbers(), SVR()), values=(1.0,)).fit(
        X, y, sample_weight=np.full(40, 2.0)
    )
    assert np.corrcoef(whole.predict(X), y)[0, 1] > 0.9


def test_a_sample_has_its_share_of_each_class():
    frame = table(300).drop("price")
    model = Subsampled(hedgerow.DecisionTreeClassifier(), max_rows=50, random_state=1)
    y = frame["kept"].to_numpy()
    features = to_table(frame.drop("kept", "day"))
    fitted = model.fit(features, y)
    assert fitted.n_rows_ == 50
    share = fitted.model_.hedgerow_tree_.value[0] / fitted.model_.hedgerow_tree_.value[0].sum()
    assert abs(share[1] - np.mean(y == "yes")) < 0.03


def test_unwrap_finds_what_predicts():
    X = np.random.default_rng(0).normal(size=(30, 2))
    inside = GridSearchC(make_pipeline(ToNumbers(), SVC()), values=(1.0,))
    model = Subsampled(inside, max_rows=20).fit(X, X[:, 0] > 0)
    assert unwrap(model) is model.model_.best_estimator_
    assert unwrap(unwrap(model)) is unwrap(model)


def test_a_sample_takes_its_share_of_the_weights():
    X = np.arange(60.0)[:, None]
    y, weight = (np.arange(60) % 2 == 0).astype(int), np.where(np.arange(60) % 2 == 0, 3.0, 1.0)
    model = Subsampled(hedgerow.DecisionTreeClassifier(max_depth=1), max_rows=40).fit(
        X, y, sample_weight=weight
    )
    assert model.model_.tree_.weighted_n_node_samples[0] == pytest.approx(20 * 3 + 20 * 1)


def test_costs_are_weights():
    random = np.random.default_rng(2)
    X = random.normal(size=(200, 3))
    y = np.where(X[:, 0] + random.normal(size=200) > 1, "bad", "good")
    given = 1 + random.random(200)
    plain = hedgerow.DecisionTreeClassifier(max_depth=3, class_weight={"bad": 5, "good": 1}).fit(X, y, given)
    mine = CostWeighted(hedgerow.DecisionTreeClassifier(max_depth=3), costs={"bad": 10.0, "good": 2.0})
    assert np.allclose(mine.fit(X, y, given).predict_proba(X), plain.predict_proba(X))


def test_decision_values_have_one_size_whatever_c_is():
    random = np.random.default_rng(3)
    X = random.normal(size=(400, 3))
    y = (X[:, 0] + random.logistic(size=400) > 0).astype(int)
    one, other = (
        GridSearchC(
            make_pipeline(ToNumbers(), SVC(kernel="linear", class_weight="balanced")), values=(c,)
        ).fit(X, y)
        for c in (0.003, 1.0)
    )
    small, large = (np.abs(model.decision_function(X)).mean() for model in (one, other))
    assert large > 2 * small
    scaled = [predict_all(model, X, np.array([0, 1])).decision for model in (one, other)]
    assert np.abs(scaled[0]).mean() == pytest.approx(np.abs(scaled[1]).mean(), rel=0.3)
    assert find_decision_scale(Subsampled(one, max_rows=10).fit(X, y)) > 0
    assert find_decision_scale(SVC().fit(X, y)) == 1


@pytest.mark.parametrize("name", ["linear_svm", "svm"])
def test_words_that_say_nothing_give_no_certainty(name):
    random = np.random.default_rng(4)
    said = [" ".join(random.choice([f"word{j}" for j in range(300)], 12)) for _ in range(300)]
    rows, y = to_table({"said": said}), random.integers(2, size=300)
    rows = Table(tuple(as_text(one) for one in rows.columns), rows.n_rows, rows.named)
    learned, fresh = np.arange(200), np.arange(200, 300)
    model = make_model(load_candidate(name), TaskSpec("classification", 200, 1, 2), {}, rows)
    model.fit(rows.take(learned), y[learned])
    decision = two_sided(model.decision_function(rows.take(fresh)))
    proba = model.model_.calibrator_.calibrate(decision)
    assert -np.log(proba[np.arange(100), y[fresh]]).mean() < 0.75
