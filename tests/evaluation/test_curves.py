"""Curves agree with scikit-learn's and with what is counted by hand; laws find what they were made of."""

import json
from pathlib import Path

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot
from scipy.stats import t as student
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import confusion_matrix, precision_recall_curve, roc_auc_score, roc_curve
from sklearn.svm import LinearSVC
from tests.evaluation.given import GivenProba

from hedgerow import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestRegressor,
    bias_variance,
    compare,
    compare_datasets,
    evaluate,
    learning_curve,
    validation_curve,
)
from hedgerow.evaluation.curves.power_law import fit_power_law

RNG = np.random.default_rng(6)
X = RNG.normal(size=(400, 3))
Y = np.where(X[:, 0] + RNG.normal(size=400) > 0.3, "sick", "well")
HELD = [(np.arange(200), np.arange(200, 400))]


@pytest.fixture(scope="module")
def held():
    return evaluate(LogisticRegression(), X, Y, cv=HELD, positive="sick")


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


def given_proba():
    model = LogisticRegression().fit(X[:200], Y[:200])
    return Y[200:] == "sick", model.predict_proba(X[200:])[:, 0], model.predict(X[200:])


def test_roc_is_scikit_learn_s(held):
    truth, p, _ = given_proba()
    found = held.roc()
    fpr, tpr, _ = roc_curve(truth, p, drop_intermediate=False)
    known = np.interp(found.false_positive_rate, fpr + 1e-12 * np.arange(len(fpr)), tpr)
    assert found.true_positive_rate[1:] == pytest.approx(known[1:])
    assert (found.true_positive_rate[0], found.true_positive_rate[-1]) == (0, 1)  # through (0,0) and (1,1)
    area = np.trapezoid(found.true_positive_rate, found.false_positive_rate)
    assert area == pytest.approx(found.area.value, abs=0.01)
    assert (found.low <= found.true_positive_rate).all()
    assert (found.true_positive_rate <= found.high).all()
    assert (found.high - found.low)[100] > 0.02


def test_the_band_of_the_roc_curve_is_about_proc_s():
    """R's pROC draws rows 4,000 times; ours weighs them anew 200 times."""
    known = json.loads((Path(__file__).parent / "fixtures" / "references.json").read_text())["pROC"]
    score = np.array(known["first"])
    p = (score - score.min() + 0.1) / (np.ptp(score) + 0.2)
    found = evaluate(
        GivenProba(), p[:, None], np.array(known["truth"]), cv=[(np.arange(200), np.arange(200))], positive=1
    ).roc()
    for specificity, (low, middle, high) in zip(known["specificity"], known["band"], strict=True):
        at = int(np.argmin(np.abs(found.false_positive_rate - (1 - specificity))))
        assert found.true_positive_rate[at] == pytest.approx(middle, abs=0.04)
        assert (found.low[at], found.high[at]) == pytest.approx((low, high), abs=0.07)


def test_the_band_of_precision_is_that_of_rows_drawn_anew():
    random = np.random.default_rng(2)
    truth = (np.arange(300) % 3 == 0).astype(int)
    p = np.clip(0.4 + 0.25 * truth + random.normal(0, 0.15, 300), 0, 1)
    found = evaluate(
        GivenProba(), p[:, None], truth, cv=[(np.arange(300), np.arange(300))]
    ).precision_recall()
    drawn = []
    for _ in range(300):
        rows = random.integers(0, 300, 300)
        precision, recall, _ = precision_recall_curve(truth[rows], p[rows])
        drawn.append([precision[np.flatnonzero(recall >= at - 1e-9)[-1]] for at in (0.3, 0.6, 0.9)])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    at = [int(np.argmin(np.abs(found.recall - place))) for place in (0.3, 0.6, 0.9)]
    assert found.low[at] == pytest.approx(low, abs=0.06)
    assert found.high[at] == pytest.approx(high, abs=0.06)


