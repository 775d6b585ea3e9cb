"""The two estimators: what scikit-learn's users expect, and what they get beyond it."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.grow import offers
from hedgerow.tree.check import check
from hedgerow.tree.tree import LEAF
from tree.same import assert_same

BOTH = [DecisionTreeClassifier, DecisionTreeRegressor]


def numbers(n=97, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + 0.5 * rng.normal(size=n) > 0).astype(int) + (X[:, 1] > 1)


def mixed(n=97, seed=0):
    """A dict of columns: a number with holes, text with holes, a boolean, whole numbers."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n).round(2)
    size[rng.random(n) < 0.1] = np.nan
    town = [
        None if rng.random() < 0.1 else str(rng.choice(["oslo", "rome", "bern", "lima"])) for _ in range(n)
    ]
    X = {
        "size": size.tolist(),
        "town": town,
        "old": (rng.random(n) < 0.5).tolist(),
        "rooms": rng.integers(1, 7, n).tolist(),
    }
    y = np.array([(t in ("oslo", "rome")) ^ (r > 3) for t, r in zip(town, X["rooms"], strict=True)]).astype(
        int
    )
    return X, np.where(rng.random(n) < 0.1, 1 - y, y)


def frames(columns):
    pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    size = [None if x != x else x for x in columns["size"]]
    return {
        "pandas": pandas.DataFrame(columns),
        "pandas categorical": pandas.DataFrame(columns).astype({"town": "category"}),
        "polars": polars.DataFrame({**columns, "size": size}),
        "arrow": arrow.table({**columns, "size": size}),
        "list of lists": [list(row) for row in zip(*columns.values(), strict=True)],
        "objects": np.array([list(row) for row in zip(*columns.values(), strict=True)], object),
    }


@pytest.mark.parametrize("kind", BOTH)
def test_whatever_carries_the_table_the_tree_is_the_same(kind):
    columns, y = mixed()
    carried = frames(columns)
    models = {name: kind(random_state=0).fit(X, y) for name, X in carried.items()}
    for name, model in models.items():
        assert_same(model.hedgerow_tree_, models["pandas"].hedgerow_tree_)
        assert_array_equal(
            model.predict(carried[name]), models["pandas"].predict(carried["pandas"]), err_msg=name
        )
        assert_array_equal(
            model.apply(carried[name]), models["pandas"].apply(carried["pandas"]), err_msg=name
        )


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("carrier", ["pandas", "polars"])
def test_two_columns_of_their_own_are_read_rightly(kind, carrier):
    """Columns converted one by one, dropped while the walk still reads: a matter of who owns the memory."""
    library = pytest.importorskip(carrier)
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 99, 200_000).astype(np.int32), rng.integers(0, 99, 200_000).astype(np.int16)
    X, y = library.DataFrame({"a": a, "b": b}), (b > 50).astype(int)
    assert_array_equal(kind(max_depth=1).fit(X, y).predict(X), y)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_order_and_views_do_not_matter(dtype, order):
    X, y = numbers()
    X = X.astype(np.float32).astype(dtype)
    other = np.asarray(X, order=order)
    wide = np.zeros((len(X) * 2, 7), dtype)
    wide[::2, 1:4] = X
    for view in (other, wide[::2, 1:4], np.flipud(np.flipud(X))):
        model = DecisionTreeClassifier().fit(view, y)
        assert_same(model.hedgerow_tree_, DecisionTreeClassifier().fit(X, y).hedgerow_tree_)
        assert_array_equal(model.predict(view), model.predict(X))


@pytest.mark.parametrize("kind", BOTH)
def test_zero_weight_is_no_row_and_two_is_two_rows(kind):
    pandas = pytest.importorskip("pandas")
    columns, y = mixed()
    X = pandas.DataFrame(columns)
    weight = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = kind().fit(X, y, sample_weight=weight)
    repeated = kind().fit(X.loc[X.index.repeat(weight)], np.repeat(y, weight))
    removed = kind().fit(X[weight > 0], y[weight > 0], sample_weight=weight[weight > 0])
    for other in (repeated, removed):
        assert_array_equal(weighted.hedgerow_tree_.threshold, other.hedgerow_tree_.threshold)
        assert_allclose(weighted.predict(X), other.predict(X))


@pytest.mark.parametrize("kind", BOTH)
def test_weights_move_no_edge_of_bins_but_rows_without_weight_are_not_there(kind):
    rng = np.random.default_rng(2)
    X, weight = rng.normal(size=(300, 3)), rng.integers(0, 3, 300)
    y = (X[:, 0] > 0.3).astype(int)
    weighted = kind(max_bins=7).fit(X, y, sample_weight=weight)
    removed = kind(max_bins=7).fit(X[weight > 0], y[weight > 0], sample_weight=weight[weight > 0])
    assert_array_equal(weighted.hedgerow_tree_.threshold, removed.hedgerow_tree_.threshold)
    few = np.round(X)  # bins of one value each: a weight of two is a row twice
    weighted = kind(max_bins=9).fit(few, y, sample_weight=weight)
    repeated = kind(max_bins=9).fit(np.repeat(few, weight, axis=0), np.repeat(y, weight))
    assert_array_equal(weighted.hedgerow_tree_.threshold, repeated.hedgerow_tree_.threshold)


