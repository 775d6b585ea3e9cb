"""Comparisons: paired, corrected, and put into words that claim no more than was shown."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier as Theirs

from hedgerow import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RuleListClassifier,
    compare,
    compare_datasets,
    datasets,
    evaluate,
    simplest_within_1se,
)
from hedgerow.evaluation.size import Size, measure_size, median_size

RNG = np.random.default_rng(9)
X = RNG.normal(size=(300, 4))
Y = np.where(X[:, 0] + 0.7 * RNG.normal(size=300) > 0, "yes", "no")


class Moody(ClassifierMixin, BaseEstimator):
    """Fails where the first row is to be learned."""

    def fit(self, X, y):
        if (np.asarray(X)[:, 0] == POISON).any():
            raise RuntimeError("not this row")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.where(np.asarray(X)[:, 0] > 0, "yes", "no")


POISON = X[0, 0]


def test_models_that_cannot_be_told_apart():
    titanic = datasets.titanic()
    models = {"stump": DecisionTreeClassifier(max_depth=1), "two": DecisionTreeClassifier(max_depth=2)}
    found = compare(models, titanic.table, titanic.target, cv=10, repeats=1)
    assert "cannot be distinguished on 1,309 rows" in str(found)
    assert "stump is simpler (2 leaves against 4 leaves)" in found.verdicts[0]
    assert found.chosen == found.choice.simplest == "stump"
    assert found.verdict.startswith(
        "Take stump, the most accurate. It is also the simplest of those that cannot be distinguished from it."
    )


def test_a_clear_difference_is_said():
    models = {"guess": LogisticRegression(C=1e-9), "line": LogisticRegression()}
    found = compare(models, X, Y, cv=5, repeats=2, scoring="log_loss")
    assert found.pair("line", "guess").is_decided
    assert found.verdicts[0].startswith("line is better than guess: by ")
    assert found.chosen == "line"
    assert "Every other model is shown to be worse" in found.verdict


def test_the_same_model_twice_is_never_told_apart():
    found = compare([DecisionTreeClassifier(), DecisionTreeClassifier()], X, Y, cv=5)
    assert found.pairs[0].p_value == 1
    assert found.pairs[0].outcome.difference == 0


def test_it_prints_itself_and_is_json():
    found = compare({"a": DecisionTreeClassifier(max_depth=1), "<b>": DecisionTreeClassifier()}, X, Y, cv=5)
    text = str(found)
    for wanted in (
        "2 models by accuracy: 300 rows, 5 stratified folds",
        f"> {found.chosen}",
        "baseline",
        "intervals and p-values hold for all pairs together",
        "leaves",
    ):
        assert wanted in text
    assert "<b>" not in found._repr_html_().replace("<b></b>", "")
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["chosen"] in ("a", "<b>")
    assert plain["pairs"][0]["verdict"] == found.verdicts[0]
    with pytest.raises(KeyError, match="No model is named 'c'"):
        found["c"]


def test_a_model_that_raises_in_one_fold_stays_with_its_reason():
    splits = [(np.delete(np.arange(300), range(k, k + 60)), np.arange(k, k + 60)) for k in range(0, 300, 60)]
    turned = [(test, train[:60]) for train, test in splits]  # only the first trains on row 0
    found = compare({"moody": Moody(), "tree": DecisionTreeClassifier(max_depth=1)}, X, Y, cv=turned)
    assert found["moody"].n_failed == 1
    assert "failed in 1 of 5 splits: RuntimeError: not this row" in str(found)
    assert np.isfinite(found["moody"].score.value)
    assert len(found.pairs) == 1
    assert found.chosen == "tree"


def test_a_model_that_always_fails_stays_too():
    found = compare(
        {"good": DecisionTreeClassifier(), "bad": DecisionTreeClassifier(max_depth=-1)}, X, Y, cv=4
    )
    assert found.entries[-1].name == "bad"
    assert "failed in 4 of 4 splits: ParameterError: max_depth=-1" in str(found)
    assert found.pairs == ()
    assert found.chosen == "good"
    none = compare(
        {"a": DecisionTreeClassifier(max_depth=-1), "b": DecisionTreeClassifier(max_depth=-2)}, X, Y, cv=4
    )
    assert none.chosen == ""
    assert "all of them failed" in str(none)


def test_models_are_scored_as_evaluate_scores_them():
    models = {"stump": DecisionTreeClassifier(max_depth=1), "line": LogisticRegression()}
    found = compare(models, X, Y, cv=5, repeats=2)
    for name, model in models.items():
        alone = evaluate(model, X, Y, cv=5, repeats=2)["accuracy"]
        assert found[name].score == alone


@pytest.mark.slow
def test_probabilities_in_words():
    models = {"one": LogisticRegression(C=1.0), "two": LogisticRegression(C=1.1)}
    found = compare(models, X, Y, test="bayes", rope=0.1)
    assert found.pairs[0].is_equal
    assert "are practically equal on 300 rows" in found.verdicts[0]
    assert "hold for all pairs" not in str(found)


@pytest.mark.parametrize("test", ["mcnemar", "delong"])
def test_a_hold_out_says_how_many_rows_it_has(test):
    found = compare([LogisticRegression(), DecisionTreeClassifier(max_depth=2)], X, Y, test=test)
    assert found.splits.is_hold_out
    assert "held-out rows" in found.verdicts[0] or "is better than" in found.verdicts[0]


def test_numbers_are_compared_by_their_error():
    y = X[:, 0] + 0.3 * RNG.normal(size=300)
    found = compare({"line": LinearRegression(), "tree": DecisionTreeRegressor()}, X, y, cv=5)
    assert found.scoring == "rmse"
    assert found.entries[0].name == "line"
    assert found.pairs[0].outcome.difference > 0


def test_weights_and_groups():
    groups = np.repeat(np.arange(60), 5)
    found = compare([LogisticRegression(), DecisionTreeClassifier(max_depth=1)], X, Y, groups=groups)
    assert "whole groups" in found.splits.description
    weighted = compare(
        [LogisticRegression(), DecisionTreeClassifier(max_depth=1)],
        X,
        Y,
        cv=3,
        sample_weight=RNG.random(300) + 0.1,
    )
    assert weighted.entries[0].score.value > 0.5


def test_as_refit_of_scikit_learn():
    grid = {"max_leaf_nodes": [2, 3, 5, 9, 20, None]}
    search = GridSearchCV(DecisionTreeClassifier(), grid, cv=5, refit=simplest_within_1se()).fit(X, Y)
    mean, std = search.cv_results_["mean_test_score"], search.cv_results_["std_test_score"]
    bound = mean.max() - std[mean.argmax()] / np.sqrt(5)
    assert search.best_index_ == int(np.flatnonzero(mean >= bound)[0])  # the grid is in order of size
    assert search.predict(X[:3]).shape == (3,)


def test_as_refit_with_other_directions():
    grid = {"ccp_alpha": [0.0, 0.001, 0.1], "max_depth": [1, 4]}
    for by in (None, "ccp_alpha", {"ccp_alpha": "larger"}):
        GridSearchCV(DecisionTreeClassifier(), grid, cv=3, refit=simplest_within_1se(by)).fit(X, Y)


@pytest.mark.parametrize(
    ("choose", "grid", "words"),
    [
        (
            simplest_within_1se(),
            {"criterion": ["gini", "entropy"]},
            "Is a small or a large 'criterion' simpler",
        ),
        (
            simplest_within_1se({"max_depth": "less"}),
            {"max_depth": [1, 2]},
            "Say whether 'smaller' or 'larger'",
        ),
        (simplest_within_1se(scoring="f1"), {"max_depth": [1, 2]}, "scoring='f1' is not in cv_results_"),
    ],
)
def test_a_refit_that_cannot_be(choose, grid, words):
    search = GridSearchCV(DecisionTreeClassifier(), grid, cv=3, refit=choose)
    with pytest.raises(ValueError, match=words):
        search.fit(X, Y)


def test_sizes():
    tree = DecisionTreeClassifier(max_leaf_nodes=4).fit(X, Y)
    assert measure_size(tree) == Size(4.0, "leaf", 10.0)
    theirs = measure_size(Theirs(max_leaf_nodes=4).fit(X, Y))
    assert theirs == measure_size(tree)
    forest = measure_size(RandomForestClassifier(3, max_depth=1).fit(X, Y))
    assert (forest.count, forest.unit) == (6, "leaf")
    assert measure_size(HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=3).fit(X, Y)).count == 6
    assert measure_size(SVC().fit(X, Y)).unit == "support vector"
    assert str(measure_size(LogisticRegression().fit(X, Y))) == "5 coefficients"
    assert measure_size(make_pipeline(StandardScaler(), SVC()).fit(X, Y)).unit == "support vector"
    assert measure_size(GridSearchCV(tree, {"max_depth": [1]}).fit(X, Y)).count == 2
    assert measure_size(RuleListClassifier().fit(X, Y)).unit == "rule"
    assert measure_size(object()) is None
    assert median_size([Size(1, "leaf", 1), Size(1, "rule", 1)]) is None
    few = [Size(1, "leaf", 1), Size(1, "leaf", 1), Size(2, "leaf", 4), Size(9, "leaf", 25)]
    assert str(median_size(few)) == "1 leaf"
    blends = [
        Size(4, "model", 40),
        Size(3, "model", 4000),
        Size(5, "model", 3000),
    ]  # by numbers, as models are compared
    assert median_size(blends) == blends[2]


def test_names_of_models():
    found = compare([Theirs(max_depth=1), Theirs(max_depth=2)], X, Y, cv=2)
    assert {e.name for e in found.entries} == {
        "DecisionTreeClassifier(max_depth=1)",
        "DecisionTreeClassifier(max_depth=2)",
    }
    found = compare([("a", Theirs()), ("b", Theirs())], X, Y, cv=2)
    assert {e.name for e in found.entries} == {"a", "b"}


@pytest.mark.slow
def test_over_several_data_sets():
    rows = {}
    for k in range(6):
        x = RNG.normal(size=(120, 3))
        rows[f"set {k}"] = (x, (x[:, 0] + 0.3 * RNG.normal(size=120) > 0).astype(int))
    models = {
        "line": LogisticRegression(),
        "guess": LogisticRegression(C=1e-9),
        "broken": DecisionTreeClassifier(max_depth=-1),
    }
    found = compare_datasets(models, rows, cv=3)
    assert [found.models[k] for k in found.order] == ["line", "guess", "broken"]
    assert found.friedman.mean_ranks.sum() == pytest.approx(6)
    assert len(found.failures) == 6
    assert "line has the best mean rank on 6 data sets" in str(found)
    json.dumps(found.to_dict(), allow_nan=False)
    assert "<table>" in found._repr_html_()
    same = compare_datasets({"a": LogisticRegression(), "b": LogisticRegression()}, rows, cv=3)
    assert "cannot be distinguished" in same.verdict
    with pytest.raises(ValueError, match="at least 2"):
        compare_datasets(models, {"one": rows["set 0"]})


class Sure(ClassifierMixin, BaseEstimator):
    """Always right, and as sure as it is told to be."""

    def __init__(self, certainty=0.99):
        self.certainty = certainty

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        right = np.where(np.asarray(X)[:, 0] > 0, self.certainty, 1 - self.certainty)
        return np.column_stack([1 - right, right])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def test_models_that_are_always_right_are_not_told_apart_by_how_sure_they_are():
    """Of 150 rows none is wrong; one of the next 150 may be."""
    X = np.random.default_rng(8).normal(size=(150, 2))
    models = {"sure": Sure(0.995), "surer": Sure(0.999), "unsure": Sure(0.7)}
    found = compare(models, X, X[:, 0] > 0, scoring="log_loss", progress=False)
    by_name = {one.second: one for one in found.pairs if one.first == "surer"}
    assert by_name["sure"].p_value > 0.05
    assert by_name["unsure"].p_value < 0.01


def test_where_a_class_is_rare_models_are_compared_by_how_they_rank():
    """Loans, 95 % good: in accuracy nothing beats calling every loan good."""
    random = np.random.default_rng(3)
    rows = random.normal(size=(700, 3))
    loans = np.where(random.random(700) < 1 / (1 + np.exp(3.6 - 1.2 * rows[:, 0])), "bad", "good")
    models = {"line": LogisticRegression(), "stump": DecisionTreeClassifier(max_depth=1)}
    found = compare(models, rows, loans, cv=5, repeats=1, progress=False)
    assert (found.scoring, found.chosen) == ("roc_auc", "line")
    by_accuracy = compare(models, rows, loans, cv=5, repeats=1, scoring="accuracy", progress=False)
    assert by_accuracy.chosen == ""
    assert compare(models, rows[:300], Y, cv=3, repeats=1, progress=False).scoring == "accuracy"
    silent = {"stump": models["stump"], "same": Theirs(max_depth=1), "moody": Moody()}
    assert compare(silent, rows[:300], loans[:300], cv=3, repeats=1, progress=False).scoring == "accuracy"
