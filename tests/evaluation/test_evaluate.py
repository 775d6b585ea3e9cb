"""An Evaluation says what it found: in a terminal, in a notebook, as a dict. Splits are what they are called."""

import inspect
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import ShuffleSplit, TimeSeriesSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hedgerow
from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, compare, datasets, evaluate
from hedgerow.evaluation.bounds import hold_out_interval
from hedgerow.evaluation.data import make_data

RNG = np.random.default_rng(2)
X = RNG.normal(size=(210, 4))
Y = (X[:, 0] + RNG.normal(size=210) > 0).astype(int)


class Fragile(ClassifierMixin, BaseEstimator):
    """Fails where row number 0's value is among the training rows."""

    def fit(self, X, y):
        if (np.asarray(X)[:, 0] == self.poison).any():
            raise RuntimeError("cannot learn from this row")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    poison = X[0, 0]


def test_public_functions_have_signatures():
    for function, wanted in (
        (hedgerow.evaluate, "cv"),
        (hedgerow.study, "target"),
        (hedgerow.compare, "models"),
    ):
        assert wanted in inspect.signature(function).parameters


def test_it_prints_itself():
    titanic = datasets.titanic()
    found = evaluate(DecisionTreeClassifier(max_depth=3), titanic.table, titanic.target)
    text = str(found)
    for wanted in (
        "DecisionTreeClassifier(max_depth=3): 1,309 rows, 10 stratified folds",
        "95 % interval",
        "better?",
        "baseline: always the most frequent class",
        "positive class: survived",
        "leaves",
        "checks of the method: nothing found; only a study checks whether rows depend on groups, time or order",
    ):
        assert wanted in text
    assert found._repr_html_().count("<tr>") == 10
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["scores"][0]["name"] == "accuracy"
    assert plain["scores"][0]["low"] < plain["scores"][0]["value"] < plain["scores"][0]["high"]
    assert plain["scores"][0]["beats_baseline"]
    with pytest.raises(KeyError, match="No score is named 'acc'"):
        found["acc"]


def test_rows_of_groups_that_are_kept_apart_need_no_check():
    found = evaluate(DecisionTreeClassifier(), X, Y, cv=3, groups=np.arange(len(Y)) % 20)
    assert str(found).endswith("checks of the method: nothing found")


def test_html_is_safe():
    y = np.where(Y > 0, "<script>alert(1)</script>", "no")
    found = evaluate(DecisionTreeClassifier(), X, y, cv=3)
    assert "<script>" not in found._repr_html_()
    assert "<script>" not in found.confusion()._repr_html_()


def test_the_constant_classifier_of_the_lectures():
    """9,990 against 10: accuracy 99.9 %, F = 0."""
    y = np.array(["usual"] * 9990 + ["rare"] * 10)
    found = evaluate(DummyClassifier(), RNG.normal(size=(10_000, 2)), y, cv=0.5, positive="rare")
    assert found["accuracy"].value == pytest.approx(0.999)
    assert found["f1"].value == 0
    assert 0.4 < found["f1"].high < 0.7  # five rows found none: that says little
    assert not found["accuracy"].beats_baseline


def test_unbalanced_folds():
    x = RNG.normal(size=(10_000, 2))
    y = np.zeros(10_000, int)
    y[:10] = 1
    x[:10, 0] += 6
    found = evaluate(DecisionTreeClassifier(max_depth=2), x, y, cv=10)
    assert found["accuracy"].value > 0.999
    assert 0.5 < found["recall"].value <= 1
    assert found["recall"].high - found["recall"].low > 0.15
    assert any(f.check == "few_of_a_class" and "10 rows" in f.message for f in found.findings)


def test_one_row_all_right_is_not_certainty():
    found = evaluate(DecisionTreeClassifier(), [[0.0], [1.0]] * 30, [0, 1] * 30, cv=0.2)
    assert found["accuracy"].value == 1
    assert found["accuracy"].low < 0.8
    assert found["roc_auc"].low < 0.7


def test_hold_out_intervals_are_wilson_s():
    found = evaluate(DecisionTreeClassifier(max_depth=2), X, Y, cv=0.3)
    n, right = 63, round(63 * found["accuracy"].value)
    low, high = hold_out_interval(n - right, n)
    assert found["accuracy"].low == pytest.approx(1 - high, abs=0.02)
    assert found["accuracy"].high == pytest.approx(1 - low, abs=0.02)


def test_more_rows_make_narrower_intervals_and_higher_levels_wider_ones():
    x = RNG.normal(size=(2000, 3))
    y = (x[:, 0] + RNG.normal(size=2000) > 0).astype(int)
    few, many = (evaluate(LogisticRegression(), x[:n], y[:n], cv=5) for n in (200, 2000))
    sure = evaluate(LogisticRegression(), x[:200], y[:200], cv=5, confidence_level=0.99)
    for a, b, c in zip(few.scores, many.scores, sure.scores, strict=True):
        assert b.high - b.low < 0.5 * (a.high - a.low)
        assert c.low < a.low < a.value < a.high < c.high


