"""What folds have to do with each other: overlap.py, and the pair that is made of it (paired.py)."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, compare, evaluate
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.overlap import (
    DEFAULT_INFLATION,
    MAX_COVARIANCE,
    MAX_ROWS,
    MIN_INFLATION,
    _fast_value,
    fold_covariance,
    overlap_rows,
)
from hedgerow.evaluation.predictions import make_scoring_data
from hedgerow.evaluation.splits import make_splits

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from simulations.population import classes


def slow_fold_covariance(contributions, fold):
    """Its words, one by one."""
    n = len(contributions)
    acts = np.zeros((n, n))
    for f in range(n):
        others = [g for g in range(n) if g != f]
        scores = {g: sum(contributions[g][i] for i in range(len(fold)) if fold[i] == f) for g in others}
        for g in others:
            acts[f, g] = scores[g] - np.mean(list(scores.values()))
    return sum(acts[f, g] * acts[g, f] for f in range(n) for g in range(n) if f != g)


@given(st.integers(4, 7), st.integers(7, 30), st.integers(0, 2**32 - 1))
def test_fold_covariance_is_its_twin(n, rows, seed):
    random = np.random.default_rng(seed)
    contributions, fold = random.normal(size=(n, rows)), random.integers(0, n, rows)
    assert fold_covariance(contributions, fold) == pytest.approx(
        slow_fold_covariance(contributions, fold), abs=1e-9
    )


def test_models_that_are_all_the_same_do_not_act_on_each_other():
    contributions = np.tile(np.random.default_rng(0).normal(size=40), (5, 1))
    assert fold_covariance(contributions, np.arange(40) % 5) == pytest.approx(0, abs=1e-12)


def test_two_folds_that_pull_each_other_are_seen():
    """Without fold 1 the rows of fold 0 do worse, and the other way round."""
    contributions, fold = np.zeros((5, 10)), np.arange(10) % 5
    contributions[1, fold == 0] = contributions[0, fold == 1] = -1.0
    assert fold_covariance(contributions, fold) > 0
    contributions[0, fold == 1] = 1.0
    assert fold_covariance(contributions, fold) < 0


@pytest.fixture(scope="module")
def rows():
    return classes(200, np.random.default_rng(5))


def factor(model, rows, score="accuracy", **options):
    """The variance of the score, as a multiple of that of its rows."""
    X, y = rows
    found = evaluate(model, X, y, scoring=score, progress=False, **options)
    from hedgerow.evaluation.estimate import estimate_metric
    from hedgerow.evaluation.metric import metrics

    return 1 + estimate_metric(metrics()[score], found.fold_results, found.data, found.splits).inflation


@pytest.mark.slow
def test_small_trees_are_less_sure_than_linear_models(rows):
    tree, line = DecisionTreeClassifier(max_leaf_nodes=3), LogisticRegression()
    for score in ("accuracy", "brier", "roc_auc"):
        assert factor(line, rows, score) < factor(tree, rows, score) <= 1 + MIN_INFLATION + MAX_COVARIANCE


def test_a_model_that_knows_its_rows_by_heart_shows_nothing(rows):
    assert factor(KNeighborsClassifier(1), rows) == pytest.approx(1 + MIN_INFLATION)


def test_where_nothing_can_be_seen(rows):
    tree = DecisionTreeClassifier(max_leaf_nodes=3)
    assert factor(tree, rows, cv=3) == 1 + DEFAULT_INFLATION
    assert factor(tree, rows, cv="time") == 1 + DEFAULT_INFLATION
    assert factor(tree, rows, cv=0.3) == 1


def test_few_rows_of_many_are_looked_at(rows):
    X, y = classes(MAX_ROWS + 500, np.random.default_rng(1))
    found = evaluate(DecisionTreeClassifier(max_leaf_nodes=3), X, y, cv=5, progress=False)
    assert all(len(result.overlap_predictions.values) == MAX_ROWS for result in found.fold_results)
    seen = overlap_rows(found.data, found.splits)
    assert len(np.unique(seen)) == MAX_ROWS
    assert overlap_rows(found.data, make_splits(0.3, found.data)) is None


@pytest.mark.parametrize("name", list(metrics()))
def test_quick_values_are_the_metric(name, rows):
    X, y = rows
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y))
    is_number = metrics()[name].task == "regression"
    model = DecisionTreeRegressor(max_depth=3) if is_number else DecisionTreeClassifier(max_depth=3)
    found = evaluate(
        model, X, y.astype(float) if is_number else y, cv=4, sample_weight=weight, progress=False
    )
    scored = make_scoring_data(
        found.data, overlap_rows(found.data, found.splits), found.fold_results[0].overlap_predictions
    )
    assert _fast_value(metrics()[name], scored) == pytest.approx(metrics()[name].value(scored))


def test_repeats_are_averaged(rows):
    tree = DecisionTreeClassifier(max_leaf_nodes=3)
    assert 1 + MIN_INFLATION <= factor(tree, rows, cv=5, repeats=4) <= 1 + MIN_INFLATION + MAX_COVARIANCE


@pytest.mark.slow
@pytest.mark.parametrize("score", ["accuracy", "roc_auc", "log_loss"])
def test_rows_say_more_than_five_folds(score):
    """Five differences alone have four degrees of freedom."""
    X, y = classes(5_000, np.random.default_rng(3))
    models = {"all": LogisticRegression(), "fewer": _Fewer()}
    found, by_folds = (
        compare(models, X, y, scoring=score, cv=5, test=test, progress=False)
        for test in ("rowwise_t", "corrected_t")
    )
    assert found.pairs[0].is_decided
    assert found.pairs[0].first == "all"
    assert found.pairs[0].p_value < by_folds.pairs[0].p_value


class _Fewer(LogisticRegression):
    """Does not see the best column."""

    def fit(self, X, y):
        return super().fit(X[:, 1:], y)

    def predict(self, X):
        return super().predict(X[:, 1:])

    def predict_proba(self, X):
        return super().predict_proba(X[:, 1:])


def test_repeated_hold_outs_are_compared_too():
    X, y = classes(800, np.random.default_rng(4))
    models = {"tree": DecisionTreeClassifier(max_leaf_nodes=4), "flipped": _Flipped(max_leaf_nodes=4)}
    found = compare(models, X, y, cv=0.3, repeats=8, progress=False)
    assert found.pairs[0].is_decided
    assert found.pairs[0].first == "tree"


class _Flipped(DecisionTreeClassifier):
    def predict(self, X):
        return 1 - super().predict(X)


def test_one_class_against_the_rest_is_judged_by_two_classes():
    """What folds say of each other's rows is turned into two classes with the rest: as if two had been given."""
    X, two = classes(300, np.random.default_rng(6))
    y = np.where(two == 1, 2, (X[:, 4] > 0).astype(int))
    found = evaluate(DecisionTreeClassifier(max_leaf_nodes=4), X, y, cv=5, progress=False).against_rest(2)
    for result in found.fold_results:
        assert set(np.unique(result.overlap_predictions.values)) <= {0, 1}
        assert result.overlap_predictions.proba.shape == (300, 2)