def test_intervals_of_calibration_are_wilson_s(held):
    """A bin with so many rows: as R's prop.test, by statsmodels' formula in two lines."""
    found = held.calibration()
    for share, n, low, high in zip(found.observed, found.n_rows, found.low, found.high, strict=True):
        z = student.ppf(0.975, 399)
        ends = np.roots(
            [1 + z * z / n, -(2 * share + z * z / n), share**2]
        )  # (share - p)^2 = z^2 p (1 - p) / n
        assert (low, high) == pytest.approx(tuple(sorted(np.real(ends))), abs=1e-6)


def test_precision_and_recall_are_scikit_learn_s(held):
    truth, p, _ = given_proba()
    precision, recall, _ = precision_recall_curve(truth, p)
    found = held.precision_recall()
    for at in (20, 99, 150, 199):
        reached = np.flatnonzero(recall >= found.recall[at] - 1e-9)[-1]
        assert found.precision[at] == pytest.approx(precision[reached])
    assert found.prevalence == pytest.approx(np.mean(Y == "sick"))


def test_calibration_is_scikit_learn_s(held):
    truth, p, _ = given_proba()
    observed, predicted = calibration_curve(truth, p, n_bins=10, strategy="quantile")
    found = held.calibration()
    assert found.n_rows.sum() == 200
    assert found.predicted == pytest.approx(predicted, abs=0.02)
    assert found.observed == pytest.approx(observed, abs=0.12)
    assert (found.low <= found.observed).all()


def test_confusion_is_scikit_learn_s(held):
    truth, _, predicted = given_proba()
    known = confusion_matrix(np.where(truth, "sick", "well"), predicted, labels=["well", "sick"])
    assert (held.confusion().counts == known).all()
    assert evaluate(LogisticRegression(), X, Y, cv=5, repeats=3).confusion().counts.sum() == pytest.approx(
        400
    )


def test_coverage_and_risk_by_hand(held):
    truth, p, predicted = given_proba()
    sure = np.maximum(p, 1 - p)
    found = held.coverage_risk()
    half = np.argsort(-sure, kind="stable")[:100]
    wrong = (np.where(truth, "sick", "well") != predicted)[half].mean()
    assert found.risk[np.searchsorted(found.coverage, 0.5)] == pytest.approx(wrong, abs=0.011)
    assert found.risk[-1] == pytest.approx(1 - held["accuracy"].value)
    assert found.at_risk(1.0) == 1
    assert found.at_risk(-1.0) == 0
    assert evaluate(LinearSVC(), X, Y, cv=3).coverage_risk().area < 0.5


class Shy(LogisticRegression):
    """Abstains where it is not sure."""

    def predict(self, X):
        p = self.predict_proba(X).max(axis=1)
        return np.where(p > 0.7, super().predict(X), "?")


def test_a_model_that_abstains_is_never_fully_covered():
    found = evaluate(Shy(), X, Y, cv=HELD)
    curve = found.coverage_risk()
    assert curve.coverage[-1] < 0.9
    assert curve.full_risk < 1 - found["accuracy"].value


def test_the_threshold_is_the_cheapest_of_all(held):
    truth, p, _ = given_proba()
    found = held.threshold(false_positive=1, false_negative=4)
    every = [np.mean(np.where(p >= t, ~truth * 1.0, truth * 4.0)) for t in np.linspace(0, 1, 2001)]
    assert found.costs.min() == pytest.approx(min(every))
    assert found.theory == 0.2
    assert not found.is_cross_validated
    assert abs(found.value - 0.2) < 0.15
    folds = evaluate(LogisticRegression(), X, Y, cv=5, positive="sick").threshold(false_negative=4)
    assert folds.is_cross_validated
    assert folds.cost >= folds.costs.min()
    assert folds.low <= folds.cost <= folds.high


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda e: e.threshold(false_positive=-1), "no cost"),
        (lambda e: e.threshold(false_positive=0, false_negative=0), "nothing to choose"),
        (lambda e: e.residuals(), "for regressions"),
        (lambda e: e.calibration(bins=1), "at least 2"),
    ],
)
def test_wrong_curves(call, words, held):
    with pytest.raises(ValueError, match=words):
        call(held)


