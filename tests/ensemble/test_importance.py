"""Importances: corrected and permuted against loops; noise is zero on average, and intervals cover it."""

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, RandomForestClassifier, RandomForestRegressor
from hedgerow.ensemble import importance
from hedgerow.ensemble.flat import flatten
from hedgerow.tree.importance import decrease
from twins import outside as twin

from .forests import forest_of, truth_of


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_corrected_is_the_covariance_out_of_bag(task):
    forest, rows, target = forest_of(task=task)
    outs = [forest.draws.oob(t) for t in range(12)]
    expected = twin.corrected(forest.trees, rows, truth_of(target), outs)
    found = importance.corrected(forest.trees, rows, target, forest.draws)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_on_its_own_rows_corrected_is_the_decrease_of_impurity(task):
    """Up to the factor n / (n - 1) of each node."""
    forest, rows, target = forest_of(task=task, n=400, n_trees=1, min_rows_leaf=40)
    tree = forest.trees[0]
    weight = forest.draws.counts(0).astype(float)
    found = importance._corrected(tree, rows, truth_of(target), weight, 1)
    inner = np.flatnonzero(tree.n_children)
    expected = np.bincount(tree.feature[inner], decrease(tree)[inner], minlength=3)
    np.testing.assert_allclose(found, expected, rtol=0.03, atol=1e-4)


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("repeats", [1, 3])
def test_permuted_rise_and_its_error_tree_by_tree(task, repeats):
    """Rows, and pairs of trees that judge the same row, in plain loops; weights are of rows."""
    n, weight = 37, np.random.default_rng(4).uniform(0.5, 2, 37)
    forest, rows, target = forest_of(n=n, n_trees=9, task=task, weight=weight)
    outs = [forest.draws.oob(t) for t in range(9)]
    truth = truth_of(target)

    def loss(i, value):
        miss = value[0] - truth[i, 0]
        return float(value.argmax() != truth[i].argmax()) if task == "classes" else miss * miss

    rise = twin.permuted(forest.trees, rows, outs, loss, 5, repeats)
    mean, together, w = [], [], []
    for i in range(n):
        d = rise[:, i][~np.isnan(rise[:, i, 0])]
        if len(d) == 0:
            continue
        pairs = [d[a] * d[b] for a in range(len(d)) for b in range(len(d)) if a != b]
        mean.append(d.mean(axis=0))
        together.append(np.mean(pairs, axis=0) if pairs else np.zeros(3))
        w.append(weight[i])
    mean, together, w = np.array(mean), np.array(together), np.array(w)
    value = np.average(mean, axis=0, weights=w)
    many = w.sum() ** 2 / (w**2).sum()
    apart = np.average((mean - value) ** 2, axis=0, weights=w) * many / (many - 1)
    common = np.maximum(0, np.average(together, axis=0, weights=w) - value**2)
    found = importance.permutation(flatten(forest.trees), rows, target, forest.draws, repeats=repeats, seed=5)
    np.testing.assert_allclose(found.rise, value, atol=1e-12)
    np.testing.assert_allclose(found.standard_error, np.sqrt((apart + common) / many), atol=1e-12)


def test_permuted_rise_by_hand():
    """A stump on one column: exchanging its cell is right or wrong by the other row's side."""
    rng = np.random.default_rng(0)
    X = np.column_stack([np.repeat([0.0, 1.0], 150), rng.normal(size=300)])
    y = X[:, 0].astype(int)
    model = RandomForestClassifier(20, max_features=None, random_state=0).fit(X, y)
    found = model.importance("permutation", repeats=3)
    assert found.value[0] == pytest.approx(0.5, abs=0.05)  # half of the other rows are of the other class
    assert found.value[1] == 0
    assert found.top(1) == ("x0",)


