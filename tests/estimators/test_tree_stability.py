"""Split stability: the frequencies of a plain loop, and simulated tables whose answer is known."""

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, OptimalTreeClassifier, datasets, stability
from hedgerow.fitting.stability import draw_weights
from hedgerow.fitting.validate import draw_seed
from hedgerow.grow import Numbers
from hedgerow.tree.tree import LEAF


def one_true_split(n_rows=300, seed=0):
    """Column 0 decides almost everything; columns 1 to 6 are exchangeable below it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 7))
    y = np.where(X[:, 0] > 0.2, 6.0, 0.0) + 0.3 * X[:, 1:].sum(axis=1) + rng.normal(size=n_rows)
    return X, y


def test_frequencies_are_those_of_a_plain_loop():
    data = datasets.titanic()
    model = DecisionTreeClassifier(max_leaf_nodes=6).fit(data.table, data.target)
    found = stability(model, data.table, data.target, n_replicas=30, random_state=7)
    n_rows = data.table.n_rows
    same_root, same_split, below, kept = 0, 0, 0, np.zeros(model.hedgerow_tree_.n_nodes)
    leaf = model.apply(data.table)
    for weight in draw_weights(Numbers(np.zeros(n_rows)), n_rows, 30, draw_seed(7)):
        again = DecisionTreeClassifier(max_leaf_nodes=6).fit(data.table, data.target, weight)
        root = again.hedgerow_tree_.feature[0] == model.hedgerow_tree_.feature[0]
        same_root += root
        first = again.decision_path(data.table)[:, 1].toarray()[:, 0] == 1
        own = model.decision_path(data.table)[:, 1].toarray()[:, 0] == 1
        same_split += root and (np.array_equal(first, own) or np.array_equal(first, ~own))
        side = 1 if np.mean(first == own) > 0.5 else 2
        below += bool(root and again.hedgerow_tree_.feature[side] == model.hedgerow_tree_.feature[1])
        same = again.predict(data.table) == model.predict(data.table)
        for node in np.unique(leaf):
            kept[node] += np.mean(same[leaf == node])
    assert found.counts.same_column[0] == same_root
    assert found.counts.same_split[0] == same_split
    assert found.counts.same_column[1] == below
    leaves = model.hedgerow_tree_.kind == LEAF
    assert np.allclose(found.counts.kept[leaves], kept[leaves] / 30)


def test_one_true_split_and_exchangeable_rivals():
    X, y = one_true_split()
    found = stability(DecisionTreeRegressor(max_depth=2, min_samples_leaf=20), X, y, n_replicas=60)
    assert found.counts.same_column[0] == 60
    low, high = found.interval(0)
    assert low < 0.25 < high + 0.1
    assert "is of the same column in 60 of 60 replicas" in found.sentence
    assert "Below it the questions are exchangeable" in found.sentence
    assert found.agreement_tree.n_leaves == 2


def test_a_copy_with_a_little_noise_is_a_rival():
    rng = np.random.default_rng(2)
    x = rng.normal(size=400)
    X = np.column_stack([x, x + rng.normal(size=400) * 0.02, rng.normal(size=400)])
    y = (x + rng.normal(size=400) * 0.3 > 0).astype(int)
    found = stability(DecisionTreeClassifier(max_depth=1), X, y, n_replicas=80)
    counts = found.counts
    assert counts.same_column[0] + counts.rival[0] == 80
    assert counts.rival[0] > 5
    assert counts.other[0] == 0
    assert found.agreement_tree.n_leaves == 2


def test_optimal_trees_pruned_trees_and_weights():
    X, y = one_true_split(150, seed=1)
    label = X[:, 0] + X[:, 1] / 9 > 0.2
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    for model in (
        OptimalTreeClassifier(max_depth=2, max_thresholds=4),
        DecisionTreeClassifier(prune="pessimistic"),
    ):
        found = stability(model, X, label, weight, n_replicas=12)
        assert found.counts.same_column[0] == 12
        assert np.all(found.counts.stays[found.tree.kind == LEAF] <= 12)
        assert found.to_dict()["nodes"][0]["reached"] == 12
        assert "bootstrap replicas" in str(found)


def test_a_root_alone_and_what_is_no_tree():
    X, y = one_true_split(60)
    single = DecisionTreeClassifier().fit(X, np.zeros(60))
    assert "single leaf" in stability(single, X, np.zeros(60), n_replicas=3).sentence
    with pytest.raises(TypeError, match="stability takes one tree"):
        stability(object(), X, y)
    with pytest.raises(ValueError, match="n_replicas=0 is out of range"):
        stability(DecisionTreeRegressor(), X, y, n_replicas=0)
