"""tree_ and to_sklearn(): scikit-learn's own readers on our trees."""

import pickle

import numpy as np
import pytest
import sklearn.tree
from sklearn.inspection import partial_dependence

from hedgerow import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

FORESTS = [RandomForestClassifier, ExtraTreesClassifier, RandomForestRegressor, ExtraTreesRegressor]


def numbers(n=151):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    X[::7, 1] = np.nan
    return X, np.digitize(X[:, 0] + rng.normal(size=n) / 3, [-0.5, 0.5])


def walked(tree, row):
    """scikit-learn's recipe: left while the cell is at most the threshold, until feature is -2."""
    node = 0
    while tree.feature[node] != -2:
        cell = row[tree.feature[node]]
        left = tree.missing_go_to_left[node] if np.isnan(cell) else cell <= tree.threshold[node]
        node = tree.children_left[node] if left else tree.children_right[node]
    return node


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_recipes_walk_tree_(kind):
    X, y = numbers()
    model = kind(max_depth=5).fit(X, y)
    tree, ours = model.tree_, model.hedgerow_tree_
    assert isinstance(tree, sklearn.tree._tree.Tree)
    assert [walked(tree, row) for row in X] == model.apply(X).tolist() == tree.apply(X).tolist()
    assert (tree.decision_path(X) != model.decision_path(X)).nnz == 0
    assert tree.value.shape == (ours.n_nodes, 1, 3 if kind is DecisionTreeClassifier else 1)
    assert (tree.n_outputs, tree.node_count, tree.n_leaves) == (1, ours.n_nodes, ours.n_leaves)
    np.testing.assert_allclose(tree.compute_feature_importances(), model.feature_importances_)
    assert set(tree.threshold[tree.children_left < 0]) == {-2.0}
    assert (pickle.loads(pickle.dumps(model)).tree_.value == tree.value).all()


def test_scikit_learn_writes_our_trees():
    X, y = numbers()
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    theirs = model.to_sklearn()
    for write in (sklearn.tree.export_text, sklearn.tree.export_graphviz):
        assert write(model) == write(theirs)
    assert len(sklearn.tree.plot_tree(model)) >= model.get_n_leaves()


def test_a_second_fit_has_its_own_tree_():
    X, y = numbers()
    model = DecisionTreeClassifier(max_depth=1).fit(X, y)
    assert model.tree_.node_count == 3
    assert model.set_params(max_depth=3).fit(X, y).tree_.node_count > 3


def test_what_scikit_learns_tree_cannot_hold_is_said():
    X = np.random.default_rng(0).integers(0, 4, (60, 2)).astype(float)
    model = DecisionTreeClassifier(categorical_features=[0, 1]).fit(X, X[:, 0] % 2 == 0)
    with pytest.raises(AttributeError, match="two-way tests of numbers only"):
        _ = model.tree_
    with pytest.raises(AttributeError, match="hedgerow_tree_"):
        model.to_sklearn()


@pytest.mark.parametrize("kind", FORESTS)
def test_forests_of_scikit_learn(kind):
    X, y = numbers()
    model = kind(n_estimators=7, random_state=0).fit(X, y)
    theirs = model.to_sklearn()
    ask = "predict_proba" if hasattr(model, "classes_") else "predict"
    np.testing.assert_allclose(getattr(theirs, ask)(X), getattr(model, ask)(X), rtol=1e-12)
    assert type(theirs).__module__.startswith("sklearn.")
    assert len(theirs) == len(model) == 7
    assert (model[2].apply(X) == list(model)[2].apply(X)).all()
    assert [len(rows) for rows in model.estimators_samples_] == [len(X)] * 7


@pytest.mark.parametrize("kind", [DecisionTreeRegressor, RandomForestRegressor])
def test_partial_dependence_by_recursion(kind):
    X, y = numbers()
    X = np.nan_to_num(X)
    model = kind(max_depth=3, random_state=0).fit(X, y)
    ours = partial_dependence(model, X, [0], method="recursion", grid_resolution=9)["average"]
    theirs = partial_dependence(model.to_sklearn(), X, [0], method="recursion", grid_resolution=9)["average"]
    np.testing.assert_allclose(ours, theirs)
