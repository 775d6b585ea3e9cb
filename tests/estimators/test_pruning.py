"""`prune=` on the estimators."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, datasets, load, save
from hedgerow.estimators.comparison import compare_prunings
from hedgerow.prune import ChiSquare, CostComplexity, Pessimistic, load_methods
from hedgerow.tree.check import check

RNG = np.random.default_rng(2)
X = RNG.normal(size=(331, 4))
Y = (X[:, 0] + X[:, 1] * X[:, 2] + RNG.normal(size=331) > 0).astype(int)


@pytest.mark.parametrize("name", load_methods())
def test_every_method_by_its_name(name):
    model = DecisionTreeClassifier(prune=name).fit(X, Y)
    check(model.hedgerow_tree_)
    assert model.get_n_leaves() <= DecisionTreeClassifier().fit(X, Y).get_n_leaves()
    assert hasattr(model, "cp_table_") == (name == "cost_complexity")
    again = clone(model).fit(X, Y)
    np.testing.assert_array_equal(again.hedgerow_tree_.threshold, model.hedgerow_tree_.threshold)


@pytest.mark.parametrize("name", ["cost_complexity", "reduced_error", "depth_limit", "leaf_limit"])
def test_regressions(name):
    model = DecisionTreeRegressor(prune=name).fit(X, X[:, 0] + RNG.normal(size=331))
    check(model.hedgerow_tree_)
    assert model.get_n_leaves() < 200


def test_categories_and_missing_cells():
    titanic = datasets.titanic()
    for name in load_methods():
        model = DecisionTreeClassifier(prune=name).fit(titanic.table, titanic.target)
        check(model.hedgerow_tree_)
        assert model.score(titanic.table, titanic.target) > 0.6


def test_the_kept_tree_is_the_table_s():
    model = DecisionTreeClassifier(prune=CostComplexity(choose="min", folds=5)).fit(X, Y)
    table = model.cp_table_
    assert table.n_folds == 5
    assert table.choose == "min"
    assert model.get_n_leaves() == table.nsplit[table.chosen] + 1
    model.set_params(prune=None).fit(X, Y)
    assert not hasattr(model, "cp_table_")


def test_held_out_rows_are_not_grown_on():
    model = DecisionTreeClassifier(prune="reduced_error", validation_fraction=0.3).fit(X, Y)
    assert model.hedgerow_tree_.n_rows[0] == 331 - round(0.3 * 331)
    assert DecisionTreeClassifier(prune="chi_square").fit(X, Y).hedgerow_tree_.n_rows[0] == 331
    other = DecisionTreeClassifier(prune="reduced_error", validation_fraction=0.3, random_state=5).fit(X, Y)
    assert other.hedgerow_tree_.n_rows[0] == model.hedgerow_tree_.n_rows[0]


def test_pruning_helps_on_noise():
    full = cross_val_score(DecisionTreeClassifier(), X, Y, cv=5).mean()
    pruned = cross_val_score(DecisionTreeClassifier(prune="cost_complexity"), X, Y, cv=5).mean()
    assert pruned > full


def test_settings_as_an_object_or_a_dict():
    one = DecisionTreeClassifier(prune=Pessimistic(confidence=0.05, raising=False)).fit(X, Y)
    two = DecisionTreeClassifier(prune={"method": "pessimistic", "confidence": 0.05, "raising": False}).fit(
        X, Y
    )
    np.testing.assert_array_equal(one.hedgerow_tree_.threshold, two.hedgerow_tree_.threshold)


@pytest.mark.parametrize(
    "given", [None, "chi_square", ChiSquare(0.01), CostComplexity(folds=3), Pessimistic()]
)
def test_model_files_keep_the_pruning(given, tmp_path):
    model = DecisionTreeClassifier(prune=given, validation_fraction=0.3).fit(X, Y)
    save(model, tmp_path / "m.hedgerow")
    back = load(tmp_path / "m.hedgerow")
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
    again = clone(back).fit(X, Y)
    np.testing.assert_array_equal(again.hedgerow_tree_.threshold, model.hedgerow_tree_.threshold)


def test_trace_follows_the_cuts():
    model = DecisionTreeClassifier(prune="chi_square", trace=True).fit(X, Y)
    assert len(model.trace_.gain) == model.hedgerow_tree_.n_nodes


def test_mistakes_are_named():
    with pytest.raises(ValueError, match=r"prune='chisquare' is unknown.*Did you mean 'chi_square'\?"):
        DecisionTreeClassifier(prune="chisquare").fit(X, Y)
    with pytest.raises(ValueError, match=r"ccp_alpha=0.1 and prune='chi_square' are two prunings"):
        DecisionTreeClassifier(prune="chi_square", ccp_alpha=0.1).fit(X, Y)
    with pytest.raises(
        ValueError, match=r"prune='chi_square' is not for regression. For regression: cost_complex"
    ):
        DecisionTreeRegressor(prune="chi_square").fit(X, X[:, 0])
    with pytest.raises(ValueError, match=r"validation_fraction=1.5 is out of range"):
        DecisionTreeClassifier(prune="reduced_error", validation_fraction=1.5).fit(X, Y)
    with pytest.raises(ValueError, match="only 1 row"):
        DecisionTreeClassifier(prune="reduced_error").fit(X[:1], Y[:1])


def test_the_path_of_a_pruned_model_is_that_of_the_whole_tree():
    one = DecisionTreeClassifier(prune="chi_square").cost_complexity_pruning_path(X, Y)
    two = DecisionTreeClassifier().cost_complexity_pruning_path(X, Y)
    np.testing.assert_array_equal(one.ccp_alphas, two.ccp_alphas)


def test_compare_prunings():
    result = compare_prunings(DecisionTreeClassifier(prune="chi_square"), X, Y)
    assert {p.method for p in result.defaults} == set(load_methods())
    assert all(p.leaves <= result.unpruned.leaves for p in result.points)
    for name in load_methods():
        sizes = [p.leaves for p in result.path(name)]
        assert sizes == sorted(sizes, reverse=True) or name == "pessimistic"
    text = str(result)
    assert all(name in text for name in load_methods())
    assert "not pruned" in text
    assert result._repr_html_().count("<tr>") == len(load_methods()) + 2
    assert len(result.to_dict()["points"]) == len(result.points)


def test_compare_prunings_of_a_regression_and_of_some_methods():
    result = compare_prunings(DecisionTreeRegressor(), X, X[:, 0] + Y)
    assert {p.method for p in result.defaults} == {
        "cost_complexity",
        "reduced_error",
        "depth_limit",
        "leaf_limit",
    }
    some = compare_prunings(DecisionTreeClassifier(), X, Y, methods=["chi_square", Pessimistic(0.1)])
    assert {p.method for p in some.points} == {"chi_square", "pessimistic"}
    with pytest.raises(ValueError, match="leave something to grow on"):
        compare_prunings(DecisionTreeClassifier(), X, Y, validation_fraction=0.5, test_share=0.5)


@pytest.mark.slow
def test_prunings_compared_by_cross_validation():
    plain = compare_prunings(DecisionTreeClassifier(), X, Y, cv=5)
    assert (plain.n_folds, plain.n_test) == (5, len(Y))
    assert {p.method for p in plain.defaults} == set(load_methods())
    assert "5-fold cross-validation" in str(plain)
    again = compare_prunings(DecisionTreeClassifier(), X, Y, cv=5, methods=["chi_square", "depth_limit"])
    for name in ("chi_square", "depth_limit"):
        assert again.path(name) == plain.path(name)
    root = next(p for p in plain.path("depth_limit") if p.leaves == 1)
    share = np.bincount(Y).max() / len(Y)
    assert root.error == pytest.approx(1 - share, abs=0.02)  # the folds' roots guess the same class
    assert root.std == pytest.approx(np.sqrt(root.error * (1 - root.error) / len(Y)))
    for wrong in (1, 2.5, True):
        with pytest.raises(ValueError, match=r"cv=.* at least 2, or None"):
            compare_prunings(DecisionTreeClassifier(), X, Y, cv=wrong)


def test_cross_validated_errors_are_those_of_trees_fitted_on_the_other_folds():
    """Without pruning: the folds by hand."""
    result = compare_prunings(
        DecisionTreeClassifier(max_depth=4), X, Y, cv=4, methods=["chi_square"], random_state=3
    )
    from hedgerow.table.split import stratified_folds, stratified_split

    fold, wrong = stratified_folds(Y.astype(np.int64), 4, 3), 0
    for k in range(4):
        others = np.flatnonzero(fold != k)
        grown = others[~stratified_split(Y[others].astype(np.int64), 0.2, 4)]
        model = DecisionTreeClassifier(max_depth=4).fit(X[grown], Y[grown])
        wrong += np.sum(model.predict(X[fold == k]) != Y[fold == k])
    assert result.unpruned.error == pytest.approx(wrong / len(Y))
