"""Sparse X: every estimator is the one of the table written out, to the last bit."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression

import hedgerow
from hedgerow.tree.tree import ARRAYS


def sparse_cells(seed, n=None, d=None):
    """A matrix with rows and columns of zeros, and the same by its entries, some of which are zero."""
    rng = np.random.default_rng(seed)
    n, d = n or int(rng.integers(5, 160)), d or int(rng.integers(1, 30))
    cells = rng.integers(-2, 4, (n, d)) * (rng.normal(size=(n, d)) if seed % 3 == 0 else 1.0)
    cells[rng.random((n, d)) < rng.choice([0.3, 0.8, 0.97])] = 0
    cells[rng.integers(n)] = 0
    cells[:, rng.integers(d)] = 0
    if seed % 4 == 0:
        cells[rng.random((n, d)) < 0.03] = np.nan
    entries = sparse.csr_matrix(cells.astype(np.float32 if seed % 5 == 0 else np.float64))
    entries.data[rng.random(len(entries.data)) < 0.1] = 0
    return entries.toarray(), (entries.tocsc() if seed % 2 else entries)


def same_trees(first, second):
    return all(
        getattr(a, name).tobytes() == getattr(b, name).tobytes()
        for a, b in zip(first, second, strict=True)
        for name in ARRAYS
    )


def assert_same(model, X, entries, y, weight=None):
    """Fitted to both, it predicts both alike."""
    weights = {} if weight is None else {"sample_weight": weight}
    dense, by_entries = model().fit(X, y, **weights), model().fit(entries, y, **weights)
    for ask in ("predict", "predict_proba", "decision_function"):
        if hasattr(dense, ask):
            wanted = np.asarray(getattr(dense, ask)(X))
            assert np.asarray(getattr(by_entries, ask)(entries)).tobytes() == wanted.tobytes()
            assert np.asarray(getattr(by_entries, ask)(X)).tobytes() == wanted.tobytes()
    return dense, by_entries


FORESTS = [
    hedgerow.RandomForestClassifier,
    hedgerow.ExtraTreesClassifier,
    hedgerow.RandomForestRegressor,
    hedgerow.ExtraTreesRegressor,
]


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from(FORESTS), st.booleans(), st.sampled_from([None, 5]))
@settings(max_examples=40, deadline=None)
def test_forests(seed, kind, weighted, max_bins):
    X, entries = sparse_cells(seed)
    rng = np.random.default_rng(seed)
    y = rng.integers(0, rng.integers(2, 5), len(X))
    y = y if "Classifier" in kind.__name__ else y + 1e3 * (seed % 2) + rng.normal(size=len(X))
    weight = rng.random(len(X)) + 0.1 if weighted else None
    found = [
        kind(5, random_state=seed, max_bins=max_bins, n_jobs=n).fit(given, y, weight)
        for n, given in ((1, X), (1, entries), (2, entries), (3, entries), (8, entries))
    ]
    for other in found[1:]:
        assert same_trees(found[0].forest_.trees, other.forest_.trees)
    assert np.array_equal(found[0].apply(X), found[2].apply(entries))
    assert found[0].predict(X).tobytes() == found[3].predict(entries).tobytes()


TREES = [
    {},
    {"criterion": "entropy"},
    {"criterion": "gain_ratio"},
    {"criterion": "misclassification", "min_samples_leaf": 3},
    {"splitter": "random"},
    {"splitter": "random", "max_bins": 4},
    {"max_features": 3, "class_weight": "balanced"},
    {"max_leaf_nodes": 6},
    {"max_bins": 4},
    {"missing": "fractional"},
    {"missing": "surrogate"},
    {"ccp_alpha": 0.01},
    {"prune": "pessimistic"},
    {"prune": "reduced_error"},
    {"prune": "cost_complexity"},
    {"min_weight_fraction_leaf": 0.05, "min_impurity_decrease": 0.001},
]


@pytest.mark.parametrize("options", TREES, ids=str)
def test_trees(options):
    for seed in range(6):
        X, entries = sparse_cells(seed, n=90)
        y = np.random.default_rng(seed).integers(0, 3, len(X))
        dense, by_entries = assert_same(
            lambda: hedgerow.DecisionTreeClassifier(random_state=1, **options), X, entries, y
        )
        assert same_trees([dense.hedgerow_tree_], [by_entries.hedgerow_tree_])


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("splitter", ["best", "random"])
def test_trees_of_numbers(criterion, splitter):
    for seed in range(6):
        X, entries = sparse_cells(seed)
        y = np.random.default_rng(seed).gamma(1.0, size=len(X)) + 100.0 * (seed % 2)
        dense, by_entries = assert_same(
            lambda: hedgerow.DecisionTreeRegressor(criterion=criterion, splitter=splitter, random_state=1),
            X,
            entries,
            y,
            weight=np.linspace(0, 2, len(X)),
        )
        assert same_trees([dense.hedgerow_tree_], [by_entries.hedgerow_tree_])


CLASSIFIERS = {
    "rules": lambda: hedgerow.RuleListClassifier(),
    "rules, held out": lambda: hedgerow.RuleListClassifier(estimate="held_out", random_state=1),
    "bagging": lambda: hedgerow.BaggingClassifier(n_estimators=4, random_state=0),
    "bagging, columns": lambda: hedgerow.BaggingClassifier(n_estimators=4, random_state=0, max_features=0.5),
    "bagging, pruned": lambda: hedgerow.BaggingClassifier(
        hedgerow.DecisionTreeClassifier(prune="pessimistic"), n_estimators=3, random_state=0, max_features=0.5
    ),
    "voting": lambda: hedgerow.WeightedVotingClassifier(
        [("f", hedgerow.RandomForestClassifier(3, random_state=0)), ("t", hedgerow.DecisionTreeClassifier())]
    ),
    "gradient boosting": lambda: hedgerow.HistGradientBoostingClassifier(max_iter=4),
    "gradient boosting, stopped": lambda: hedgerow.HistGradientBoostingClassifier(
        max_iter=4, early_stopping=True, random_state=1
    ),
    "out of bag": lambda: hedgerow.RandomForestClassifier(40, random_state=0, stop="oob"),
    "boosted trees": lambda: hedgerow.AdaBoostClassifier(
        hedgerow.DecisionTreeClassifier(max_depth=2), n_estimators=4
    ),
    **{
        f"boosted {name}": lambda name=name: hedgerow.AdaBoostClassifier(
            name,
            n_estimators=4,
            random_state=0,
            predictions="confident" if name == "neuron" else "discrete",
        )
        for name in ("stump", "tree", "c45", "linear", "neuron")
    },
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers(name):
    for seed in (0, 1):
        X, entries = sparse_cells(seed, n=80 + seed, d=9)
        y = (np.nan_to_num(X[:, 0]) + np.random.default_rng(seed).normal(size=len(X)) > 0.3).astype(int)
        assert_same(CLASSIFIERS[name], X, entries, y + (np.arange(len(X)) % 7 == 0) * seed)


@pytest.mark.parametrize("kind", ["AdaBoostRegressor", "BaggingRegressor", "HistGradientBoostingRegressor"])
def test_regressors(kind):
    X, entries = sparse_cells(4, n=70)
    y = np.random.default_rng(0).normal(size=70)
    assert_same(lambda: getattr(hedgerow, kind)(random_state=0), X, entries, y)


def test_other_learners_are_given_sparse_rows():
    X, entries = sparse_cells(1, n=60, d=8)
    y = (X.sum(axis=1) > 0).astype(int)
    bag = hedgerow.BaggingClassifier(LogisticRegression(), n_estimators=3, random_state=0, max_features=0.5)
    boosted = hedgerow.AdaBoostClassifier(LogisticRegression(), n_estimators=3, random_state=0)
    for model in (bag, boosted):
        assert np.allclose(model.fit(entries, y).predict_proba(entries), model.fit(X, y).predict_proba(X))


def test_what_a_forest_says_of_itself():
    X, entries = sparse_cells(8, n=90, d=6)
    y = np.random.default_rng(0).integers(0, 2, 90)
    dense, by_entries = (
        hedgerow.RandomForestClassifier(9, random_state=0, oob_score=True).fit(given, y)
        for given in (X, entries)
    )
    assert by_entries.oob_score_ == dense.oob_score_
    assert np.array_equal(by_entries.oob_.tally.sum, dense.oob_.tally.sum)
    assert np.allclose(by_entries.oob_.tally.loss, dense.oob_.tally.loss)
    for kind in ("impurity", "corrected", "permutation"):
        assert np.array_equal(by_entries.importance(kind).value, dense.importance(kind).value)
    assert np.array_equal(by_entries.explain(entries).values, dense.explain(X).values)
    assert (by_entries.decision_path(entries)[0] != dense.decision_path(X)[0]).nnz == 0
    assert (by_entries.proximities() != dense.proximities()).nnz == 0
    again = pickle.loads(pickle.dumps(by_entries))
    assert np.array_equal(again.predict_proba(entries), dense.predict_proba(X))
    entries.data[:] = 1.0
    with pytest.raises(ValueError, match="changed in place"):
        by_entries.diversity()


def test_a_model_file(tmp_path):
    X, entries = sparse_cells(1, n=60, d=8)
    y = (X.sum(axis=1) > 0).astype(int)
    for model in (hedgerow.RandomForestClassifier(4, random_state=0), hedgerow.DecisionTreeClassifier()):
        files = [tmp_path / f"{k}.hedgerow" for k in range(2)]
        for file, rows in zip(files, (X, entries), strict=True):
            hedgerow.save(model.fit(rows, y), file)
        assert files[0].read_bytes() == files[1].read_bytes()
        assert np.array_equal(hedgerow.load(files[1]).predict(entries), model.predict(X))


def test_one_row_no_entries_and_other_columns():
    empty = sparse.csr_array((9, 4))
    y = np.arange(9) % 2
    forest = hedgerow.RandomForestClassifier(3, random_state=0).fit(empty, y)
    assert forest.predict(empty).shape == (9,)
    X, entries = sparse_cells(1, n=60, d=8)
    tree = hedgerow.DecisionTreeClassifier().fit(entries, np.arange(60) % 2)
    assert tree.predict(entries[:1]) == tree.predict(X[:1])
    with pytest.raises(ValueError, match="7 features, but DecisionTreeClassifier is expecting 8"):
        tree.predict(entries[:, :7])
    text = np.array([["a"], ["b"]] * 5, object)
    with pytest.raises(ValueError, match="X is sparse"):
        hedgerow.DecisionTreeClassifier().fit(text, np.arange(10) % 2).predict(
            sparse.csr_array(np.eye(3)[:, :1])
        )


@pytest.mark.parametrize("seed", [1, 4, 5, 20])  # float64, with missing cells; float32, with missing cells
def test_lean_trees_and_forests_read_the_columns_they_ask_for(seed):
    X, entries = sparse_cells(seed, n=700, d=2000)
    y = (np.nan_to_num(X[:, 5:60]).sum(axis=1) > 0) + (np.arange(700) % 50 == 0)
    for model in (
        hedgerow.DecisionTreeClassifier(max_depth=4),
        hedgerow.RandomForestClassifier(3, max_depth=3, random_state=0, n_jobs=2),
    ):
        model.fit(entries[:300], y[:300])
        assert np.array_equal(model.predict_proba(entries), model.predict_proba(X))
        assert np.array_equal(model.apply(entries), model.apply(X))
        assert np.array_equal(model.predict_proba(entries[:3]), model.predict_proba(X[:3]))


def test_linear_svc_makes_its_coefficients_sparse(tmp_path):
    X, entries = sparse_cells(1, n=60, d=8)
    model = hedgerow.LinearSVC().fit(entries, X.sum(axis=1) > 0)
    scores = model.decision_function(X)
    assert sparse.issparse(model.sparsify().coef_)
    assert np.allclose(model.decision_function(X), scores)
    assert np.allclose(model.decision_function(entries), scores)
    hedgerow.save(model, tmp_path / "m.hedgerow")
    assert np.array_equal(hedgerow.load(tmp_path / "m.hedgerow").coef_, model.densify().coef_)


def test_svr_is_sparse_where_its_rows_are():
    X, entries = sparse_cells(1, n=60, d=8)
    y = X @ np.arange(8.0)
    model = hedgerow.SVR(kernel="linear").fit(entries, y)
    assert all(map(sparse.issparse, (model.coef_, model.dual_coef_, model.support_vectors_)))
    dense = hedgerow.SVR(kernel="linear").fit(X, y)
    assert not any(map(sparse.issparse, (dense.coef_, dense.dual_coef_, dense.support_vectors_)))
    assert np.allclose(model.coef_.toarray(), dense.coef_, atol=1e-2)
