"""Siblings that say the same."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, datasets, recipe
from hedgerow.grow import grow
from hedgerow.prune import merge_leaves
from hedgerow.tree.check import check
from hedgerow.tree.decide import value_of
from hedgerow.tree.tree import LEAF
from prune.samples import KINDS, case_of


@pytest.mark.parametrize("kind", ["plain", "categories", "multiway", "surrogates"])
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_every_decision_stays(kind, seed):
    case = case_of(kind, seed, weights="uneven" if seed % 2 else "none")
    tree = grow(case.encoded(), case.target(), case.criterion, replace(case.limits, max_depth=1 + seed % 6))
    small = merge_leaves(tree)
    check(small)
    assert small.n_nodes <= tree.n_nodes
    rows = np.concatenate([case.X, case_of(kind, seed + 1, missing=0.3).X])
    assert (value_of(small, rows).argmax(1) == value_of(tree, rows).argmax(1)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_no_siblings_that_are_leaves_decide_alike(kind, seed):
    small = merge_leaves(case_of(kind, seed).grown())
    decision = small.value.argmax(1)
    for node in np.flatnonzero(small.kind != LEAF):
        below = np.arange(small.first_child[node], small.first_child[node] + small.n_children[node])
        if (small.kind[below] == LEAF).all():
            assert len(set(decision[below].tolist()) | {int(decision[node])}) > 1
    assert merge_leaves(small).n_nodes == small.n_nodes


def test_numbers_merge_only_when_equal():
    tree = case_of("plain", 1, "squared_error").grown()
    small = merge_leaves(tree)
    case = case_of("plain", 1, "squared_error")
    np.testing.assert_allclose(value_of(small, case.X), value_of(tree, case.X))


def test_shown_merged_the_model_stays():
    data = datasets.titanic()
    model = DecisionTreeClassifier(max_depth=4).fit(data.table, data.target)
    whole = model.hedgerow_tree_
    merged = merge_leaves(whole)
    assert merged.n_nodes < whole.n_nodes
    plain, short = model.to_text(), model.to_text(merged=True)
    assert plain.count("►") == whole.n_leaves
    assert short.count("►") == merged.n_leaves
    assert model.to_svg(merged=True).count("<rect") < model.to_svg().count("<rect")
    assert model.to_dot(merged=True).count("->") == merged.n_nodes - 1
    assert model.draw(merged=True) is not None
    assert model.hedgerow_tree_ is whole


def test_merged_for_the_model_if_asked():
    data = datasets.titanic()
    params = {"max_depth": 5, "trace": True}
    plain = DecisionTreeClassifier(**params).fit(data.table, data.target)
    merged = DecisionTreeClassifier(merge_leaves=True, **params).fit(data.table, data.target)
    assert (
        merged.hedgerow_tree_.n_nodes
        == merge_leaves(plain.hedgerow_tree_).n_nodes
        < plain.hedgerow_tree_.n_nodes
    )
    assert (merged.predict(data.table) == plain.predict(data.table)).all()
    assert len(merged.trace_.gain) == merged.hedgerow_tree_.n_nodes
    c45 = recipe("c45", missing="learned", merge_leaves=True).fit(data.table, data.target)
    assert c45.hedgerow_tree_.n_nodes == merge_leaves(c45.hedgerow_tree_).n_nodes
    y = np.repeat([1.0, 2.0], 50)
    assert DecisionTreeRegressor(merge_leaves=True).fit(np.arange(100.0)[:, None], y).get_n_leaves() == 2


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="merge_leaves='yes' is neither True nor False"):
        DecisionTreeClassifier(merge_leaves="yes").fit([[0], [1]], [0, 1])
    with pytest.raises(
        ValueError, match=r"merge_leaves=True and missing='fractional' do not go together.*merged=True"
    ):
        recipe("c45", merge_leaves=True).fit([[0], [1]], [0, 1])
