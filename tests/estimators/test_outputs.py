"""y of several columns: trees and forests for all of them at once."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.damaged import changed
from tests.twins.outputs import best_decrease

from hedgerow import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    load,
    save,
)
from hedgerow.estimators.saving import extract_state
from hedgerow.store import InvalidModelFile, load_state, predict_state
from hedgerow.store.targets import select_target
from hedgerow.table import to_table

SETTINGS = [{}, {"max_depth": 4}, {"max_leaf_nodes": 9}, {"min_samples_leaf": 5}, {"ccp_alpha": 0.01}]
BAGS = [BaggingClassifier, BaggingRegressor]
FORESTS = [RandomForestClassifier, ExtraTreesClassifier, RandomForestRegressor, ExtraTreesRegressor]


def table(n=211, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    classes = np.column_stack(
        [np.digitize(X[:, 0] + rng.normal(size=n) / 2, [-1, 0, 1]), X[:, 1] * X[:, 2] > 0]
    )
    numbers = np.column_stack([X[:, 0] + rng.normal(size=n), np.exp(X[:, 1]), np.abs(X[:, 2] * X[:, 3])])
    return X, classes, numbers, rng.uniform(0.5, 2, n)


@pytest.mark.parametrize("params", SETTINGS)
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "poisson", "absolute_error"])
def test_trees_are_scikit_learns(criterion, params):
    """Weights leave no ties. (scikit-learn splits pure nodes now and then, by their rounding: predictions are what is
    compared.)"""
    X, classes, numbers, weight = table()
    of_classes = criterion in ("gini", "entropy")
    y, name = (classes, "Classifier") if of_classes else (np.abs(numbers), "Regressor")
    ours = DecisionTreeClassifier if of_classes else DecisionTreeRegressor
    theirs = getattr(sklearn.tree, f"DecisionTree{name}")(criterion=criterion, random_state=0, **params)
    model = ours(criterion=criterion, **params).fit(X, y, weight)
    theirs.fit(X, y, weight)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X))
    np.testing.assert_allclose(model.tree_.impurity[0], theirs.tree_.impurity[0])
    assert model.n_outputs_ == y.shape[1]
    if of_classes:
        for mine, other in zip(model.predict_proba(X), theirs.predict_proba(X), strict=True):
            np.testing.assert_allclose(mine, other)
        assert model.n_classes_ == [4, 2]
        assert model.tree_.value.shape[1:] == (2, 4)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from(["gini", "squared_error", "absolute_error"]))
def test_the_first_split_is_the_best_of_all(seed, criterion):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (17, 3)).astype(float)
    y = rng.integers(0, 3, (17, 2)) if criterion == "gini" else rng.normal(size=(17, 2))
    weight = rng.integers(1, 4, 17).astype(float)
    kind = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor
    model = kind(criterion=criterion, max_depth=1).fit(X, y, weight)
    tree = model.hedgerow_tree_
    found = tree.weight[0] * tree.impurity[0] - (tree.weight[1:] * tree.impurity[1:]).sum()
    assert (found if tree.n_nodes > 1 else 0.0) == pytest.approx(best_decrease(X, y, weight, criterion))


def test_gaps_and_categories():
    rng = np.random.default_rng(1)
    n = 300
    level, number = rng.integers(0, 6, n), rng.normal(size=n)
    X = {"town": [f"t{k}" for k in level], "size": np.where(rng.random(n) < 0.2, np.nan, number)}
    y = np.column_stack([np.isin(level, [0, 3, 4]), np.nan_to_num(X["size"]) > 0.4])
    model = DecisionTreeClassifier().fit(X, y)
    assert (model.predict(X) == y).all()
    assert "town" in model.to_text()
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    assert (forest.predict(X) == y).mean() > 0.95


@pytest.mark.parametrize("kind", FORESTS)
def test_forests(kind):
    X, classes, numbers, weight = table()
    y = classes if "Classifier" in kind.__name__ else numbers
    one, three = (kind(n_estimators=12, random_state=3, n_jobs=jobs).fit(X, y, weight) for jobs in (1, 3))
    assert (one.predict(X) == three.predict(X)).all()
    assert one.predict(X).shape == y.shape
    assert len(one.feature_importances_) == 4
    assert (pickle.loads(pickle.dumps(one)).predict(X) == one.predict(X)).all()
    theirs = one.to_sklearn()
    np.testing.assert_allclose(theirs.predict(X), one.predict(X))
    assert (one[0].predict(X) == one.estimators_[0].predict(X)).all()
    if y is numbers:
        assert one.score(X, y) > 0.5


def answers(model, X):
    return [model.predict(X), *(model.predict_proba(X) if hasattr(model, "predict_proba") else [])]


@pytest.mark.parametrize("kind", [*FORESTS, DecisionTreeClassifier, DecisionTreeRegressor, *BAGS])
def test_a_model_file_keeps_several_targets(kind, tmp_path):
    X, classes, numbers, _ = table(n=101)
    many = {} if kind.__name__.startswith("Decision") else {"n_estimators": 3}
    is_classifier = kind.__name__.endswith("Classifier")
    model = kind(random_state=0, **many).fit(X, classes if is_classifier else numbers)
    one, again = tmp_path / "one.hedgerow", tmp_path / "again.hedgerow"
    save(model, one)
    loaded = load(one)
    for mine, kept in zip(answers(model, X), answers(loaded, X), strict=True):
        np.testing.assert_array_equal(mine, kept)
    assert loaded.n_outputs_ == model.n_outputs_
    save(loaded, again)
    assert one.read_bytes() == again.read_bytes()
    with pytest.raises(ValueError, match="targets; commands predict one"):
        predict_state(load_state(one), to_table(X))


@pytest.mark.parametrize(
    "change", [[], [None], "x", [None, None, None], [{"type": "int64", "values": [0, 1]}, None]]
)
def test_a_file_with_other_targets_than_its_trees_is_refused(change, tmp_path):
    X, _, numbers, _ = table(n=67)
    path = tmp_path / "m.hedgerow"
    save(DecisionTreeRegressor(max_depth=2).fit(X, numbers[:, :2]), path)
    changed(path, lambda header, arrays: header.update(outputs=change))
    with pytest.raises(InvalidModelFile):
        load(path)


@pytest.mark.parametrize("name", ["python", "c", "sql", "json", "text"])
def test_exports_are_of_one_target(name):
    """Each proves itself on its test rows; the sum over a bag's members is one of the longest ways."""
    X, classes, numbers, _ = table(n=101)
    models = [
        DecisionTreeClassifier(max_depth=3).fit(X, classes),
        BaggingRegressor(n_estimators=2).fit(X, numbers),
    ]
    for model in models[: 1 if name == "text" else 2]:
        assert model.export(name, target=1)
        with pytest.raises(ValueError, match="is none of the"):
            model.export(name, target=3)
    if name != "text":
        with pytest.raises(ValueError, match="is for one target"):
            models[0].export(name)
    model = DecisionTreeRegressor(max_depth=3).fit(X, numbers)
    alone = replace(model.hedgerow_tree_, value=model.hedgerow_tree_.value[:, 1:2])
    state = select_target(extract_state(model), 1)
    np.testing.assert_array_equal(state.body.value, alone.value)
    np.testing.assert_array_equal(predict_state(state, to_table(X)).values, model.predict(X)[:, 1])


