"""Surrogates: as rpart finds them, and as rows with missing cells follow them."""

from dataclasses import replace

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, datasets, load, save
from hedgerow.encode import matrix
from hedgerow.table import to_table
from hedgerow.tree.check import TreeError, check
from hedgerow.tree.cut import cut
from hedgerow.tree.decide import leaf_of
from hedgerow.tree.surrogates import surrogates_at

# R 4.2, rpart 4.1.19, on the heart data: rpart(y ~ ., d, method = "class", control = rpart.control(maxdepth = 3,
# cp = -1, minsplit = 2, minbucket = 1, xval = 0, maxsurrogate = 5, usesurrogate = 2, maxcompete = 0))$splits
RPART = {
    0: [
        ("max HR", 0.6843854, 150.50, 0.2962963),
        ("chest pain", 0.6744186, None, 0.2740741),
        ("exerc ind ang", 0.6710963, None, 0.2666667),
        ("gender", 0.6611296, None, 0.2444444),
        ("ST by exercise", 0.6611296, 1.55, 0.2444444),
    ],
    1: [
        ("exerc ind ang", 0.6946108, None, 0.2388060),
        ("max HR", 0.6886228, 136.50, 0.2238806),
        ("age", 0.6706587, 58.50, 0.1791045),
        ("ST by exercise", 0.6526946, 0.85, 0.1343284),
        ("slope peak exc ST", 0.6407186, None, 0.1044776),
    ],
}


@pytest.fixture(scope="module")
def heart():
    data = datasets.heart()
    return data, DecisionTreeClassifier(missing="surrogate", max_depth=3).fit(data.table, data.target)


@pytest.mark.parametrize("node", RPART)
def test_the_surrogates_are_those_of_rpart(heart, node):
    _, model = heart
    found = surrogates_at(model.hedgerow_tree_, node)
    assert [model.schema_.names[s.column] for s in found] == [name for name, *_ in RPART[node]]
    for mine, (_, agreement, threshold, adjusted) in zip(found, RPART[node], strict=True):
        assert mine.agreement == pytest.approx(agreement, abs=1e-6)
        assert mine.adjusted == pytest.approx(adjusted, abs=1e-6)
        assert np.isnan(mine.threshold) if threshold is None else mine.threshold == pytest.approx(threshold)


def test_the_nodes_are_those_of_rpart(heart):
    _, model = heart
    leaves = model.hedgerow_tree_.n_rows[model.hedgerow_tree_.kind == 0]
    assert sorted(leaves.tolist()) == sorted([97, 3, 40, 27, 29, 17, 22, 68])


def grown(missing=0.25, seed=0, regression=False):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(301, 4))
    x[:, 1] = x[:, 0] + 0.2 * rng.normal(size=301)
    colour = np.where(x[:, 0] > 0.1, "red", np.where(x[:, 0] < -1, "blue", "green")).astype(object)
    y = (x[:, 0] > 0).astype(float) + x[:, 2] * regression
    x[rng.random((301, 4)) < missing] = np.nan
    colour[rng.random(301) < missing] = None
    table = to_table({**{f"x{j}": x[:, j] for j in range(4)}, "colour": colour.tolist()})
    kind = DecisionTreeRegressor if regression else DecisionTreeClassifier
    return table, y, kind(missing="surrogate", max_depth=4).fit(table, y)


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_rows_follow_the_surrogates_as_they_did_in_training(seed, regression):
    table, _, model = grown(seed=seed, regression=regression)
    check(model.hedgerow_tree_)
    leaf = leaf_of(model.hedgerow_tree_, matrix(model.schema_, table))
    counted = np.bincount(leaf, minlength=model.hedgerow_tree_.n_nodes)
    here = model.hedgerow_tree_.kind == 0
    np.testing.assert_array_equal(counted[here], model.hedgerow_tree_.n_rows[here])


def test_a_stand_in_helps_where_the_majority_would_not():
    table, y, model = grown(missing=0.3)
    plain = DecisionTreeClassifier(max_depth=4).fit(table, y)
    assert model.score(table, y) > 0.85
    assert model.score(table, y) >= plain.score(table, y) - 0.02


def test_every_surrogate_beats_the_majority_and_comes_in_order():
    for seed in range(5):
        tree = grown(seed=seed)[2].hedgerow_tree_
        assert (tree.surrogate_adjusted > 0).all()
        for node in np.unique(tree.surrogate_node):
            agreement = [s.agreement for s in surrogates_at(tree, int(node))]
            assert agreement == sorted(agreement, reverse=True)
            assert len(agreement) <= 5


def test_a_cut_tree_keeps_the_surrogates_of_what_is_left():
    tree = grown()[2].hedgerow_tree_
    mask = tree.depth == 2
    smaller = cut(tree, mask)
    check(smaller)
    assert surrogates_at(smaller, 0) == surrogates_at(tree, 0)
    assert set(smaller.surrogate_node.tolist()) <= set(np.flatnonzero(smaller.kind).tolist())


def test_a_model_file_keeps_them(tmp_path):
    table, _, model = grown()
    save(model, tmp_path / "m.hedgerow")
    again = load(tmp_path / "m.hedgerow")
    assert again.missing == "surrogate"
    np.testing.assert_array_equal(again.predict_proba(table), model.predict_proba(table))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("surrogate_node", 10**6),
        ("surrogate_node", -1),
        ("surrogate_feature", 99),
        ("surrogate_first_below", 7),
        ("surrogate_start", 10**6),
        ("surrogate_agreement", np.nan),
        ("surrogate_adjusted", 2.0),
    ],
)
def test_damage_is_found(field, value):
    tree = grown()[2].hedgerow_tree_
    array = getattr(tree, field).copy()
    array[-1] = value
    with pytest.raises(TreeError, match="surrogate"):
        check(replace(tree, **{field: array}))


def test_surrogates_are_for_two_way_splits():
    table, y, _ = grown()
    with pytest.raises(ValueError, match="do not go together"):
        DecisionTreeClassifier(splits="multiway", missing="surrogate").fit(table, y)
