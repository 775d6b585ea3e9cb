"""Wrong or thin data: a clear error, or an answer that says what is missing."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression

from hedgerow import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    compare,
    evaluate,
    learning_curve,
    validation_curve,
)
from hedgerow.evaluate import bias_variance

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3))
Y = np.array([0, 1] * 20)
TREE = DecisionTreeClassifier(max_depth=2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cv": 41}, "cv=41 folds are more than the 40 rows"),
        ({"cv": 1}, "at least 2 folds"),
        ({"cv": 0.0}, "out of range"),
        ({"cv": 1.5}, "out of range"),
        ({"cv": "tiem"}, "cv='tiem' is unknown"),
        ({"cv": []}, "no split at all"),
        ({"cv": [([0, 1], [99])]}, "row 99, but there are 40 rows"),
        ({"cv": [([0, 1], [])]}, "without training rows or without test rows"),
        ({"cv": True}, "no splitter"),
        ({"repeats": 0}, "repeats=0 is out of range"),
        ({"repeats": 2, "cv": "time"}, "says it all itself"),
        ({"repeats": 2, "groups": Y}, "repeats do not go with groups|more than the 2 groups"),
        ({"groups": [1, 2]}, r"groups has shape \(2,\)"),
        ({"sample_weight": np.full(40, -1.0)}, "Negative weights"),
        ({"sample_weight": np.zeros(40)}, "zero in every row"),
        ({"sample_weight": np.ones(3)}, "3 entries, but X has 40 rows"),
        ({"level": 95}, "level=95 is out of range"),
        ({"level": 0.1}, "level=0.1 is out of range"),
        ({"positive": 7}, "positive=7 is no class"),
        ({"scores": []}, "scores is empty"),
        ({"scores": "r2"}, "unknown for a classification"),
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
    assert "class c" in severe[0].words


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


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_extreme_numbers(scale):
    found = evaluate(DecisionTreeRegressor(max_depth=2), X, X[:, 0] * scale * 0.1, cv=2, scores=["mae"])
    assert np.isfinite(found["mae"].value)


def test_hostile_labels():
    y = np.where(Y > 0, "\x1b[31mred\n", "‮tfel")
    assert "\x1b" not in str(evaluate(TREE, X, y, cv=2).confusion())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: compare([TREE], X, Y), "at least two"),
        (lambda: compare(TREE, X, Y), "wanted a dict of models by name"),
        (lambda: compare([("a", TREE), ("a", TREE)], X, Y), "Two models are named 'a'"),
        (lambda: compare({"a": TREE, "b": DecisionTreeClassifier}, X, Y), "with brackets"),
        (lambda: compare([TREE, TREE], X, Y, test="t"), "test='t' is unknown"),
        (lambda: compare([TREE, TREE], X, Y, select="first"), "select='first' is unknown"),
        (lambda: compare([TREE, TREE], X, Y, test="mcnemar", score="f1"), "compares accuracy, not f1"),
        (lambda: compare([TREE, TREE], X, Y, test="mcnemar", cv=5), "wants one hold-out"),
        (lambda: compare([TREE, TREE], X, Y, test="five_two_f", cv=5), "wants five times two folds"),
        (lambda: compare([TREE, TREE], X, Y, cv=0.3), "wants several splits"),
        (lambda: compare([TREE, TREE], X, Y, test="delong", sample_weight=np.ones(40)), "knows no weights"),
        (lambda: compare([TREE, TREE], X, np.arange(40) % 3, test="delong"), "is for two classes"),
        (
            lambda: compare([DecisionTreeRegressor(), LinearRegression()], X, X[:, 0], test="mcnemar"),
            "is for classes",
        ),
        (lambda: compare([TREE, TREE], X, Y, rope=-1), "rope=-1 is out of range"),
        (lambda: learning_curve(TREE, X, Y, sizes=[1000]), "asks for 1,000 training rows"),
        (lambda: learning_curve(TREE, X, Y, sizes=[-1]), "wanted numbers of training rows"),
        (lambda: learning_curve(TREE, X, Y, cv="fitted"), "no meaning here"),
        (lambda: validation_curve(TREE, X, Y, "depth", [1]), "'depth' is no parameter"),
        (lambda: validation_curve(TREE, X, Y, "max_depth", []), "values is empty"),
        (lambda: validation_curve(TREE, X, Y, "max_depth", [-1, 0]), "failed with every value"),
        (lambda: bias_variance(TREE, X, Y, draws=1), "draws=1 is out of range"),
    ],
)
def test_wrong_calls(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()