def test_no_weights_equal_weights_of_one():
    X, y = numbers()
    assert_same(
        DecisionTreeClassifier().fit(X, y).hedgerow_tree_,
        DecisionTreeClassifier().fit(X, y, np.ones(len(y))).hedgerow_tree_,
    )
    assert_same(
        DecisionTreeClassifier().fit(X, y).hedgerow_tree_,
        DecisionTreeClassifier().fit(X, y, 1.0).hedgerow_tree_,
    )


def test_unseen_levels_and_missing_cells_take_two_different_ways():
    """Missing cells are all of one class and go where training sent them; a new level goes with most of the rows."""
    pandas = pytest.importorskip("pandas")
    town = ["oslo"] * 9 + ["rome"] * 4 + [None] * 5
    y = ["yes"] * 9 + ["no"] * 9
    model = DecisionTreeClassifier().fit(pandas.DataFrame({"town": town}), y)
    new = pandas.DataFrame({"town": ["oslo", "rome", "paris", None]})
    # rome and the missing rows are one side (9 rows), oslo the other (9): a tie of weight goes to the second child
    assert model.predict(new)[[0, 1, 3]].tolist() == ["yes", "no", "no"]
    heavier = DecisionTreeClassifier().fit(pandas.DataFrame({"town": [*town, "oslo"]}), [*y, "yes"])
    assert heavier.predict(new).tolist() == ["yes", "no", "yes", "no"]


def test_probabilities_are_shares_of_the_leaf():
    X, y = numbers()
    model = DecisionTreeClassifier(min_samples_leaf=9).fit(X, y)
    proba = model.predict_proba(X)
    assert proba.shape == (len(X), model.n_classes_)
    assert_allclose(proba.sum(axis=1), 1)
    leaf = model.apply(X)
    for node in np.unique(leaf):
        shares = [(y[leaf == node] == k).mean() for k in model.classes_]
        assert_allclose(proba[leaf == node], np.tile(shares, (int((leaf == node).sum()), 1)))
    assert_array_equal(model.predict(X), model.classes_[proba.argmax(axis=1)])
    with np.errstate(divide="ignore"):
        assert_allclose(model.predict_log_proba(X), np.log(proba))


@pytest.mark.parametrize("kind", BOTH)
def test_leaves_paths_and_counts_agree(kind):
    X, y = numbers()
    model = kind(max_depth=4).fit(X, y)
    tree, leaf, path = model.hedgerow_tree_, model.apply(X), model.decision_path(X)
    check(tree)
    assert (tree.kind[leaf] == LEAF).all()
    assert path.shape == (len(X), tree.n_nodes)
    assert_array_equal(np.asarray(path.sum(axis=0)).ravel(), tree.n_rows)
    assert_array_equal(np.asarray(path.sum(axis=1)).ravel(), tree.depth[leaf] + 1)
    assert_array_equal(path[np.arange(len(X)), leaf], 1)
    assert model.get_depth() == tree.depth.max() <= 4
    assert model.get_n_leaves() == np.count_nonzero(tree.kind == LEAF)


def test_importances_sum_to_one_and_point_at_the_column():
    X, y = numbers(d=3)
    found = DecisionTreeClassifier(max_depth=3).fit(X, y).feature_importances_
    assert found.shape == (3,)
    assert found.sum() == pytest.approx(1)
    assert found.argmax() == 0
    assert_array_equal(DecisionTreeClassifier().fit(X, np.zeros(97)).feature_importances_, 0)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("options", [{}, {"splitter": "random"}, {"max_features": 1}])
def test_a_seed_makes_the_tree(kind, options):
    X, y = numbers(d=5)
    one, same, other = (kind(random_state=seed, **options).fit(X, y).hedgerow_tree_ for seed in (3, 3, 4))
    assert_same(one, same)
    assert (one.threshold.tolist() == other.threshold.tolist()) == (not options) or not options


@pytest.mark.parametrize("kind", BOTH)
def test_copies_answer_alike(kind):
    X, y = numbers()
    model = kind(max_depth=3).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert_same(again.hedgerow_tree_, model.hedgerow_tree_)
    assert_array_equal(again.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="read-only"):
        again.hedgerow_tree_.value[0] = 7
    unfitted = clone(model)
    assert unfitted.get_params() == model.get_params()
    assert not hasattr(unfitted, "hedgerow_tree_")


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOTH)
def test_inside_scikit_learns_tools(kind):
    X, y = numbers()
    search = GridSearchCV(kind(), {"max_depth": [1, 3], "min_samples_leaf": [1, 5]}, cv=3, n_jobs=2).fit(X, y)
    assert set(search.best_params_) == {"max_depth", "min_samples_leaf"}
    scores = cross_val_score(kind(max_depth=3), X, y, cv=3)
    assert scores.shape == (3,)
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("kind", BOTH)
def test_fit_learns_anew(kind):
    X, y = numbers()
    other, target = numbers(n=51, d=2, seed=5)
    model = kind(max_depth=3).fit(X, y).fit(other, target)
    assert_same(model.hedgerow_tree_, kind(max_depth=3).fit(other, target).hedgerow_tree_)
    assert model.n_features_in_ == 2