def test_medians_with_gaps_categories_and_random_splits():
    rng = np.random.default_rng(1)
    n = 180
    level, number = rng.integers(0, 5, n), rng.normal(size=n)
    X = {"town": [f"t{k}" for k in level], "size": np.where(rng.random(n) < 0.2, np.nan, number)}
    y = np.column_stack([np.isin(level, [0, 3]) * 2.0, np.nan_to_num(X["size"]) > 0.4])
    for splitter in ("best", "random"):
        model = DecisionTreeRegressor(criterion="absolute_error", splitter=splitter, random_state=0).fit(X, y)
        np.testing.assert_array_equal(model.predict(X), y)
    one, two = (
        RandomForestRegressor(6, criterion="absolute_error", random_state=0, n_jobs=jobs).fit(X, y)
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.predict(X), two.predict(X))


def test_out_of_bag():
    X, _, numbers, _ = table()
    labels = (numbers > 0.5).astype(int)
    forest = RandomForestClassifier(60, oob_score=True, random_state=0).fit(X, labels)
    assert forest.oob_decision_function_.shape == (len(X), 2, 3)
    assert 0.3 < forest.oob_score_ < 1
    regression = RandomForestRegressor(60, oob_score=True, random_state=0).fit(X, numbers)
    assert regression.oob_prediction_.shape == numbers.shape
    assert regression.oob_score_ < regression.score(X, numbers)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"prune": "pessimistic"}, "not for regression"),
        ({"splits": "multiway"}, "for one target"),
        ({"monotonic_cst": [1, 0, 0, 0]}, "not supported with multiple outputs"),
    ],
)
def test_what_is_made_for_one_target_is_refused(params, words):
    X, _, numbers, _ = table()
    with pytest.raises(ValueError, match=words):
        DecisionTreeRegressor(**params).fit(X, numbers)
