"""Is a model better than guessing? The moments are those of all permutations; groups count once; signal on few rows is
found, noise is not."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, compare, datasets
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.guessing import _of_classes, _of_numbers, _reached_by_largest, associations
from hedgerow.evaluation.predictions import Predictions, ScoringData
from hedgerow.evaluation.splits import Split, Splits

NUMBERS = ["age", "max HR", "ST by exercise"]


def all_sums(of, targets):
    """The sum over rows under all permutations of the targets; the variance that is stated."""
    each = [of(np.array(one)) for one in permutations(targets)]
    n = len(targets)
    return np.array([(own.sum(), np.sum(parts**2) * n / (n - 1)) for own, parts in each]).T


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_the_moments_are_those_of_all_permutations(n_classes):
    random, n = np.random.default_rng(n_classes), 5
    if n_classes:
        proba, targets = random.dirichlet(np.ones(n_classes), n), np.arange(n) % n_classes
        predictions = Predictions(proba.argmax(axis=1), proba, proba)
        sums, variances = all_sums(
            lambda y: _of_classes(ScoringData(y, predictions, np.ones(n), n_classes)), targets
        )
    else:
        predicted = random.normal(size=n)
        sums, variances = all_sums(
            lambda y: _of_numbers(y, predicted, np.ones(n)), random.exponential(size=n)
        )
    assert sums.mean() == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(variances, sums.var())


def test_rows_of_a_group_count_once():
    """Twenty groups of ten rows, each with one target and one prediction: 20 facts, not 200."""
    random = np.random.default_rng(3)
    group = np.repeat(np.arange(20), 10)
    truth, values = random.normal(size=(2, 20))[:, group]
    rows = np.arange(200)
    splits = Splits((Split(rows[:0], rows, 0),), "", "hold-out")
    result = FoldResult(Predictions(values), "", 0.0, 0.0, None)
    alone, together = (
        associations([(result,)], Data(rows[:, None], truth, None, None, groups, None), splits)[0][0]
        for groups in (None, group)
    )
    assert abs(alone) / 5 < abs(together) < abs(alone) / 2


def test_models_that_predict_the_same_count_once():
    """A hundred copies of one model are one question, a hundred that differ are a hundred."""
    z, same, other = np.full(100, 2.0), np.ones((100, 100)), np.eye(100)
    assert _reached_by_largest(z, same, 50) == pytest.approx(0.026, abs=0.004)
    assert np.all(_reached_by_largest(z, other, 50) > 0.7)


def small_table(seed):
    """As few rows as mtcars leaves to learn from, and as much signal: R2 about 0.8."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(26, 4))
    return X, X[:, 0] + 0.6 * X[:, 1] + 0.5 * random.normal(size=26)


@pytest.mark.parametrize("seed", range(4))
def test_strong_signal_on_thirty_rows_is_found_among_many_models(seed):
    X, y = small_table(seed)
    models = {f"line {k}": Ridge(alpha=10.0**k) for k in range(-3, 2)}
    models |= {f"tree {k}": DecisionTreeRegressor(max_leaf_nodes=k) for k in (2, 3, 4, 5)}
    found = compare(models, X, y, cv=5, repeats=2, n_jobs=1, progress=False)
    assert found.chosen


@pytest.mark.parametrize("cv", [3, 5])
@pytest.mark.parametrize("scoring", ["log_loss", "roc_auc", "accuracy"])
def test_signal_on_few_rows_is_found(cv, scoring):
    data = datasets.heart()
    few = np.random.default_rng(0).permutation(len(data.target))[:150]
    X, y = data.frame().select(NUMBERS).to_numpy()[few], data.target[few]
    models = {"line": LogisticRegression(max_iter=1000), "stump": DecisionTreeClassifier(max_leaf_nodes=2)}
    found = compare(models, X, y, scoring=scoring, cv=cv, repeats=1, n_jobs=1, progress=False)
    assert found.chosen
    z, _ = associations([found["line"].fold_results], found.data, found.splits)
    assert z[0] > 4


@pytest.mark.slow
@pytest.mark.parametrize("scoring", ["log_loss", "roc_auc", "accuracy"])
def test_noise_is_not_recommended(scoring):
    models = {"line": LogisticRegression(), "tree": DecisionTreeClassifier(max_leaf_nodes=4)}
    hits = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(120, 4)), random.integers(0, 2, 120)
        hits += bool(compare(models, X, y, scoring=scoring, cv=4, repeats=1, n_jobs=1, progress=False).chosen)
    assert hits <= 4