def test_curves_of_a_regression_or_of_three_classes():
    three = evaluate(DecisionTreeClassifier(max_depth=3), X, np.arange(400) % 3, cv=3)
    for name in ("roc", "precision_recall", "calibration", "threshold"):
        with pytest.raises(ValueError, match=r"two classes.*against_rest\(0\)"):
            getattr(three, name)()
    numbers = evaluate(LinearRegression(), X, X[:, 0], cv=3)
    for name in ("roc", "confusion", "coverage_risk"):
        with pytest.raises(ValueError, match=r"two classes|regression"):
            getattr(numbers, name)()
    assert numbers.residuals().residual == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match="predict_proba"):
        evaluate(LinearSVC(), X, Y, cv=3).calibration()


@pytest.mark.slow
def test_one_class_against_the_others():
    y = np.where(X[:, 0] > 0.5, "high", np.where(X[:, 1] > 0, "$mid$", "low"))
    model = DecisionTreeClassifier(max_depth=3)
    found = evaluate(model, X, y, cv=HELD)
    one = found.against_rest("high")
    p = DecisionTreeClassifier(max_depth=3).fit(X[:200], y[:200]).predict_proba(X[200:])
    column = np.unique(y).tolist().index("high")
    assert one["roc_auc"].value == pytest.approx(roc_auc_score(y[200:] == "high", p[:, column]))
    assert one["brier"].value == pytest.approx(np.mean(((y[200:] == "high") - p[:, column]) ** 2))
    assert one.confusion().counts.sum() == 200
    assert one.roc().positive == "high"
    found.against_rest("$mid$").draw().canvas.draw()
    areas = [found.against_rest(c)["roc_auc"].value for c in np.unique(y)]
    assert found["roc_auc"].value == pytest.approx(np.mean(areas))
    assert evaluate(LinearSVC(), X, y, cv=3).against_rest("low").roc().area.value > 0.7
    with pytest.raises(ValueError, match=r"'hihg' is no class.*Did you mean 'high'"):
        found.against_rest("hihg")
    with pytest.raises(ValueError, match="three classes or more"):
        evaluate(model, X, Y, cv=3).against_rest("sick")


def test_a_law_is_found_again():
    n = np.geomspace(50, 3000, 8)
    law = fit_power_law(n, 0.12 + 1.5 * n**-0.5, np.diag(np.full(8, 0.001**2)))
    assert (law.floor, law.rate) == pytest.approx((0.12, 0.5), abs=0.05)
    assert law.error(12_000) == pytest.approx(0.12 + 1.5 * 12_000**-0.5, abs=0.004)
    assert law.rows_for(0.15) == pytest.approx((1.5 / 0.03) ** 2, rel=0.3)
    assert law.rows_for(0.05) == np.inf
    low, high = law.interval(12_000, 0.95)
    assert low < 0.12 + 1.5 * 12_000**-0.5 < high


def test_a_flat_curve_stays_flat():
    law = fit_power_law(np.array([10.0, 100, 1000]), np.full(3, 0.3), np.zeros((3, 3)))
    assert law.error(10**6) == pytest.approx(0.3, abs=0.01)
    with pytest.raises(ValueError, match="at least 3"):
        fit_power_law(np.array([10.0, 100]), np.full(2, 0.3), np.zeros((2, 2)))


def test_what_all_points_share_moves_the_law_and_does_not_bend_it():
    """Points tested on the same rows are sure of the slope, though not of the confidence_level."""
    n = np.geomspace(50, 3000, 7)
    errors = 0.2 + 1.0 * n**-0.5
    alone = np.diag(np.full(7, 0.02**2))
    together = 0.02**2 * (0.95 + 0.05 * np.eye(7))
    independent, joined = fit_power_law(n, errors, alone), fit_power_law(n, errors, together)

    def gain(law):
        return law._errors(3000) - law._errors(12_000)

    assert np.ptp(np.quantile(gain(joined), [0.1, 0.9])) < np.ptp(np.quantile(gain(independent), [0.1, 0.9]))
    low, high = joined.interval(3000, 0.95)
    assert high - low > 0.06  # the level is as unsure as the rows are few


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(3, 9))
@settings(max_examples=30, deadline=None)
def test_a_law_never_rises_and_never_falls_below_nil(seed, k):
    random = np.random.default_rng(seed)
    sizes = np.sort(random.choice(np.arange(5, 5000), k, replace=False)).astype(float)
    errors, spread = random.uniform(0, 0.5, k), random.uniform(0, 0.1, k)
    law = fit_power_law(sizes, errors, np.diag(spread**2))
    predicted = [law.error(n) for n in np.geomspace(5, 10**6, 12)]
    assert (np.diff(predicted) <= 1e-12).all()
    assert min(predicted) >= 0
    low, high = law.interval(10_000, 0.9)
    assert low <= law.error(10_000) <= high
    assert law.rows_for(law.error(8000) + 1e-9) <= 8001
    again = fit_power_law(sizes, errors, np.diag(spread**2))
    assert (law.drawn == again.drawn).all()


