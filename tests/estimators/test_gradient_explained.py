"""What a gradient booster says about itself: Shapley values against all orders, partial dependence, losses, rules."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.inspection import partial_dependence, permutation_importance
from tests.estimators.test_hist_gradient_boosting import R, T, X, Y, mixed

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor, load, save
from hedgerow.tree.conditions import level_mask
from hedgerow.tree.tree import LEAF, THRESHOLD


def goes_first(tree, node, x):
    if np.isnan(x):
        return tree.missing_child[node] == tree.first_child[node]
    if tree.kind[node] == THRESHOLD:
        return x <= tree.threshold[node]
    return level_mask(tree, node, 0)[int(x)]


def expected(tree, row, known, node=0):
    """The value of a row of which some columns are known; at the others, by the training rows of the children."""
    if tree.kind[node] == LEAF:
        return tree.value[node, 0]
    first, column = int(tree.first_child[node]), int(tree.feature[node])
    if column in known:
        return expected(tree, row, known, first if goes_first(tree, node, row[column]) else first + 1)
    share = tree.n_rows[first] / tree.n_rows[node]
    ways = [expected(tree, row, known, child) for child in (first, first + 1)]
    return share * ways[0] + (1 - share) * ways[1]


def test_shapley_values_are_means_over_all_orders():
    frame, y = mixed(400)
    frame["noise"] = np.random.default_rng(1).normal(size=len(frame))
    model = HistGradientBoostingClassifier(max_iter=4, max_leaf_nodes=7, min_samples_leaf=5).fit(frame, y)
    rows, _ = model._rows(frame.head(6))
    found = model.explain(frame.head(6)).values
    for row, values in zip(rows, found, strict=True):
        by_hand = np.zeros(3)
        for order in permutations(range(3)):
            for k, column in enumerate(order):
                for tree in model.trees_.trees():
                    with_it = expected(tree, row, set(order[: k + 1]))
                    by_hand[column] += (with_it - expected(tree, row, set(order[:k]))) / 6
        np.testing.assert_allclose(values, by_hand, atol=1e-10)


@pytest.mark.slow
def test_shapley_values_are_those_of_the_shap_package():
    shap = pytest.importorskip("shap")
    model = HistGradientBoostingRegressor(max_iter=12, max_leaf_nodes=9).fit(R, T)
    trees = []
    for tree in model.trees_.trees():
        leaf = tree.kind == LEAF
        first = np.where(leaf, -1, tree.first_child)
        trees.append(
            {
                "children_left": first,
                "children_right": np.where(leaf, -1, tree.first_child + 1),
                "children_default": first,
                "features": np.where(leaf, -2, tree.feature),
                "thresholds": np.nan_to_num(tree.threshold),
                "values": tree.value,
                "node_sample_weight": tree.n_rows.astype(float),
            }
        )
    theirs = shap.TreeExplainer({"trees": trees}, feature_perturbation="tree_path_dependent").shap_values(
        R[:40]
    )
    np.testing.assert_allclose(model.explain(R[:40]).values, theirs, atol=1e-4)


def test_explanations_say_what_they_explain():
    assert "log odds of 1" in str(HistGradientBoostingClassifier(max_iter=3).fit(X, Y).explain(X[:1]))
    iris, kinds = load_iris(return_X_y=True)
    assert "score of 2" in str(HistGradientBoostingClassifier(max_iter=3).fit(iris, kinds).explain(iris[:1]))
    counts = HistGradientBoostingRegressor("poisson", max_iter=3).fit(R, np.exp(T / 300)).explain(R[:1])
    assert "log of the prediction" in str(counts)
    assert counts.draw().get_xlabel() == "log of the prediction"


def test_partial_dependence_over_rows_is_that_of_scikit_learn():
    model = HistGradientBoostingClassifier(max_iter=12).fit(X, Y)
    theirs = partial_dependence(model, X, [2], method="brute", grid_resolution=9)
    ours = model.partial_dependence(2, X, points=theirs["grid_values"][0])
    np.testing.assert_allclose(ours.mean[:, 0], theirs["average"][0], rtol=1e-12)
    assert np.all(ours.low <= ours.high)


def test_partial_dependence_by_trees_weighs_branches_by_their_rows():
    frame, y = mixed(500)
    frame["noise"] = np.random.default_rng(1).normal(size=len(frame))
    model = HistGradientBoostingClassifier(max_iter=6, min_samples_leaf=5).fit(frame, y)
    for column, points in (("age", [np.nan, 3.0, 44.0, 90.0]), ("town", [0.0, 3.0, 6.0])):
        found = model.partial_dependence(column, points=points)
        at = model.schema_.names.index(column)
        for point, mean in zip(points, found.mean[:, 0], strict=True):
            row = np.full(3, np.nan)
            row[at] = point
            by_hand = sum(expected(tree, row, {at}) for tree in model.trees_.trees())
            assert mean == pytest.approx(model.trees_.baseline[0] + by_hand)
    assert "Bonn" in str(model.partial_dependence("town"))
    for one in (model.partial_dependence("town", frame), model.partial_dependence("age", frame)):
        assert one.draw().get_ylabel() == "probability of yes"
    np.testing.assert_array_equal(
        model.partial_dependence("town", points=["Bonn"]).mean, model.partial_dependence("town").mean[1:2]
    )
    for column, points, message in (
        ("ages", None, "Did you mean 'age'"),
        ("town", ["Born"], "Did you mean 'Bonn'"),
        ("age", ["old"], "points holds 'old'"),
        ("age", [np.inf], "points holds inf"),
    ):
        with pytest.raises(ValueError, match=message):
            model.partial_dependence(column, points=points)


def test_losses_by_round_as_fit_kept_them():
    model = HistGradientBoostingClassifier(max_iter=15, early_stopping=False)
    model.fit(X[:500], Y[:500], eval_set=(X[500:], Y[500:]))
    kept = model.diagnose()
    again = model.diagnose(X[:500], Y[:500], test=(X[500:], Y[500:]))
    np.testing.assert_allclose(kept.train, again.train)
    np.testing.assert_allclose(kept.test, again.test)
    with pytest.raises(ValueError, match="without training rows"):
        model.diagnose(test=(X, Y))
    with pytest.raises(ValueError, match="kept no losses"):
        HistGradientBoostingClassifier(max_iter=2).fit(X, Y).diagnose()


def test_losses_of_a_loaded_model_are_those_it_had(tmp_path):
    """Huber's loss bends where its training rows say."""
    model = HistGradientBoostingRegressor("huber", max_iter=5).fit(R, 100 * T)
    save(model, tmp_path / "m.hedgerow")
    loaded = load(tmp_path / "m.hedgerow")
    np.testing.assert_array_equal(loaded.diagnose(R, 100 * T).train, model.diagnose(R, 100 * T).train)
    ways = [one.importance("permutation", R, 100 * T).value for one in (model, loaded)]
    np.testing.assert_array_equal(*ways)


