"""Wrong or thin data: a clear error, or an result that says what is missing."""

import json
import re

import matplotlib
import numpy as np
import pandas as pd
import polars as pl
import pytest

matplotlib.use("Agg")

from matplotlib import pyplot
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression

from hedgerow import (
    SVC,
    BaggingClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    LinearSVC,
    compare,
    compare_datasets,
    evaluate,
    learning_curve,
    validation_curve,
)
from hedgerow.evaluation import bias_variance

RNG = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


X = RNG.normal(size=(40, 3))
Y = np.array([0, 1] * 20)
TREE = DecisionTreeClassifier(max_depth=2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cv": 41}, "cv=41 is more than the 40 rows"),
        ({"cv": 1}, "at least 2 folds"),
        ({"cv": 0.0}, "out of range"),
        ({"cv": 1.5}, "out of range"),
        ({"cv": "tiem"}, "cv='tiem' is unknown"),
        ({"cv": []}, "no split at all"),
        ({"cv": [([0, 1], [99])]}, "row 99, but there are 40 rows"),
        ({"cv": [([0, 1], [])]}, "without training rows or without test rows"),
        ({"cv": [([0, -1], [2])]}, "cv names row -1"),
        ({"cv": [1, 2, 3]}, "pairs of training rows and test rows"),
        ({"cv": [([0.5, 1], [2])]}, "Expected: their numbers, or a mask"),
        ({"cv": [(Y[:30] > 0, Y[:30] == 0)]}, "a mask of 40 entries"),
        ({"groups": np.zeros(40)}, "All rows are of one group"),
        ({"groups": np.zeros(40), "cv": 0.3}, "All rows are of one group"),
        ({"scoring": 3}, "wanted a name such as 'accuracy'"),
        ({"cv": True}, "no splitter"),
        ({"repeats": 0}, "repeats=0 is out of range"),
        ({"repeats": 2, "cv": "time"}, "says it all itself"),
        ({"repeats": 2, "groups": Y}, "repeats=2 and groups do not go together|more than the 2 groups"),
        ({"groups": [1, 2]}, r"groups has shape \(2,\)"),
        ({"sample_weight": np.full(40, -1.0)}, "Negative weights"),
        ({"sample_weight": np.zeros(40)}, "zero in every row"),
        ({"sample_weight": np.ones(3)}, "3 entries, but X has 40 rows"),
        ({"confidence_level": 95}, "confidence_level=95 is out of range"),
        ({"confidence_level": 0.1}, "confidence_level=0.1 is out of range"),
        ({"positive": 7}, "positive=7 is no class"),
        ({"scoring": []}, "scoring is empty"),
        ({"scoring": "r2"}, "unknown for a classification"),
        ({"n_jobs": 0}, "n_jobs=0 has no meaning"),
    ],
)
def test_wrong_options(options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        evaluate(TREE, X, Y, **options)


@pytest.mark.parametrize("target", [[np.nan] + [1.0] * 39, [None] + ["a"] * 39])
def test_missing_targets(target):
    with pytest.raises(ValueError, match="Input y contains NaN"):
        evaluate(TREE, X, target)


def test_missing_and_infinite_targets_of_a_regression():
    for wrong in (np.nan, np.inf):
        y = np.append(RNG.normal(size=39), wrong)
        with pytest.raises(ValueError, match="Input y contains"):
            evaluate(DecisionTreeRegressor(), X, y)


def test_one_class():
    with pytest.raises(ValueError, match="y is 1 in every row"):
        evaluate(TREE, X, np.ones(40, int))


def test_lengths():
    with pytest.raises(ValueError, match="y has 39 entries, but X has 40 rows"):
        evaluate(TREE, X, Y[:39])


@pytest.mark.parametrize("model", [None, "tree", DecisionTreeClassifier])
def test_what_is_no_estimator_at_all(model):
    with pytest.raises(TypeError, match=r"is no estimator.*with brackets"):
        evaluate(model, X, Y)


@pytest.mark.parametrize("wrong", [None, 3])
def test_what_is_no_table(wrong):
    with pytest.raises(TypeError, match="is no table"):
        evaluate(TREE, wrong, Y)


def test_no_rows():
    for call in (evaluate, learning_curve, bias_variance):
        with pytest.raises(ValueError, match="X has no rows"):
            call(TREE, X[:0], [])
    with pytest.raises(ValueError, match="X has no rows"):
        compare([TREE, TREE], X[:0], [])


def test_numbers_as_classes():
    assert evaluate(TREE, X, Y.astype(float), cv=2)["accuracy"].value >= 0
    with pytest.raises(ValueError, match=r"continuous.*Give a regressor.*y.astype\(str\)"):
        evaluate(TREE, X, Y + 0.5)
    with pytest.raises(ValueError, match="y holds text"):
        evaluate(DecisionTreeRegressor(), X, Y.astype(str))


def test_as_many_folds_as_there_are_groups():
    assert len(evaluate(TREE, X, Y, groups=np.arange(40) // 10).splits.parts) == 4
    weight = np.where(np.arange(40) < 20, 0.0, 1.0)  # two of the four groups are left
    assert len(evaluate(TREE, X, Y, groups=np.arange(40) // 10, sample_weight=weight).splits.parts) == 2


def test_too_few_rows_for_time():
    with pytest.raises(ValueError, match="2 rows are too few for folds in the order of the rows"):
        evaluate(TREE, X[:2], [0, 1], cv="time")
    assert len(evaluate(TREE, X[:6], Y[:6], cv="time").splits.parts) == 5


class Odd(ClassifierMixin, BaseEstimator):
    """Predicts wrongly in one way or another, and never for the rows that were given."""

    def __init__(self, way="short"):
        self.way = way

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.way == "raises":
            raise RuntimeError("\x1b[31mno")
        return self

    def predict(self, X):
        n = 3 if self.way == "short" else len(X)
        return np.repeat(self.classes_[:1] if self.way != "other" else "?", n)

    def predict_proba(self, X):
        if self.way == "nan":
            return np.full((len(X), 2), np.nan)
        return np.full((len(X) + (self.way == "long"), 2), 0.5)


@pytest.mark.parametrize(
    ("way", "why"),
    [
        ("short", r"predict answered with shape \(3,\)"),
        ("long", r"predict_proba answered with shape"),
        ("nan", "predict_proba answered NaN or infinity"),
        ("raises", "RuntimeError"),
    ],
)
def test_a_model_that_answers_wrongly_stays_in_the_table(way, why):
    with pytest.raises(ValueError, match=f"failed in every split.*{why}"):
        evaluate(Odd(way), X, Y, cv=2)
    found = compare({"odd": Odd(way), "tree": TREE, "stump": DecisionTreeClassifier(max_depth=1)}, X, Y, cv=4)
    assert re.search(why, found["odd"].failure)
    assert found["odd"].n_failed == 4
    assert found.choice.most_accurate in ("tree", "stump")
    assert "failed in 4 of 4 splits" in str(found)
    assert "\x1b" not in str(found)
    json.dumps(found.to_dict(), allow_nan=False)
    with pytest.raises(ValueError, match="failed in draw 1 of 6"):
        bias_variance(Odd(way), X, Y, n_draws=3)


def test_answers_that_are_no_class_are_counted():
    found = evaluate(Odd("other"), X, Y, cv=2)
    assert "for 40 of 40 test rows the model named no class of y" in str(found)
    assert found["accuracy"].value == 0


def test_test_rows_that_were_learned():
    found = evaluate(TREE, X, Y, cv=[(np.arange(40), np.arange(10))])
    assert [f.check for f in found.findings if f.severe] == ["seen_rows"]
    assert "10 of 10 test rows are training rows of the same split" in str(found)


def test_a_class_for_every_row_takes_one_line():
    found = evaluate(TREE, X, np.arange(40) // 2, cv=2)
    few = [f for f in found.findings if f.check == "few_of_a_class"]
    assert len(few) <= 2
    assert "classes" in few[0].message


@pytest.mark.parametrize(
    "model", [SVC(), LinearSVC(), BaggingClassifier(SVC(), n_estimators=3, random_state=0)], ids=str
)
def test_machines_that_take_numbers_only(model):
    """They get the rows as they came, not the Table that trees share."""
    found = evaluate(model, X, Y, cv=3, scoring=["accuracy"])
    alone = [clone(model).fit(X[p.train], Y[p.train]).score(X[p.test], Y[p.test]) for p in found.splits.parts]
    assert found.folds("accuracy") == pytest.approx(alone)
    assert compare({"machine": model, "tree": TREE}, X, Y, cv=3)["machine"].n_failed == 0


def test_sparse_rows_and_frames():
    for model in (LogisticRegression(), TREE):
        sparse, dense = evaluate(model, csr_array(X), Y, cv=3), evaluate(model, X, Y, cv=3)
        assert sparse["accuracy"].value == dense["accuracy"].value
        assert sparse.findings == dense.findings  # sparse rows are a table: the checks look at them too
    twice = np.vstack([X, X[:5]])
    copies = evaluate(TREE, csr_array(twice), np.append(Y, Y[:5]), cv=3).findings
    assert copies == evaluate(TREE, twice, np.append(Y, Y[:5]), cv=3).findings
    assert "duplicated_rows" in [f.check for f in copies]
    turned = pd.DataFrame(X, index=np.arange(40)[::-1])
    for frame in (pd.DataFrame(X), turned, pl.DataFrame(X)):
        assert (
            evaluate(TREE, frame, Y, cv=3)["accuracy"].value == evaluate(TREE, X, Y, cv=3)["accuracy"].value
        )


def test_no_estimator():
    with pytest.raises(TypeError, match="neither a classifier nor a regressor"):
        evaluate(KMeans(), X, Y)
    with pytest.raises(ValueError, match="cannot be compared with each other"):
        compare([LogisticRegression(), LinearRegression()], X, Y)


def test_positive_of_a_regression_and_of_three_classes():
    with pytest.raises(ValueError, match="a regression has none"):
        evaluate(LinearRegression(), X, X[:, 0], positive=1)
    with pytest.raises(ValueError, match="needs two classes"):
        evaluate(TREE, X, np.arange(40) % 3, positive=1)


def test_one_class_in_a_fold():
    """Sorted rows, folds in order: some folds have one class only, in training or in the test."""
    from sklearn.model_selection import KFold

    found = evaluate(TREE, X, np.repeat([0, 1], 20), cv=KFold(4))
    assert np.isnan(found.folds("roc_auc")).all()
    assert found["roc_auc"].missing.startswith("it means nothing here")
    assert np.isfinite(found["accuracy"].value)
    assert any(f.check == "few_of_a_class" for f in found.findings)


def test_a_class_that_training_did_not_have():
    y = np.array(["a", "b"] * 19 + ["c", "c"])
    found = evaluate(TREE, X, y, cv=[(range(30), range(30, 40))])
    assert np.isfinite(found["log_loss"].value)
    assert found.confusion().counts.sum() == 10
    severe = [f for f in found.findings if f.check == "few_of_a_class" and f.severe]
    assert "class c" in severe[0].message


def test_leave_one_out():
    found = evaluate(DecisionTreeRegressor(max_depth=2), X, X[:, 0], cv=40)
    assert found["r2"].value > 0
    assert len(found.splits.parts) == 40
    area = evaluate(TREE, X, Y, cv=40)["roc_auc"]
    assert area.missing


def test_tiny_tables():
    found = evaluate(TREE, X[:2], [0, 1], cv=2)
    assert found["accuracy"].low >= 0
    assert found["accuracy"].high <= 1
    assert evaluate(DecisionTreeRegressor(), X[:2], [0.0, 1.0], cv=2)["mae"].value >= 0
    assert evaluate(DecisionTreeRegressor(), X[:4], np.ones(4), cv=2)["r2"].missing


@pytest.mark.parametrize("scale", [1e139, 1e-300])
def test_extreme_numbers(scale):
    found = evaluate(DecisionTreeRegressor(max_depth=2), X, X[:, 0] * scale * 0.1, cv=2, scoring=["mae"])
    assert np.isfinite(found["mae"].value)
    assert max(map(len, str(found).splitlines())) < 120


def test_numbers_whose_squares_are_none():
    with pytest.raises(ValueError, match=r"as large as 3\.3.*e\+299.*at most 1e\+140\. Divide it"):
        evaluate(DecisionTreeRegressor(max_depth=2), X, X[:, 0] * 1e299, cv=2, scoring=["mae"])


@pytest.mark.slow
def test_hostile_labels():
    y = np.where(Y > 0, "\x1b[31mred\n", "‮tfel $x$")
    for positive in np.unique(y).tolist():
        found = evaluate(TREE, X, y, cv=2, positive=positive)
        curves = ("roc", "precision_recall", "calibration", "confusion", "coverage_risk", "threshold")
        for words in (str(found), *(str(getattr(found, name)()) for name in curves)):
            assert "\x1b" not in words
            assert "‮" not in words
        found.draw().canvas.draw()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: compare([TREE], X, Y), "at least two"),
        (lambda: compare(TREE, X, Y), "wanted a dict of models by name"),
        (lambda: compare([("a", TREE), ("a", TREE)], X, Y), "Two models are named 'a'"),
        (lambda: compare({1: TREE, "1": TREE}, X, Y), "Two models are named '1'"),
        (lambda: compare([], X, Y), "0 models given"),
        (lambda: compare([TREE, TREE], X, Y, repeats=0), "repeats=0 is out of range"),
        (lambda: compare_datasets([TREE, TREE], [(X, Y), (X, Y)]), "a dict of pairs"),
        (lambda: compare_datasets([TREE, TREE], {"a": X, "b": Y}), "'a': wanted a pair"),
        (
            lambda: learning_curve(LinearSVC(), X, Y, scoring="log_loss"),
            "no predict_proba. Give another scoring",
        ),
        (lambda: learning_curve(TREE, X, Y).at(0), "n_rows=0 is out of range"),
        (lambda: compare({"a": TREE, "b": DecisionTreeClassifier}, X, Y), "with brackets"),
        (lambda: compare([TREE, TREE], X, Y, test="t"), "test='t' is unknown"),
        (lambda: compare([TREE, TREE], X, Y, prefer="first"), "prefer='first' is unknown"),
        (lambda: compare([TREE, TREE], X, Y, test="mcnemar", scoring="f1"), "compares accuracy, not f1"),
        (lambda: compare([TREE, TREE], X, Y, test="mcnemar", cv=5), "wants one hold-out"),
        (lambda: compare([TREE, TREE], X, Y, test="combined_5x2cv_f", cv=5), "wants 2 folds 5 times"),
        (lambda: compare([TREE, TREE], X, Y, cv=0.3), "wants several splits"),
        (lambda: compare([TREE, TREE], X, Y, test="delong", sample_weight=np.ones(40)), "knows no weights"),
        (lambda: compare([TREE, TREE], X, np.arange(40) % 3, test="delong"), "is for two classes"),
        (
            lambda: compare([DecisionTreeRegressor(), LinearRegression()], X, X[:, 0], test="mcnemar"),
            "is for classes",
        ),
        (lambda: compare([TREE, TREE], X, Y, rope=-1), "rope=-1 is out of range"),
        (lambda: learning_curve(TREE, X, Y, train_sizes=[1000]), "train_sizes has 1,000 training rows"),
        (lambda: learning_curve(TREE, X, Y, train_sizes=[-1]), "wanted numbers of training rows"),
        (lambda: learning_curve(TREE, X, Y, cv="fitted"), "no meaning here"),
        (lambda: validation_curve(TREE, X, Y, "depth", [1]), "'depth' is no parameter"),
        (lambda: validation_curve(TREE, X, Y, "max_depth", []), "param_range is empty"),
        (lambda: validation_curve(TREE, X, Y, "max_depth", [-1, 0]), "failed with every value"),
        (lambda: bias_variance(TREE, X, Y, n_draws=1), "n_draws=1 is out of range"),
    ],
)
def test_wrong_calls(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()


def unbalanced():
    random = np.random.default_rng(0)
    rows = random.normal(size=(10_000, 3))
    y = np.array(["common"] * 9_990 + ["rare"] * 10)
    rows[-10:, 0] += 2.5
    mixed = random.permutation(10_000)
    return rows[mixed], y[mixed]


@pytest.mark.slow
def test_9_990_against_10():
    """The constant classifier: accuracy 99.9 %, F = 0. Everything else has an result too."""
    rows, y = unbalanced()
    constant = evaluate(DecisionTreeClassifier(max_depth=1, min_samples_leaf=4000), rows, y, cv=5)
    assert constant["accuracy"].value == 0.999
    assert constant["f1"].value == 0
    assert not constant["accuracy"].beats_baseline
    model = DecisionTreeClassifier(max_depth=3, class_weight="balanced")
    found = evaluate(model, rows, y, cv=5)
    for score in found.scores:
        assert score.low <= score.value <= score.high, score.name
    for name in ("roc", "precision_recall", "calibration", "confusion", "coverage_risk", "threshold"):
        curve = getattr(found, name)()
        json.dumps(curve.to_dict(), allow_nan=False)
    assert found.threshold(false_negative=500).cost < found.threshold(false_negative=500).default_cost + 0.2
    found.draw().canvas.draw()
    assert any(f.check == "few_of_a_class" for f in found.findings)


def test_9_990_against_10_side_by_side():
    rows, y = unbalanced()
    models = {"stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier(max_depth=3)}
    for options in ({"cv": 5}, {"cv": 5, "scoring": "f1"}, {"test": "mcnemar"}, {"test": "delong"}):
        found = compare(models, rows, y, **options)
        json.dumps(found.to_dict(), allow_nan=False)
        assert found.verdict.startswith(("Take ", "Nothing is shown to be better than guessing"))
    curve = learning_curve(models["tree"], rows, y, scoring="roc_auc", cv=3, train_sizes=[0.1, 0.3, 0.6, 1.0])
    value, low, high = curve.at(20_000)
    assert low <= value <= high
    assert value > 0.5  # points of 0.5 that seem to be sure do not hold the law down
    json.dumps(curve.to_dict(), allow_nan=False)
