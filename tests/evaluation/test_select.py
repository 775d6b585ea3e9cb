"""One rule of choice: two named answers, nothing on noise, and intervals that say what the tests say."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import LeaveOneOut

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, compare
from hedgerow.errors import ParameterError
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.paired import compare_fold_results
from hedgerow.evaluation.predictions import Predictions
from hedgerow.evaluation.run import GIVEN_UP
from hedgerow.evaluation.select import Choice
from hedgerow.evaluation.splits import make_splits
from hedgerow.evaluation.verdict import describe_choice, describe_price


def trees(*leaves):
    return {f"{n} leaves": DecisionTreeClassifier(max_leaf_nodes=n) for n in leaves}


def signal(n=300, noise=0.7, seed=9):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 4))
    return X, np.where(X[:, 0] + 0.6 * X[:, 1] + noise * random.normal(size=n) > 0, "yes", "no")


def test_both_answers_are_named_and_prefer_says_which_is_taken():
    X, y = signal()
    models = {"line": LogisticRegression(), **trees(2, 4, 60)}
    accurate, simple = (compare(models, X, y, cv=5, prefer=one) for one in ("accurate", "simple"))
    assert accurate.choice.most_accurate == simple.choice.most_accurate == accurate.chosen
    assert accurate.choice.simplest == simple.choice.simplest == simple.chosen
    near = {p.second for p in simple.pairs if p.first == accurate.chosen and not p.is_decided} | {
        accurate.chosen
    }
    assert simple.chosen == min(near, key=lambda name: simple[name].size.numbers)


def test_the_price_of_readability_is_said_as_a_share_of_the_gain_too():
    """Of few rows nothing is distinguished: a stump that loses half of the gain is still called near."""
    X, y = signal(120, seed=2)
    found = compare({"forest": RandomForestClassifier(20, random_state=0), **trees(2)}, X, y, cv=5)
    best = found[found.choice.most_accurate].score
    assert found.choice.simplest == "2 leaves" != found.choice.most_accurate
    lost = (best.value - found["2 leaves"].score.value) / (best.value - best.baseline)
    assert f"), {100 * lost:.0f} % of the gain over guessing." in found.verdict


def test_a_margin_in_the_units_of_the_metric():
    X, y = signal()
    models = {"line": LogisticRegression(), **trees(2, 4)}
    free = compare(models, X, y, cv=5, prefer="simple", margin=0.5)
    assert free.chosen == "2 leaves"
    assert "2 leaves, the simplest within 0.5 of line, the most accurate. The price of " in free.verdict
    assert (
        f"instead of {free['line'].size} in a fold: " in free.verdict
    )  # a model of all rows has another size
    assert compare(models, X, y, cv=5, prefer="simple", margin=0.0).chosen == free.choice.most_accurate
    with pytest.raises(ParameterError, match="margin=-1 is out of range"):
        compare(models, X, y, margin=-1)


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "roc_auc", "log_loss"])
def test_nothing_is_recommended_on_noise(scoring):
    random = np.random.default_rng(3)
    X, y = random.normal(size=(150, 5)), random.random(150) < 0.4
    found = compare({"line": LogisticRegression(), **trees(2, 8)}, X, y, scoring=scoring, cv=5)
    assert found.chosen == ""
    assert found.verdict.startswith(
        "Nothing is shown to be better than guessing, so no model is recommended."
    )
    assert "> " not in str(found).split("baseline")[0]


def test_nothing_is_recommended_on_noise_of_numbers():
    random = np.random.default_rng(3)
    X, y = random.normal(size=(120, 5)), random.normal(size=120)
    models = {"line": LinearRegression(), "tree": DecisionTreeRegressor(max_leaf_nodes=4)}
    assert compare(models, X, y, cv=5).chosen == ""


def test_a_baseline_among_the_models_changes_nothing():
    """It is no candidate, and no further comparison to correct for."""
    X, y = signal(120)
    models = {"line": LogisticRegression(), **trees(2, 4)}
    alone, beside = compare(models, X, y, cv=5), compare({**models, "guess": DummyClassifier()}, X, y, cv=5)
    assert beside.choice == alone.choice
    assert beside.baseline_pairs == alone.baseline_pairs
    assert beside.pair("line", "2 leaves") == alone.pair("line", "2 leaves")
    assert beside.pair("line", "guess").is_decided
    noise = np.random.default_rng(0).normal(size=80)
    models = {"guess": DummyRegressor(), "line": LinearRegression()}
    assert compare(models, X[:80], noise, cv=5).chosen == ""
    assert compare([DummyRegressor(), DummyRegressor()], X[:80], noise, cv=5).chosen == ""


@pytest.mark.slow
@pytest.mark.parametrize("test", ["rowwise_t", "corrected_t", "mcnemar", "delong"])
def test_intervals_and_tests_say_the_same(test):
    """A pair is decided where its interval, at the same level and for as many pairs, has no zero in it."""
    for seed in range(4):
        X, y = signal(240, seed=seed)
        models = {"line": LogisticRegression(), **trees(2, 4, 8, 30)}
        found = compare(models, X, y, test=test, repeats=None if test in ("mcnemar", "delong") else 1)
        assert len(found.pairs) == 10
        for pair in found.pairs:
            excludes_zero = pair.outcome.low > 0 or pair.outcome.high < 0
            assert pair.is_decided == excludes_zero, (pair.first, pair.second)


def test_intervals_of_pairs_widen_with_their_number():
    X, y = signal(200)
    two = compare({"line": LogisticRegression(), **trees(2)}, X, y, cv=5)
    five = compare({"line": LogisticRegression(), **trees(2, 5, 9, 20)}, X, y, cv=5)
    assert two.choice.most_accurate == five.choice.most_accurate == "line"
    width = [found.pair("line", "2 leaves").outcome for found in (two, five)]
    assert width[1].high - width[1].low > 1.15 * (width[0].high - width[0].low)


def test_models_that_all_guess():
    X, y = signal(60)
    found = compare({"one": DummyClassifier(), "two": DummyClassifier()}, X, y, cv=5)
    assert describe_choice(found).endswith(" predicts the same for all rows, as the baseline does.")


def test_a_better_score_that_is_not_taken_is_explained():
    """Of few rows a model may have the best score and yet not be shown to beat guessing."""
    X, y = signal(120)
    found = compare({"line": LogisticRegression(), **trees(2)}, X, y, cv=5)
    assert found.entries[0].name == "line"
    assert "better score" not in describe_choice(found)
    other = replace(found, choice=Choice("2 leaves", "2 leaves", "2 leaves"), baseline_pairs=())
    assert describe_choice(other).endswith(" line has a better score, but is not shown to beat the baseline.")


def test_a_simpler_model_that_is_not_the_answer_is_explained():
    """Near the best because of few rows alone."""
    X, y = signal(60, noise=2.0)
    found = compare({"line": LogisticRegression(), **trees(2)}, X, y, cv=5)
    assert not found.pair("line", "2 leaves").is_decided
    shown = tuple(pair for pair in found.baseline_pairs if pair.first == "line")
    alone = replace(found, choice=Choice("line", "line", "line"), baseline_pairs=shown)
    assert describe_choice(alone).endswith(
        " 2 leaves is simpler still, but is not shown to beat the baseline."
    )


@pytest.mark.parametrize("scoring", ["accuracy", "log_loss"])
def test_models_that_are_tested_on_one_row_at_a_time_are_no_guesses(scoring):
    """Of one row any prediction is the same for all rows."""
    X, y = signal(90)
    models = {"line": LogisticRegression(), "guess": DummyClassifier(strategy="prior")}
    found = compare(models, X, y, cv=len(y), scoring=scoring)
    assert found.choice.recommended == "line"
    assert found.pair("line", "guess").is_decided
    numbers = {"line": LinearRegression(), "mean": DummyRegressor()}
    found = compare(numbers, X, X[:, 0] + 0.3 * X[:, 2], cv=LeaveOneOut())
    assert found.choice.recommended == "line"


def test_a_better_score_of_some_folds_only_is_explained():
    """Of a model that was given up: the folds it completed may be easier than the others."""
    X, y = signal(120)
    found = compare({"line": LogisticRegression(), **trees(2)}, X, y, cv=5)
    results = {entry.name: entry.fold_results for entry in found.entries}
    results["line"] = (*results["line"][:2], GIVEN_UP, GIVEN_UP, GIVEN_UP)
    partly = compare_fold_results(
        {entry.name: entry.model for entry in found.entries}, results, found.data, found.splits, found.scoring
    )
    taken = replace(partly, choice=Choice("2 leaves", "2 leaves", "2 leaves"))
    assert describe_choice(taken).endswith(
        " line has a better score, but only on the folds completed by then, where another model is clearly better."
    )


def test_a_blend_is_taken_unless_another_model_is_shown_to_be_better():
    X, y = signal(500)
    models = {"line": LogisticRegression(), **trees(2, 4)}
    found = compare(models, X, y, cv=5)
    best = found.entries[0].name
    assert best == found.choice.most_accurate == "4 leaves"
    assert [found.pair(best, name).is_decided for name in ("line", "2 leaves")] == [False, True]
    results = {entry.name: entry.fold_results for entry in found.entries}

    def compare_with_blend(name):
        return compare_fold_results(models, results, found.data, found.splits, found.scoring, blend=name)

    assert compare_with_blend("2 leaves").choice == compare_with_blend(best).choice == found.choice
    blended = compare_with_blend("line")
    assert blended.choice.most_accurate == blended.choice.recommended == "line"
    assert {pair.first for pair in blended.pairs if "line" in (pair.first, pair.second)} == {"line"}
    gap = blended.pair("line", best).outcome
    free = describe_price(replace(blended, choice=Choice("line", best, "line")))
    assert free.startswith("The price of 4 leaves instead of ")
    assert free.endswith(
        f" is nothing: accuracy is better by {-gap.difference:.3f} (95 %: {-gap.high:.3f} to {-gap.low:.3f})."
    )
    assert [entry.name for entry in blended.entries] == [entry.name for entry in found.entries]
    assert describe_choice(blended).endswith(
        " 4 leaves has a better score, but cannot be distinguished from it: the best score of many is partly luck."
    )


def test_a_blend_is_not_taken_where_any_other_model_is_shown_to_be_better():
    """The best score is unsteady and not shown to be better than the blend; the second best is."""
    random = np.random.default_rng(4)
    y, sign = random.normal(0, 20, 400), random.choice([-1.0, 1.0], 400)
    errors = {
        "unsteady": random.choice([0.0, 40.0], 400, p=[0.8, 0.2]),
        "steady": random.normal(9.0, 0.2, 400),
        "blend": random.normal(10.0, 0.2, 400),
    }
    X, names = random.normal(size=(400, 1)), ["unsteady", "steady", "blend"]
    models = dict.fromkeys(names, DecisionTreeRegressor())
    data = make_data(list(models.values()), X, y)
    splits = make_splits(5, data)
    results = {
        name: tuple(
            FoldResult(Predictions((y + sign * errors[name])[part.test]), "", 0.0, 0.0, None)
            for part in splits.parts
        )
        for name in names
    }
    found = compare_fold_results(models, results, data, splits, "mae", blend="blend")
    assert [entry.name for entry in found.entries] == names
    assert not found.pair("unsteady", "blend").is_decided
    assert found.choice.most_accurate == "unsteady"
    without = {name: results[name] for name in ("unsteady", "blend")}
    pair = compare_fold_results(
        {name: models[name] for name in without}, without, data, splits, "mae", blend="blend"
    )
    assert pair.choice.most_accurate == "blend"
