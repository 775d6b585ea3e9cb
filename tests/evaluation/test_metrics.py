"""The same numbers as scikit-learn's metrics; and influence functions that are their derivatives."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from tests.evaluation.given import GivenProba

from hedgerow import evaluate
from hedgerow.evaluation.metric import Metric, load_metric, metrics
from hedgerow.evaluation.predictions import Predictions, ScoringData

CLASS = [name for name, metric in metrics().items() if metric.task == "classification"]
NUMBER = [name for name, metric in metrics().items() if metric.task == "regression"]
RNG = np.random.default_rng(7)


def rows(kind, n=53):
    weight = RNG.uniform(0.2, 3, n)
    if kind == "numbers":
        y_true = RNG.normal(size=n)
        return ScoringData(y_true, Predictions(y_true + RNG.normal(size=n)), weight, 0)
    k = 2 if kind == "two" else 4
    y_true = np.append(np.arange(k), RNG.integers(0, k, n - k))
    proba = RNG.dirichlet(np.ones(k), n).round(2)  # with ties
    proba += 0.5 * np.eye(k)[y_true]
    proba /= proba.sum(axis=1, keepdims=True)
    return ScoringData(y_true, Predictions(proba.argmax(axis=1), proba, proba), weight, k)


@pytest.mark.parametrize("name", list(metrics()))
def test_every_file_is_a_metric(name):
    assert isinstance(metrics()[name], Metric)
    assert metrics()[name].__doc__.startswith(f"{name}: ")


@pytest.mark.parametrize("kind", ["two", "four"])
@pytest.mark.parametrize("name", CLASS)
def test_influence_values_are_derivatives_by_weight(name, kind):
    _check_influence(metrics()[name], rows(kind))


@pytest.mark.parametrize("name", NUMBER)
def test_influence_values_of_numbers_are_derivatives_by_weight(name):
    _check_influence(metrics()[name], rows("numbers"))


def _check_influence(metric, scored):
    """value(weights + e at row i) = value + e / total x influence of i, for small e."""
    influence, total, step = metric.influence(scored), scored.weight.sum(), 1e-5
    assert influence @ scored.normalized_weight == pytest.approx(0, abs=1e-12)
    for i in range(0, len(scored.y_true), 7):
        more, less = scored.weight.copy(), scored.weight.copy()
        more[i] += step
        less[i] -= step
        up, down = (
            metric.value(ScoringData(scored.y_true, scored.predictions, w, scored.n_classes))
            for w in (more, less)
        )
        assert (up - down) / (2 * step) * total == pytest.approx(influence[i], abs=2e-5, rel=1e-4)


def test_a_hold_out_has_scikit_learn_s_numbers():
    X = RNG.normal(size=(300, 4))
    y = np.where(X[:, 0] + RNG.normal(size=300) > 0.5, "yes", "no")
    train, test = np.arange(200), np.arange(200, 300)
    model = LogisticRegression().fit(X[train], y[train])
    found = evaluate(LogisticRegression(), X, y, cv=[(train, test)])
    y_true, y_pred, p = y[test], model.predict(X[test]), model.predict_proba(X[test])
    known = {
        "accuracy": sk.accuracy_score(y_true, y_pred),
        "balanced_accuracy": sk.balanced_accuracy_score(y_true, y_pred),
        "precision": sk.precision_score(y_true, y_pred, pos_label="yes"),
        "recall": sk.recall_score(y_true, y_pred, pos_label="yes"),
        "f1": sk.f1_score(y_true, y_pred, pos_label="yes"),
        "roc_auc": sk.roc_auc_score(y_true, p[:, 1]),
        "average_precision": sk.average_precision_score(y_true, p[:, 1], pos_label="yes"),
        "log_loss": sk.log_loss(y_true, p),
        "brier": sk.brier_score_loss(y_true, p[:, 1], pos_label="yes"),
    }
    assert {s.name: s.value for s in found.scores} == pytest.approx(known, abs=1e-12)


def test_several_classes_have_scikit_learn_s_numbers():
    X = RNG.normal(size=(400, 4))
    y = RNG.integers(0, 3, 400)
    y[X[:, 0] > 0.3] = 2
    w = RNG.uniform(0.5, 2, 400)
    model = DecisionTreeClassifier(max_depth=3, random_state=0)
    found = evaluate(model, X, y, cv=[(np.arange(300), np.arange(300, 400))], sample_weight=w)
    model.fit(X[:300], y[:300], w[:300])
    y_pred, p, y_true, v = model.predict(X[300:]), model.predict_proba(X[300:]), y[300:], w[300:]
    each = [(y_true == c, p[:, c]) for c in range(3)]
    known = {
        "accuracy": sk.accuracy_score(y_true, y_pred, sample_weight=v),
        "balanced_accuracy": sk.balanced_accuracy_score(y_true, y_pred, sample_weight=v),
        "precision": sk.precision_score(y_true, y_pred, average="macro", sample_weight=v, zero_division=0),
        "recall": sk.recall_score(y_true, y_pred, average="macro", sample_weight=v),
        "f1": sk.f1_score(y_true, y_pred, average="macro", sample_weight=v),
        "roc_auc": np.mean([sk.roc_auc_score(*one, sample_weight=v) for one in each]),
        "average_precision": np.mean(
            [sk.average_precision_score(y_true == c, p[:, c], sample_weight=v) for c in range(3)]
        ),
        "log_loss": sk.log_loss(y_true, p, sample_weight=v),
        "brier": sk.brier_score_loss(y_true, p, sample_weight=v, labels=[0, 1, 2]),
    }
    assert {s.name: s.value for s in found.scores} == pytest.approx(known, abs=1e-12)


def test_folds_are_pooled_and_areas_are_means_of_folds():
    X = RNG.normal(size=(200, 4))
    y = (X[:, 0] + RNG.normal(size=200) > 0).astype(int)
    cv = StratifiedKFold(5, shuffle=True, random_state=3)
    model = LogisticRegression()
    found = evaluate(model, X, y, cv=cv)
    y_pred = cross_val_predict(model, X, y, cv=cv)
    p = cross_val_predict(model, X, y, cv=cv, method="predict_proba")
    assert found["accuracy"].value == pytest.approx(sk.accuracy_score(y, y_pred))
    assert found["f1"].value == pytest.approx(sk.f1_score(y, y_pred))
    assert found["log_loss"].value == pytest.approx(sk.log_loss(y, p))
    by_fold = cross_val_score(model, X, y, cv=cv, scoring="roc_auc")
    assert found.folds("roc_auc") == pytest.approx(by_fold)
    sizes = [y[test].sum() * (len(test) - y[test].sum()) for _, test in cv.split(X, y)]
    assert found["roc_auc"].value == pytest.approx(np.average(by_fold, weights=sizes))


def test_numbers_have_scikit_learn_s_numbers():
    X = RNG.normal(size=(200, 3))
    y = X[:, 0] + RNG.normal(size=200)
    found = evaluate(LinearRegression(), X, y, cv=5)
    cv = [(p.train, p.test) for p in found.splits.parts]
    y_pred = cross_val_predict(LinearRegression(), X, y, cv=cv)
    known = {
        "r2": sk.r2_score(y, y_pred),
        "rmse": sk.root_mean_squared_error(y, y_pred),
        "mae": sk.mean_absolute_error(y, y_pred),
    }
    assert {s.name: s.value for s in found.scores} == pytest.approx(known)


class SaidNumber(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0]


def leave_one_out_error(score, n):
    """The jackknife's standard error, by scikit-learn's metric of all rows but one."""
    without = np.array([score(np.arange(n) != k) for k in range(n)])
    return np.sqrt((n - 1) / n * np.sum((without - without.mean()) ** 2))


@pytest.mark.slow
def test_standard_errors_of_a_hold_out_are_the_jackknife_s():
    random = np.random.default_rng(3)
    y = np.arange(240) % 2
    p = np.clip(0.5 + 0.2 * (2 * y - 1) + random.normal(0, 0.22, 240), 0.02, 0.98)
    y_pred, order = (p > 0.5).astype(int), np.arange(240)
    found = evaluate(GivenProba(), p[:, None], y, cv=[(order, order)])
    known = {
        "accuracy": lambda r: sk.accuracy_score(y[r], y_pred[r]),
        "balanced_accuracy": lambda r: sk.balanced_accuracy_score(y[r], y_pred[r]),
        "precision": lambda r: sk.precision_score(y[r], y_pred[r]),
        "recall": lambda r: sk.recall_score(y[r], y_pred[r]),
        "f1": lambda r: sk.f1_score(y[r], y_pred[r]),
        "roc_auc": lambda r: sk.roc_auc_score(y[r], p[r]),
        "average_precision": lambda r: sk.average_precision_score(y[r], p[r]),
        "log_loss": lambda r: sk.log_loss(y[r], p[r]),
        "brier": lambda r: sk.brier_score_loss(y[r], p[r]),
    }
    for name, score in known.items():
        assert found[name].std_error == pytest.approx(leave_one_out_error(score, 240), rel=0.02), name
    y_true = random.normal(size=240)
    predictions = y_true + random.normal(size=240)
    numbers = evaluate(SaidNumber(), predictions[:, None], y_true, cv=[(order, order)])
    known = {
        "r2": lambda r: sk.r2_score(y_true[r], predictions[r]),
        "rmse": lambda r: sk.root_mean_squared_error(y_true[r], predictions[r]),
        "mae": lambda r: sk.mean_absolute_error(y_true[r], predictions[r]),
    }
    for name, score in known.items():
        assert numbers[name].std_error == pytest.approx(leave_one_out_error(score, 240), rel=0.02), name


def test_area_and_its_error_are_proc_s():
    known = json.loads((Path(__file__).parent / "fixtures" / "references.json").read_text())["pROC"]
    y_true = np.array(known["truth"])
    for name, area, error in (
        ("first", "area", "std_error"),
        ("second", "second_area", "second_std_error"),
    ):
        score = np.array(known[name])
        p = (score - score.min() + 0.1) / (np.ptp(score) + 0.2)
        found = evaluate(GivenProba(), p[:, None], y_true, cv=[(np.arange(200), np.arange(200))])["roc_auc"]
        assert found.value == pytest.approx(known[area])
        assert found.std_error == pytest.approx(known[error], rel=0.01)  # theirs: each class less one


def test_a_model_without_probabilities_has_areas_and_says_why_it_has_no_log_loss():
    X = RNG.normal(size=(150, 3))
    y = (X[:, 0] > 0).astype(int)
    found = evaluate(LinearSVC(), X, y, cv=3)
    assert found["roc_auc"].value > 0.9
    assert found["log_loss"].missing == "the model has no predict_proba"
    assert "predict_proba" in str(found)


def test_an_unknown_score_is_named():
    with pytest.raises(ValueError, match=r"'acuracy' is unknown.*Did you mean 'accuracy'"):
        load_metric("acuracy", "classification")
    with pytest.raises(ValueError, match="unknown for a regression"):
        load_metric("accuracy", "regression")
