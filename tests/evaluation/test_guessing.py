"""Is a model better than guessing? The moments are those of all permutations; groups count once; signal on few rows is
found, noise is not."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from hedgerow import DecisionTreeClassifier, compare, datasets
from hedgerow.evaluation.guessing import _of_classes, _of_numbers, association
from hedgerow.evaluation.predictions import Predictions, ScoringData

NUMBERS = ["age", "max HR", "ST by exercise"]


def all_sums(of, truth, predictions, n_classes):
    each = [
        of(ScoringData(np.array(one), predictions, np.ones(len(truth)), n_classes), None)
        for one in permutations(truth)
    ]
    return np.array(each).T


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_the_moments_are_those_of_all_permutations(n_classes):
    random = np.random.default_rng(n_classes)
    n = 5
    if n_classes:
        proba = random.dirichlet(np.ones(n_classes), n)
        truth, of = np.arange(n) % n_classes, _of_classes
        predictions = Predictions(proba.argmax(axis=1), proba, proba)
    else:
        truth, of = random.exponential(size=n), _of_numbers
        predictions = Predictions(random.normal(size=n))
    sums, variances = all_sums(of, truth, predictions, n_classes)
    assert sums.mean() == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(variances, sums.var())


def test_rows_of_a_group_count_once():
    """Twenty groups of ten rows, each with one target and one prediction: 20 facts, not 200."""
    random = np.random.default_rng(3)
    group = np.repeat(np.arange(20), 10)
    truth, proba = random.integers(0, 2, 20)[group], random.random(20)[group]
    rows = ScoringData(truth, Predictions(truth, np.column_stack([1 - proba, proba])), np.ones(len(truth)), 2)
    total, alone = _of_classes(rows, None)
    same, together = _of_classes(rows, group)
    assert same == total
    assert 4 * alone < together < 25 * alone


@pytest.mark.parametrize("cv", [3, 5])
@pytest.mark.parametrize("scoring", ["log_loss", "roc_auc", "accuracy"])
def test_signal_on_few_rows_is_found(cv, scoring):
    data = datasets.heart()
    few = np.random.default_rng(0).permutation(len(data.target))[:150]
    X, y = data.frame().select(NUMBERS).to_numpy()[few], data.target[few]
    models = {"line": LogisticRegression(max_iter=1000), "stump": DecisionTreeClassifier(max_leaf_nodes=2)}
    found = compare(models, X, y, scoring=scoring, cv=cv, repeats=1, n_jobs=1, progress=False)
    assert found.chosen
    assert association(found["line"].fold_results, found.data, found.splits) > 4


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