@pytest.mark.slow
def test_repeats_and_splitters():
    assert (
        evaluate(LogisticRegression(), X, Y, cv=5, repeats=3).splits.description
        == "5 stratified folds, 3 times"
    )
    assert evaluate(LogisticRegression(), X, Y, cv=0.25).splits.is_hold_out
    time = evaluate(LinearRegression(), X, X[:, 0] + X[:, 1] + Y, cv="time")
    assert [max(p.train) < min(p.test) for p in time.splits.parts] == [True] * 5
    assert [f.check for f in time.findings] == ["time_order"]
    assert evaluate(LinearRegression(), X, X[:, 0] + Y, cv=TimeSeriesSplit(3)).splits.kind == "time"
    shuffled = evaluate(LogisticRegression(), X, Y, cv=ShuffleSplit(6, test_size=0.2, random_state=0))
    assert shuffled.splits.repeats > 1
    assert shuffled["accuracy"].low < shuffled["accuracy"].value < shuffled["accuracy"].high
    masks = evaluate(LogisticRegression(), X, Y, cv=[(np.arange(210) < 150, np.arange(210) >= 150)])
    assert (
        masks["accuracy"].value
        == evaluate(LogisticRegression(), X, Y, cv=[(range(150), range(150, 210))])["accuracy"].value
    )


def test_a_fitted_model_is_not_fitted_again():
    model = DecisionTreeClassifier(max_depth=2).fit(X[:100], Y[:100])
    before = model.hedgerow_tree_
    found = evaluate(model, X[100:], Y[100:], cv="fitted")
    assert model.hedgerow_tree_ is before
    assert found["accuracy"].value == pytest.approx(np.mean(model.predict(X[100:]) == Y[100:]))
    model = DecisionTreeClassifier()
    evaluate(model, X, Y, cv=2)
    assert not hasattr(model, "hedgerow_tree_")


def test_groups_stay_together_and_widen_intervals():
    groups = np.repeat(np.arange(30), 7)
    y = (RNG.random(30) > 0.5).astype(int)[groups]  # the target is the group's
    x = RNG.normal(size=(210, 2)) + y[:, None] * 0.5
    together = evaluate(LogisticRegression(), x, y, cv=5, groups=groups)
    for part in together.splits.parts:
        assert not set(groups[part.train]) & set(groups[part.test])
    given = evaluate(LogisticRegression(), x, y, cv=[(p.train, p.test) for p in together.splits.parts])
    assert together["accuracy"].value == given["accuracy"].value
    words = evaluate(LogisticRegression(), x, y, cv=5, groups=groups.astype(str).astype(object))
    assert words.splits.description == together.splits.description
    held = evaluate(LogisticRegression(), x, y, cv=0.3, groups=groups)
    assert "whole groups" in held.splits.description


def test_weights_count_in_fits_and_scores():
    w = RNG.uniform(0.1, 2, 210)
    w[:40] = 0
    found = evaluate(DecisionTreeClassifier(max_depth=2), X, Y, cv=3, sample_weight=w)
    without = evaluate(DecisionTreeClassifier(max_depth=2), X[40:], Y[40:], cv=3, sample_weight=w[40:])
    assert found["accuracy"].value == without["accuracy"].value
    assert found.data.n_rows == 170
    ones = evaluate(DecisionTreeClassifier(max_depth=2), X, Y, cv=3, sample_weight=np.full(210, 3.0))
    plain = evaluate(DecisionTreeClassifier(max_depth=2), X, Y, cv=3)
    assert ones["f1"].value == pytest.approx(plain["f1"].value)
    assert (ones["f1"].low, ones["f1"].high) == pytest.approx((plain["f1"].low, plain["f1"].high))
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    assert not any(f.check == "unweighted" for f in evaluate(scaled, X, Y, cv=3, sample_weight=w).findings)


def test_a_model_that_takes_no_weights_says_so():
    class Stubborn(Fragile):
        poison = np.inf

    found = evaluate(Stubborn(), X, Y, cv=3, sample_weight=np.ones(210))
    assert any(f.check == "unweighted" for f in found.findings)


def test_a_model_that_fails_in_some_splits_is_scored_on_the_others():
    found = evaluate(Fragile(), X, Y, cv=5)
    assert sum(result.predictions is None for result in found.fold_results) == 4
    severe = [f.message for f in found.findings if f.check == "failed_splits"]
    assert "failed in 4 of 5 splits (RuntimeError: cannot learn from this row)" in severe[0]
    assert np.isfinite(found["accuracy"].value)
    with pytest.raises(ValueError, match=r"failed in every split.*cannot learn"):
        evaluate(Fragile(), X, Y, cv=[(range(100), range(100, 210))])


def test_anything_tabular(tmp_path):
    frame = pd.DataFrame(X, columns=list("abcd"))
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    model = DecisionTreeClassifier(max_depth=2)
    known = evaluate(model, X, Y, cv=3)["accuracy"].value
    for given in (frame, str(path), {name: frame[name].tolist() for name in frame}, frame.to_dict("records")):
        assert evaluate(model, given, Y.tolist(), cv=3)["accuracy"].value == known