def test_learning_curve():
    found = learning_curve(DecisionTreeClassifier(min_samples_leaf=5), X, Y)
    assert found.train_sizes[-1] == 320
    assert (np.diff(found.train_sizes) > 0).all()
    alone = evaluate(DecisionTreeClassifier(min_samples_leaf=5), X, Y, cv=5, scoring="accuracy")
    assert found.values[-1] == alone["accuracy"].value
    value, low, high = found.at(1000)
    assert low <= value <= high
    assert found.train_scores[-1] > found.values[-1]
    assert "with 640 rows: about" in str(found)
    assert "with 1,280 rows: about" in str(found)
    json.dumps(found.to_dict(), allow_nan=False)
    error = learning_curve(DecisionTreeRegressor(max_depth=3), X, X[:, 0], train_sizes=[20, 0.5, 1.0], cv=3)
    assert error.scoring == "rmse"
    assert error.values[-1] < error.values[0]


def test_validation_curve():
    found = validation_curve(DecisionTreeClassifier(), X, Y, "max_depth", [1, 2, 4, 8], cv=5)
    assert found.train_scores[-1] >= found.train_scores[0]
    assert found.simplest <= found.best
    assert "best" in str(found)
    json.dumps(found.to_dict(), allow_nan=False)


def draw_sine(random, n=120):
    x = random.uniform(0, 3, (n, 1))
    truth = np.sin(2 * x[:, 0])
    return x, truth + random.normal(0, 0.3, n), truth


def draw_classes(random, n=120):
    x = random.normal(size=(n, 2))
    truth = 1 / (1 + np.exp(-3 * x[:, 0]))
    return x, np.where(random.random(n) < truth, "yes", "no"), truth


def test_a_simulator_tells_noise_bias_and_variance_apart():
    """A full tree answers with the target of one near row: its variance is the noise, .09."""
    full = bias_variance(DecisionTreeRegressor(), draw=draw_sine, n_draws=40, progress=False)
    assert full["variance"] == pytest.approx(0.09, abs=0.012)
    assert full["noise"] == pytest.approx(0.09, abs=0.03)
    assert full["bias"] < 0.01
    assert full["error"] == pytest.approx(full["noise"] + full["bias"] + full["variance"])


@pytest.mark.slow
def test_what_the_lectures_say_of_trees():
    """Variance grows with the nodes while bias falls; averaging trees takes most of the variance away."""
    models = [DecisionTreeRegressor(max_leaf_nodes=n) for n in (2, 8, 20, 60)]
    found = [bias_variance(one, draw=draw_sine, n_draws=25, progress=False) for one in models]
    assert [one["variance"] for one in found] == sorted(one["variance"] for one in found)
    assert found[0]["bias"] > 10 * found[1]["bias"]
    assert found[1]["error"] == min(one["error"] for one in found)
    forest = RandomForestRegressor(n_estimators=20, random_state=0)
    averaged = bias_variance(forest, draw=draw_sine, n_draws=25, progress=False)
    assert averaged["variance"] < 0.7 * found[3]["variance"]


