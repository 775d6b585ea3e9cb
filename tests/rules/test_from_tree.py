"""A rule holds for a row exactly when the row reaches its leaf; so the rules of a tree are the tree."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.examples import embedded, mixed, new_rows
from tests.rules.twin import first_rule
from tests.tree.strategies import rows_for, trees

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.rules import rules_from_tree
from hedgerow.tree import decide, predict
from hedgerow.tree.labels import Labels
from hedgerow.tree.walk import leaves


def labels_for(tree):
    levels = tuple(tuple(f"l{k}" for k in range(n)) for n in tree.n_levels.tolist())
    classes = tuple(f"class {k}" for k in range(tree.n_outputs))
    return Labels(tuple(f"x{j}" for j in range(tree.n_features)), levels, classes=classes)


@given(trees(spread=False).filter(lambda tree: tree.n_outputs > 1), st.integers(0, 99))
def test_the_rule_that_fires_is_the_leaf_reached(tree, seed):
    """Any kinds of node, levels never seen, missing cells."""
    rules, X = rules_from_tree(tree, labels_for(tree)), rows_for(tree, Random(seed))
    leaf = decide.leaf_of(tree, X)
    assert np.array_equal(leaves(tree)[rules.match(X)], leaf)
    assert np.array_equal(rules.match(X), first_rule(rules, X))
    assert np.array_equal(rules.predict(X), tree.value[leaf].argmax(axis=1))


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_unpruned_rules_predict_as_the_tree(seed, n_classes):
    table, y = mixed(seed, n_classes=n_classes)
    model = DecisionTreeClassifier(min_samples_leaf=3).fit(table, y)
    rules = rules_from_tree(model.hedgerow_tree_, model.labels_)
    X = new_rows(model.hedgerow_tree_, np.random.default_rng(seed))
    assert np.array_equal(rules.predict(X), predict.values(model.hedgerow_tree_, X).argmax(axis=1))
    assert np.allclose(rules.predict_proba(X), predict.values(model.hedgerow_tree_, X), rtol=1e-9, atol=0)
    assert len(rules) == model.hedgerow_tree_.n_leaves


def test_figures_of_32_bits_are_compared_in_64():
    X = np.random.default_rng(1).normal(size=(211, 3)).astype(np.float32)
    model = DecisionTreeClassifier().fit(X, X[:, 0] * X[:, 1] > 0)
    assert np.array_equal(
        rules_from_tree(model.hedgerow_tree_, model.labels_).predict(X).astype(bool), model.predict(X)
    )


@pytest.mark.parametrize("name", ["restaurant", "titanic", "heart"])
def test_statistics_are_the_tree_s(name):
    table, y = embedded(name)
    model = DecisionTreeClassifier(min_samples_leaf=2).fit(table, y)
    rules = rules_from_tree(model.hedgerow_tree_, model.labels_)
    assert sum(rule.rows for rule in rules.rules) == len(y)
    assert sum(rule.support for rule in rules.rules) == pytest.approx(1)
    assert sum(rule.correct for rule in rules.rules) == pytest.approx((model.predict(table) == y).sum())
    for rule in rules.rules:
        assert rule.correct + rule.wrong == pytest.approx(rule.weight)
        assert rule.lift == pytest.approx(rule.confidence / np.mean(y == rule.decision))
        assert all(count == int(count) for count in rule.covered.counts)


def test_a_tree_of_numbers_has_no_rules():
    table, y = mixed(0)
    model = DecisionTreeRegressor(max_depth=2).fit(table, y)
    with pytest.raises(ValueError, match="classification tree"):
        rules_from_tree(model.hedgerow_tree_, model.labels_)


def test_rows_of_another_table_are_refused():
    table, y = mixed(0)
    model = DecisionTreeClassifier(max_depth=2).fit(table, y)
    with pytest.raises(ValueError, match=r"\(4, 2\); wanted rows x 6"):
        rules_from_tree(model.hedgerow_tree_, model.labels_).match(np.zeros((4, 2)))