def test_texts_that_are_no_table():
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    texts = ["good film", "bad film", "good plot", "bad plot"] * 10
    found = evaluate(make_pipeline(CountVectorizer(), MultinomialNB()), texts, [1, 0, 1, 0] * 10, cv=4)
    assert found["accuracy"].value == 1
    assert [f.check for f in found.findings] == ["no_table"]


def test_baselines():
    found = evaluate(DecisionTreeRegressor(max_depth=3), X, X[:, 0] + 5, cv=5)
    assert found["r2"].baseline == pytest.approx(0, abs=0.05)
    assert found["rmse"].beats_baseline
    noise = evaluate(DecisionTreeRegressor(), X, RNG.normal(size=210), cv=5)
    assert not noise["rmse"].beats_baseline
    assert "worse" in str(noise)


def test_the_baseline_is_the_best_constant_for_the_metric():
    skewed = np.exp(2 * RNG.normal(size=210))
    cut = np.arange(140), np.arange(140, 210)
    found = evaluate(DecisionTreeRegressor(max_depth=2), X, skewed, cv=[cut])
    train, test = skewed[:140], skewed[140:]
    assert found["mae"].baseline == pytest.approx(np.abs(test - np.median(train)).mean())
    assert found["rmse"].baseline == pytest.approx(np.sqrt(np.mean((test - train.mean()) ** 2)))
    words = "always the mean of the training rows; for the mean absolute error their median"
    assert found.to_dict()["baseline"] == words
    models = {"stump": DecisionTreeRegressor(max_depth=1), "tree": DecisionTreeRegressor(max_depth=3)}
    both = compare(models, X, skewed, cv=3, repeats=1, scoring="mae")
    alone = evaluate(models["tree"], X, skewed, cv=3, scoring="mae")
    assert both.entries[0].score.baseline == pytest.approx(alone["mae"].baseline)
    assert both.to_dict()["baseline"] == "always the median of the training rows"


def test_the_baseline_of_a_fitted_model_learns_from_the_rows_it_is_scored_on():
    model = DecisionTreeRegressor(max_depth=2).fit(X[:100], X[:100, 0])
    found = evaluate(model, X[100:], X[100:, 0], cv="fitted", scoring="mae")
    assert found["mae"].baseline == pytest.approx(np.abs(X[100:, 0] - np.median(X[100:, 0])).mean())
    assert found.to_dict()["baseline"].startswith("always the median of these rows")


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc", "log_loss"])
def test_one_score_may_be_asked_for(metric):
    found = evaluate(LogisticRegression(), X, Y, cv=3, scoring=metric)
    assert [s.name for s in found.scores] == [metric]


@pytest.mark.parametrize(
    ("classes", "n_first", "wanted"),
    [
        (["no", "yes"], 36, "yes"),
        (["no", "yes"], 90, "yes"),
        (["no", "yes"], 5, "no"),
        (["Negative", "Positive"], 40, "Positive"),
        (["POS", "neg"], 70, "POS"),
        (["PD", "control"], 75, "PD"),
        (["benign", "malignant"], 40, "malignant"),
        (["low", "not low"], 55, "low"),
        (["nonsmoker", "smoker"], 45, "smoker"),
        (["f", "m"], 30, "f"),
        (["f", "t"], 30, "t"),
        (["0", "1"], 30, "1"),
        ([0, 1], 30, 1),
        ([False, True], 30, True),
        ([1, 2], 30, 1),
    ],
)
def test_of_yes_and_no_yes_is_of_interest_unless_no_is_rare(classes, n_first, wanted):
    y = np.repeat(classes, [n_first, 100 - n_first])
    data = make_data([DecisionTreeClassifier(max_depth=1)], np.arange(100.0)[:, None], y)
    assert data.classes.tolist()[1] == wanted


@pytest.mark.parametrize(("n_first", "wanted"), [(30, "a"), (70, "b"), (48, "b"), (52, "b")])
def test_the_class_of_interest_is_the_rarer_one(n_first, wanted):
    """As in a study; of nearly equal classes the second in order."""
    y = np.repeat(["a", "b"], [n_first, 100 - n_first])
    model = DecisionTreeClassifier(max_depth=1)
    data = make_data([model], np.arange(100.0)[:, None], y)
    assert data.classes.tolist()[1] == wanted
    assert make_data([model], np.arange(100.0)[:, None], y, positive="a").classes.tolist()[1] == "a"


def test_a_fitted_model_may_predict_a_class_that_no_row_has():
    """Predictions of "b" were counted as the last class, and the confusion matrix had one name too few."""
    X = np.arange(9.0).reshape(-1, 1)
    model = hedgerow.DecisionTreeClassifier().fit(X, list("aaabbbccc"))
    found = hedgerow.evaluate(model, X[[0, 3, 8]], ["a", "a", "c"], cv="fitted", repeats=1)
    confusion = found.confusion()
    assert confusion.classes.tolist() == ["a", "b", "c"]
    assert confusion.counts.tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    predicted = found.fold_results[0].predictions
    assert predicted.values.tolist() == [0, 1, 2]
    assert predicted.proba.shape == (3, 3)