@pytest.mark.parametrize("missing", ["learned", "fractional", "surrogate"])
def test_permuted_rise_does_not_depend_on_threads(missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.nan_to_num(X[:, 0]) + 0.1 * rng.normal(size=1500)
    model = RandomForestRegressor(6, missing=missing, max_depth=5, random_state=0).fit(X, y)
    forest, flat = model.forest_, flatten(model.forest_.trees)
    target = model._training.target
    found = [importance.permutation(flat, X, target, forest.draws, threads=t) for t in (1, 2, 8)]
    for other in found[1:]:
        assert np.array_equal(found[0].rise, other.rise)
        assert np.array_equal(found[0].standard_error, other.standard_error)
    assert found[0].rise[0] > 10 * abs(found[0].rise[1])


def noise_data(rng, n, task="classes"):
    signal = rng.integers(0, 2, n)
    X = {
        "two": rng.integers(0, 2, n).astype(float),
        "thousand": rng.integers(0, 1000, n).astype(float),
        "few words": [f"w{k}" for k in rng.integers(0, 12, n)],
        "word": [f"w{k}" for k in rng.integers(0, 1000, n)],
        "signal": signal,
    }
    if task == "numbers":
        return X, signal + rng.normal(size=n)
    return X, np.where(rng.random(n) < 0.25, rng.integers(0, 2, n), signal)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_noise_of_two_and_of_a_thousand_levels(task):
    """Corrected importance: mean zero. Permutation: intervals of 95% hold zero as often as that (one standard error
    of the rate is a point; tools/simulate.py importance has more)."""
    rng = np.random.default_rng(7)
    kind = RandomForestClassifier if task == "classes" else RandomForestRegressor
    corrected, biased, held = [], [], []
    for seed in range(100):
        X, y = noise_data(rng, 120, task)
        model = kind(25, max_features=2, random_state=seed, n_jobs=1).fit(X, y)
        corrected.append(model.importance("corrected").value)
        biased.append(model.importance("impurity").value)
        found = model.importance("permutation", random_state=seed)
        held.append((found.low <= 0) & (found.high >= 0))
    corrected, biased = np.array(corrected), np.array(biased).mean(axis=0)
    error = corrected.std(axis=0, ddof=1) / np.sqrt(len(corrected))
    mean = corrected.mean(axis=0)
    assert np.all(np.abs(mean)[:4] < 3 * error[:4])
    assert np.all(3 * error[:4] < 0.2 * biased[:4])  # sharp enough: a fifth of the bias would be seen
    assert mean[4] > 10 * error[4]
    assert biased[3] > biased[4]  # the bias that is corrected: noise above the signal
    rate = np.mean(held, axis=0)
    assert 0.93 <= np.mean(rate[:4]) <= 0.975
    assert rate[:4].min() >= 0.89
    assert rate[4] < 0.5


def test_shares_are_scikit_learns_and_relative_is_of_the_largest():
    X, y = noise_data(np.random.default_rng(0), 150)
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    np.testing.assert_allclose(importance.shares(model.forest_.trees), model.feature_importances_)
    found = model.importance("impurity")
    assert found.relative.max() == 100
    assert "Biased" in str(found)
    assert "Biased" in found._repr_html_()
    assert [line["column"] for line in found.to_dict()["columns"]] == list(found.top(5))


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_weights_of_any_size_say_the_same(scale):
    X, y = noise_data(np.random.default_rng(0), 90)
    weight = np.random.default_rng(1).uniform(1, 2, 90)
    models = [RandomForestClassifier(9, random_state=0).fit(X, y, w) for w in (weight, weight * scale)]
    for kind in ("corrected", "permutation"):
        first, second = (model.importance(kind) for model in models)
        np.testing.assert_allclose(first.value, second.value, rtol=1e-9, atol=1e-15)


def test_no_split_no_importance():
    X = np.zeros((30, 2))
    model = RandomForestClassifier(3, random_state=0).fit(X, np.arange(30) % 2)
    for kind in ("impurity", "corrected", "permutation"):
        found = model.importance(kind)
        assert not found.value.any()
        assert not found.relative.any()
    assert not importance.shares(model.forest_.trees).any()
    tree = DecisionTreeClassifier().fit(X, np.arange(30) % 2)
    assert not tree.feature_importances_.any()
