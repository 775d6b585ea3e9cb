"""compare_growth: greedy, pruned and optimal trees of the same questions."""

import numpy as np
import pytest

from hedgerow import (
    DecisionTreeClassifier,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    compare_growth,
    datasets,
)


def test_the_optimal_tree_errs_least_on_training_rows_at_every_size():
    data = datasets.titanic()
    found = compare_growth(OptimalTreeClassifier(max_thresholds=5), data.table, data.target, sizes=(2, 3, 5))
    optimal = {p.max_leaves: p for p in found.of("optimal")}
    assert all(p.proved and p.gap == 0 for p in optimal.values())
    for p in found.points:
        assert p.leaves <= p.max_leaves
        assert p.training >= optimal[p.max_leaves].training
        assert p.gap == pytest.approx(p.training - optimal[p.max_leaves].training)
        assert 0 < p.held_out < 0.5
    assert found.n_training + found.n_held_out == data.table.n_rows
    assert "most leaves" in str(found)
    assert "error rate" in str(found)


def test_numbers_weights_and_costs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(160, 3))
    y = X[:, 0] * X[:, 1] + rng.normal(size=160) * 0.2
    found = compare_growth(OptimalTreeRegressor(max_thresholds=5), X, y, rng.random(160), sizes=(4,))
    assert found.measure == "mean squared error"
    assert found.of("optimal")[0].training < found.of("greedy")[0].training
    costs = OptimalTreeClassifier(max_thresholds=3, cost_matrix=[[0, 1, 5], [2, 0, 1], [1, 7, 0]])
    found = compare_growth(costs, X, np.digitize(y, (-0.5, 0.5)), sizes=(3,))
    assert found.measure == "mean cost"
    assert found.of("optimal")[0].gap == 0


def test_what_cannot_be_compared():
    X, y = np.arange(12.0).reshape(6, 2), [0, 1] * 3
    with pytest.raises(TypeError, match="compare_growth takes an OptimalTreeClassifier"):
        compare_growth(DecisionTreeClassifier(), X, y)
    with pytest.raises(ValueError, match="must be whole numbers of leaves"):
        compare_growth(OptimalTreeClassifier(), X, y, sizes=(1,))