def test_zero_one_loss_against_a_truth():
    found = bias_variance(DecisionTreeClassifier(), draw=draw_classes, n_draws=25, progress=False)
    kohavi = [found[f"{name} (Kohavi-Wolpert)"] for name in ("noise", "bias", "variance")]
    assert found["error"] == pytest.approx(sum(kohavi))
    assert found["noise"] == pytest.approx(0.18, abs=0.05)
    net = found["variance where unbiased"] - found["variance where biased"]
    assert found["noise"] < found["error"] < found["noise"] + found["bias"] + net
    by_class = bias_variance(
        DecisionTreeClassifier(),
        draw=lambda random: (*draw_classes(random)[:2], np.full((120, 2), 0.5)),
        n_draws=3,
        progress=False,
    )
    assert by_class["error"] == by_class["noise"] == 0.5
    with pytest.raises(KeyError, match="No part is named"):
        found["luck"]


def test_one_table_tells_the_variance_of_half_its_rows():
    """The simulator's variance for tables of half the training rows; bias and noise are one number."""
    x, y, _ = draw_sine(np.random.default_rng(5), 400)
    found = bias_variance(DecisionTreeRegressor(), x, y, test_size=0.4, n_draws=25, progress=False)
    assert (found.n_train, found.n_rows) == (120, 160)
    assert found["variance"] == pytest.approx(0.09, abs=0.025)
    assert found["bias and noise"] == pytest.approx(0.095, abs=0.025)
    assert found["error"] == pytest.approx(found["bias and noise"] + found["variance"])
    assert "does not tell bias from noise" in str(found)
    classes = bias_variance(DecisionTreeClassifier(), X, Y, n_draws=5, progress=False)
    assert classes["error"] == pytest.approx(classes["bias and noise"] + classes["variance"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "takes X and y, or draw="),
        ({"X": X, "y": Y, "draw": draw_sine}, "takes X and y, or draw="),
        ({"draw": lambda random: (X, Y)}, "it must give three things"),
        ({"draw": lambda random: (X, X[:, 0], X)}, "give a mean for each row"),
    ],
)
def test_a_simulator_that_is_none(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        bias_variance(DecisionTreeRegressor(), **given, progress=False)


def test_bias_and_variance_are_mlxtend_s():
    """The same samples: mlxtend draws them with numpy's RandomState; so does this test."""
    from sklearn.tree import DecisionTreeClassifier as Theirs

    from hedgerow.evaluation.curves.bias_variance import _decompose_zero_one

    known = json.loads((Path(__file__).parent / "fixtures" / "references.json").read_text())
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(120, 3))
    target = (rows[:, 0] + rng.normal(size=120) > 0).astype(int)
    random, predicted = np.random.RandomState(3), []
    for _ in range(50):
        drawn = random.choice(np.arange(80), size=80, replace=True)
        predicted.append(Theirs(random_state=0).fit(rows[drawn], target[drawn]).predict(rows[80:]))
    found = {
        part.name: part.value for part in _decompose_zero_one(np.array(predicted), np.eye(2)[target[80:]])
    }
    assert [found["error"], found["bias"], found["variance"]] == pytest.approx(
        known["mlxtend"]["bias_variance"]
    )


@pytest.mark.slow
def test_every_picture_is_drawn(held):
    held.draw().canvas.draw()
    for name in ("roc", "precision_recall", "calibration", "confusion", "coverage_risk", "threshold"):
        curve = getattr(held, name)()
        figure, ax = pyplot.subplots()
        assert curve.draw(ax=ax) is ax
        figure.canvas.draw()
        json.dumps(curve.to_dict(), allow_nan=False)
        assert str(curve)
    evaluate(LinearRegression(), X, X[:, 0] + 1, cv=3).draw().canvas.draw()
    models = {"stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier()}
    names = [t.get_text() for t in compare(models, X, Y, cv=3).draw().get_yticklabels()]
    assert sum("(take this)" in name for name in names) == 1
    sets = {str(k): (X[k::4], Y[k::4]) for k in range(4)}
    words = [t.get_text() for t in compare_datasets(models, sets, cv=3).draw().texts]
    assert any("critical difference" in word for word in words)
    learning_curve(models["stump"], X, Y, train_sizes=[0.3, 0.6, 1.0], cv=3).draw().figure.canvas.draw()
    validation_curve(models["tree"], X, Y, "max_depth", [1, 3], cv=3).draw().figure.canvas.draw()
    bias_variance(models["tree"], X, Y, n_draws=4).draw().figure.canvas.draw()
