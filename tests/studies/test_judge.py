"""What a study is judged by."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import hedgerow
from hedgerow.candidate import TaskSpec
from hedgerow.candidates import default_boosting
from hedgerow.decision import Aim, parse_aim
from hedgerow.errors import ParameterError
from hedgerow.evaluation.data import Data
from hedgerow.report import words
from hedgerow.studies.benchmark import make_benchmark
from hedgerow.studies.judge import choose_aim, choose_scoring, order_scores, tail_share
from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions


def _data(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    return Data(None, y, np.arange(len(counts)), None, None, None)


AIMS = {
    "alike": ([400, 410], None, "accuracy"),
    "rare": ([900, 100], None, "balanced_accuracy"),
    "many classes": ([90, 80, 70, 60, 50, 40, 35], None, "accuracy"),
    "one of many is rare": ([300, 280, 12], None, "balanced_accuracy"),
    "one of many has few rows": ([300, 280, 6], None, "accuracy"),
    "as requested": ([900, 100], parse_aim("recall=0.9", None), "recall"),
}


@pytest.mark.parametrize("name", AIMS)
def test_the_aim_suits_the_shares_of_the_classes(name):
    counts, given, wanted = AIMS[name]
    assert choose_aim(given, _data(counts), "log_loss").name == wanted


def test_classes_are_judged_by_log_loss_with_the_area_or_balanced_accuracy_beside():
    for counts, beside in (([90, 20], "roc_auc"), ([90, 20, 30], "balanced_accuracy")):
        data = _data(counts)
        assert choose_scoring(None, data)[0] == "log_loss"
        assert order_scores("log_loss", data)[:2] == ["log_loss", beside]


def test_a_metric_that_judges_classes_is_the_aim_too():
    assert choose_aim(None, _data([900, 100]), "f1") == Aim("f1")


def test_numbers_with_heavy_tails_are_judged_by_the_absolute_error():
    random = np.random.default_rng(3)
    for values, wanted in (
        (random.normal(size=700), "rmse"),
        (random.exponential(size=700), "rmse"),
        (random.standard_cauchy(size=700), "mae"),
    ):
        found, why = choose_scoring(None, SimpleNamespace(classes=None, y=values))
        assert found == wanted
        assert ("tails" in why) == (wanted == "mae")
    assert tail_share(np.zeros(9)) == 0.0


def test_where_most_rows_have_one_value_the_absolute_error_does_not_decide():
    """It is least where that is predicted always: no claim, whatever the columns say."""
    random = np.random.default_rng(3)
    claims = np.where(random.random(900) < 0.6, 0.0, np.exp(3 * random.normal(size=900)))
    found, why = choose_scoring(None, SimpleNamespace(classes=None, y=claims))
    assert found == "rmse"
    assert "one value" in why
    assert choose_scoring(None, SimpleNamespace(classes=None, y=claims[claims > 0]))[0] == "mae"


@pytest.mark.parametrize(
    ("aim", "cost", "words"),
    [
        ("recal=0.9", None, "recall"),
        ("recall", None, "recall=0.9"),
        ("recall=2", None, "share"),
        ("f1=0.3", None, "f1"),
        ("cost", None, "cost"),
        ("f1", "a:b=1", "goes with"),
        (None, "a:b", "truth:prediction=cost"),
        (None, "a:b=-1", "0 or more"),
        (None, {("a", "b"): 0}, "costs nothing"),
        (None, {"a": 1}, "truth:prediction=cost"),
    ],
)
def test_an_aim_that_is_none_is_refused(aim, cost, words):
    with pytest.raises(ParameterError, match=words):
        parse_aim(aim, cost)


def test_costs_are_spelled_as_they_are_typed():
    with pytest.raises(ParameterError) as error:
        StudyOptions(aim="f1", cost="good:bad=1,bad:good=20")
    assert "bad:good=20" in str(error.value)
    assert "(" not in str(error.value)


def test_an_aim_for_two_classes_is_refused_for_more():
    with pytest.raises(ParameterError, match="two classes"):
        choose_aim(parse_aim("top=5%", None), _data([30, 30, 30]), "log_loss")
    with pytest.raises(ParameterError, match="holds numbers"):
        choose_aim(parse_aim("f1", None), SimpleNamespace(classes=None), "rmse")
    with pytest.raises(ParameterError, match="does not have"):
        choose_aim(parse_aim(None, "0:7=1"), _data([30, 30]), "log_loss")


def test_where_absolute_errors_decide_the_baseline_is_the_median():
    random = np.random.default_rng(5)
    frame = pl.DataFrame({"a": random.normal(size=240), "y": np.exp(2.5 * random.normal(size=240))})
    result = hedgerow.study(frame, "y", models=["stump"], folds=3, repeats=1, quick=True, scoring="mae")
    guess = next(one for one in result.candidates if one.name == "baseline")
    assert guess.scores[0].value == pytest.approx(guess.scores[0].baseline)
    assert not result.verdict.is_recommended
    assert "than always guessing the median" in words.answer_sentence(result)
    sentence = words.baseline_sentence(replace(result, verdict=replace(result.verdict, is_recommended=True)))
    assert sentence.startswith("Always guessing the median gives")


def test_where_absolute_errors_decide_models_fit_the_median():
    """The median of exponential noise is .69 times the mean: half of the rows are above it, and 37 % above the mean."""
    random = np.random.default_rng(5)
    x = random.integers(0, 2, 900)
    frame = pl.DataFrame(
        {"x": x, "z": random.normal(size=900), "y": (1 + 9 * x) * random.exponential(size=900)}
    )
    fitted = ("stump", "tree", "default_boosting", "gradient_boosting")
    options = {"folds": 3, "repeats": 1, "prefer": "accurate"}
    for model in fitted:
        result = hedgerow.study(frame, "y", models=[model], scoring="mae", **options)
        assert result.verdict.is_recommended
        above = np.mean(frame["y"].to_numpy() > result.model.predict(frame.drop("y")))
        assert 0.44 < above < 0.56, model


def test_of_numbers_above_zero_one_boosting_multiplies_and_the_other_adds():
    random = np.random.default_rng(5)
    x = random.normal(size=200)
    above = pl.DataFrame({"x": x, "y": np.exp(x + 0.2 * random.normal(size=200))})
    zero = above.with_columns(y=pl.when(pl.col("y") > 2).then(0.0).otherwise("y"))

    def losses(frame, is_sample=False, **more):
        options = StudyOptions(target="y", models=("default_boosting", "gradient_boosting"), **more)
        loaded = load_data(frame, options)
        models = make_benchmark(loaded.rows, loaded.goal, options, is_sample=is_sample).models
        return models["default boosting"].loss, models["gradient boosting"].estimator.loss

    assert losses(above) == ("poisson", "squared_error")
    assert losses(zero) == losses(above, is_sample=True) == ("squared_error", "squared_error")
    assert losses(above, scoring="mae") == ("absolute_error", "absolute_error")


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_the_unit_of_numbers_above_zero_does_not_matter(unit):
    random = np.random.default_rng(5)
    x = random.normal(size=(300, 3))
    y = np.exp(x[:, 0] + 0.2 * random.normal(size=300))
    spec = TaskSpec("regression", 300, 3, 0)
    one, other = (
        default_boosting.make_estimator(spec, default_boosting.FOR_POSITIVE).fit(x, y * size).predict(x)
        for size in (1.0, unit)
    )
    np.testing.assert_allclose(other, one * unit, rtol=1e-9)