@pytest.mark.parametrize("ccp_alpha", [0.0, 0.02])
@pytest.mark.parametrize("max_leaf_nodes", [None, 6])
def test_a_trace_belongs_to_its_tree(ccp_alpha, max_leaf_nodes):
    """Every node that was split offers, and its chosen column among the best: of the tree as it is, pruned or not."""
    X, y = numbers()
    model = DecisionTreeClassifier(trace=True, ccp_alpha=ccp_alpha, max_leaf_nodes=max_leaf_nodes).fit(X, y)
    tree, trace = model.hedgerow_tree_, model.trace_
    assert trace.gain.shape == (tree.n_nodes, 3)
    for node in np.flatnonzero(tree.kind != LEAF):
        first = offers(tree, trace, int(node))[0]
        left = tree.first_child[node]
        right = left + 1
        children = tree.weight[left] * tree.impurity[left] + tree.weight[right] * tree.impurity[right]
        assert first.decrease == pytest.approx(tree.impurity[node] - children / tree.weight[node])


def test_no_trace_is_kept_of_a_fit_that_made_none():
    X, y = numbers()
    model = DecisionTreeClassifier(trace=True).fit(X, y)
    assert not hasattr(model.set_params(trace=False).fit(X, y), "trace_")


def test_classes_of_any_kind():
    X, y = numbers()
    for labels in (["no", "yes", "well"], [10, 20, 30], [False, True, True], [-1.0, 0.0, 1.0]):
        named = np.array(labels)[y]
        model = DecisionTreeClassifier().fit(X, named)
        assert_array_equal(model.classes_, np.unique(named))
        assert_array_equal(model.predict(X), named)
        assert model.predict(X).dtype == named.dtype


def test_a_numeric_column_may_be_declared_a_category():
    """Codes without an order: an exact split in one step, by name or by place; new rows in another order of columns."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pandas.DataFrame({"noise": rng.normal(size=90), "code": rng.integers(0, 9, 90) * 100})
    y = np.isin(X["code"], [0, 300, 400, 700]).astype(int)
    for chosen in (["code"], [1], [False, True]):
        model = DecisionTreeClassifier(categorical_features=chosen).fit(X, y)
        assert model.hedgerow_tree_.n_nodes == 3
        assert_array_equal(model.predict(X), y)
        assert_array_equal(model.predict(X.assign(code=X["code"].astype(float))), y)


@pytest.mark.parametrize("splitter", ["best", "random"])
def test_bins_are_coarse_but_not_wrong(splitter):
    X, y = numbers(n=500)
    model = DecisionTreeClassifier(max_bins=8, splitter=splitter, random_state=0).fit(X, y)
    check(model.hedgerow_tree_)
    assert_array_equal(
        np.bincount(model.apply(X), minlength=model.hedgerow_tree_.n_nodes)[
            model.hedgerow_tree_.kind == LEAF
        ],
        model.hedgerow_tree_.n_rows[model.hedgerow_tree_.kind == LEAF],
    )
    for column in range(3):
        used = model.hedgerow_tree_.threshold[model.hedgerow_tree_.feature == column]
        assert len(np.unique(used)) <= 7
    few = np.round(X, 1)[:, :1]
    few = few[np.isin(few[:, 0], np.unique(few)[:200])]
    assert_same(
        DecisionTreeClassifier(max_bins=255).fit(few, y[: len(few)]).hedgerow_tree_,
        DecisionTreeClassifier().fit(few, y[: len(few)]).hedgerow_tree_,
    )


def test_inputs_are_left_alone():
    X, y = numbers()
    weight = np.ones(len(y)) * 2
    before = X.copy(), y.copy(), weight.copy()
    for array in (X, y, weight):
        array.flags.writeable = False
    DecisionTreeClassifier(class_weight="balanced").fit(X, y, weight).predict(X)
    for array, old in zip((X, y, weight), before, strict=True):
        assert_array_equal(array, old)


def test_columns_may_come_in_another_order_when_they_have_names():
    pandas = pytest.importorskip("pandas")
    columns, y = mixed()
    X = pandas.DataFrame(columns)
    model = DecisionTreeClassifier().fit(X, y)
    shuffled = X[["rooms", "old", "town", "size"]]
    try:
        answers = model.predict(shuffled)
    except ValueError as error:  # scikit-learn's own rule, which its estimator checks demand
        assert "order" in str(error)  # noqa: PT017
    else:
        assert_array_equal(answers, model.predict(X))