def test_single_trees_are_rules():
    frame, y = mixed()
    model = HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=4).fit(frame, y)
    rules = model.rules(1)
    tree = model.tree(1)
    assert len(rules.rules) == tree.n_leaves
    assert sum(rule.rows for rule in rules.rules) == len(frame)
    assert rules.rules[0].adds == tree.value[tree.kind == LEAF].max()
    assert "added to log odds of yes" in str(rules)
    assert "town" in model.tree_text(0)
    with pytest.raises(ValueError, match="there are 3 rounds of 1 tree"):
        model.tree(3)


def test_permutation_importance_is_that_of_scikit_learn():
    train, test = slice(0, 350), slice(350, None)
    model = HistGradientBoostingRegressor(max_iter=30).fit(R[train], T[train])
    ours = model.importance("permutation", R[test], T[test], repeats=30)
    theirs = permutation_importance(
        model, R[test], T[test], scoring="neg_mean_squared_error", n_repeats=30, random_state=0
    )
    np.testing.assert_allclose(2 * ours.value, theirs.importances_mean, rtol=0.12, atol=20)
    assert ours.low is not None
    with pytest.raises(ValueError, match="rows the model has not seen"):
        model.importance("permutation")


def test_columns_by_name_in_constraints():
    frame = pd.DataFrame(R, columns=list("abcde"))
    by_name = HistGradientBoostingRegressor(
        monotonic_cst={"a": 1, "c": -1}, interaction_cst=[("a", "b"), ["c"]], max_iter=15
    ).fit(frame, T)
    by_place = HistGradientBoostingRegressor(
        monotonic_cst=[1, 0, -1, 0, 0], interaction_cst=[{0, 1}, [2], (3, 4)], max_iter=15
    ).fit(R, T)
    np.testing.assert_array_equal(by_name.predict(frame), by_place.predict(R))
    with pytest.raises(ValueError, match="unexpected feature names"):
        HistGradientBoostingRegressor(monotonic_cst={"z": 1}).fit(frame, T)
