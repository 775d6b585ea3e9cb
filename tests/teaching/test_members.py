"""Leaves as rules, gates, regression rules, regions, networks: what stands beside the estimators."""

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline

from hedgerow import (
    AdaBoostClassifier,
    BoostedNeuronsClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    datasets,
    teaching,
)
from hedgerow.teaching.regions import draw_regions, draw_surface


def plane(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, "yes", "no")


def test_a_leaf_is_silent_elsewhere_and_holds_half_the_log_odds():
    X, y = plane()
    model = AdaBoostClassifier(
        "leaf", predictions="confident", max_depth=2, n_estimators=1, smoothing=0.05
    ).fit(X, y)
    score = model.decision_function(X)
    spoken = score != 0
    assert 0 < spoken.sum() < len(y)
    (value,) = np.unique(score[spoken])
    up = np.mean((y == "yes") & spoken)
    down = np.mean((y == "no") & spoken)
    assert value == pytest.approx(0.5 * np.log((up + 0.05) / (down + 0.05)))
    tree = DecisionTreeClassifier(criterion="gini", max_depth=2).fit(X, y)
    assert set(np.unique(tree.apply(X)[spoken])) != set(np.unique(tree.apply(X)))


def test_boosted_leaves_are_rules_that_print_as_trees():
    heart = datasets.heart()
    model = AdaBoostClassifier("leaf", predictions="abstaining", n_estimators=20).fit(
        heart.table, heart.target
    )
    rounds = model.rounds_.rounds
    assert all(one.silent > 0 for one in rounds)
    assert rounds[-1].loss < rounds[0].loss < 1
    assert rounds[0].normaliser == pytest.approx(
        2 * np.sqrt(rounds[0].right * rounds[0].wrong) + rounds[0].silent
    )
    text = model.trees_to_text(most=2)
    assert text.count("round ") == 2
    assert "18 more rounds" in text


def test_boosted_trees_print_as_trees():
    heart = datasets.heart()
    for options in ({}, {"predictions": "confident"}):
        model = AdaBoostClassifier("tree", max_depth=2, n_estimators=2, **options).fit(
            heart.table, heart.target
        )
        text = model.trees_to_text()
        assert "round 2: alpha" in text
        assert "chest pain" in text or "thal" in text
    with pytest.raises(ValueError, match="no trees to print"):
        AdaBoostClassifier(n_estimators=2).fit(heart.table, heart.target).trees_to_text()


def test_the_outer_activation_keeps_the_side_and_the_network_is_drawn():
    heart = datasets.heart()
    model = BoostedNeuronsClassifier(n_estimators=3, random_state=0).fit(heart.table, heart.target)
    network = model.to_network()
    outputs = network.outputs(heart.table)[:, 0]
    assert np.abs(outputs).max() <= 1
    assert np.array_equal(np.sign(outputs), np.sign(model.decision_function(heart.table)))
    ax = network.draw(most=4)
    assert len([text for text in ax.texts if text.get_text() == "Z"]) == 3 + 1


def test_a_gate_sends_each_region_to_its_member():
    """One member looks at the first column alone, the other at the second; the third says which of them matters."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (600, 3))
    y = np.where(X[:, 2] < 0.2, X[:, 0] > 0, X[:, 1] > 0).astype(int)
    members = [
        (
            name,
            make_pipeline(
                ColumnTransformer([("own", "passthrough", [k])]), DecisionTreeClassifier(max_depth=2)
            ),
        )
        for k, name in enumerate(("first", "second"))
    ]
    model = teaching.GatedClassifier(members, max_leaf_nodes=2).fit(X[:400], y[:400])
    tree, new, truth = model.gate_.hedgerow_tree_, X[400:], y[400:]
    assert tree.feature[0] == 2
    assert tree.threshold[0] == pytest.approx(0.2, abs=0.1)
    who = model.which_member(new)
    for name, member in model.members_.items():
        assert np.array_equal(model.predict(new)[who == name], member.predict(new[who == name]))
    assert model.score(new, truth) > 0.1 + max(one.score(new, truth) for one in model.members_.values())
    with pytest.raises(ValueError, match="at least two pairs"):
        teaching.GatedClassifier(members[:1]).fit(X, y)


def test_rules_of_numbers_predict_as_the_tree():
    data = datasets.titanic_891()
    age = np.nan_to_num(np.asarray(data.table.columns[5].values, float))
    table = data.table.select(("pclass", "sex", "parch"))
    model = DecisionTreeRegressor(max_leaf_nodes=6).fit(table, age)
    found = teaching.list_regression_rules(model)
    assert len(found) == 6
    assert found.rows.sum() == 891
    by_leaf = dict(zip(found.leaf.tolist(), found.value.tolist(), strict=True))
    assert [by_leaf[leaf] for leaf in model.apply(table).tolist()] == pytest.approx(
        model.predict(table).tolist()
    )
    here = model.apply(table) == found.leaf[0]
    assert found.deviation[0] == pytest.approx(age[here].std())
    assert "sex" in str(found) or "pclass" in str(found)
    with pytest.raises(ValueError, match="no rules of numbers"):
        teaching.list_regression_rules(DecisionTreeClassifier().fit(table, data.target))


def test_regions_and_surfaces_are_those_of_the_tree():
    X, y = plane()
    model = DecisionTreeClassifier(max_leaf_nodes=5).fit(X, y)
    names = [text.get_text() for text in draw_regions(model, X, y).texts]
    assert len(names) == 5
    numbers = DecisionTreeRegressor(max_leaf_nodes=4).fit(X, X[:, 1])
    assert len(draw_regions(numbers, X, X[:, 1]).texts) == 4
    assert draw_surface(numbers, X).get_zlabel() == "prediction"
    with pytest.raises(ValueError, match="rows x 2"):
        draw_regions(model, np.zeros((4, 3)), y)
