"""The path over C and gamma: the same machines as separate fits, for less work."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hedgerow import SVC, LinearSVC, svm_path
from hedgerow.svm.folds import assign_folds


def blobs(n=150, k=2, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, size=n)
    return rng.normal(size=(n, 4)) + 1.2 * rng.normal(size=(k, 4))[y], y


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("k", [2, 3])
def test_linear_points_are_separate_fits(loss, k):
    X, y = blobs(k=k)
    model = LinearSVC(loss=loss, tol=1e-8)
    path = svm_path(model, X, y, C=[0.01, 1, 30], cv=4)
    for point, coef in zip(path.points, path.coefs, strict=True):
        alone = LinearSVC(loss=loss, tol=1e-8, C=point.C).fit(X, y)
        np.testing.assert_allclose(coef[:, :-1], alone.coef_, atol=1e-4)
        np.testing.assert_allclose(coef[:, -1], alone.intercept_, atol=1e-4)
        assert point.train_error == pytest.approx(1 - alone.score(X, y))


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
def test_kernel_points_are_separate_fits(k, multi_class):
    X, y = blobs(k=k)
    model = SVC(multi_class=multi_class, tol=1e-6)
    path = svm_path(model, X, y, C=[0.1, 10], gamma=[0.05, 0.5], cv=3)
    fold = assign_folds(y.astype(np.int32), 3)
    assert path.stored
    for point in path.points:
        fresh = SVC(multi_class=multi_class, tol=1e-6, C=point.C, gamma=point.gamma)
        alone = fresh.fit(X, y)
        assert point.primal == pytest.approx(sum(c.primal for c in alone.certificate_.each), rel=1e-5)
        wrong = [
            1 - fresh.fit(X[fold != f], y[fold != f]).score(X[fold == f], y[fold == f]) for f in range(3)
        ]
        assert point.error == pytest.approx(np.mean(wrong), abs=0.011)
        assert point.gap <= 1e-3 * point.primal


def test_without_stored_matrices():
    X, y = blobs()
    stored = svm_path(SVC(tol=1e-6), X, y, C=[0.1, 1], cv=3)
    direct = svm_path(SVC(tol=1e-6, cache_size=0.01), X, y, C=[0.1, 1], cv=3)
    assert not direct.stored
    for a, b in zip(stored.points, direct.points, strict=True):
        assert a.primal == pytest.approx(b.primal, rel=1e-5)
        assert a.error == pytest.approx(b.error)


def test_weights_and_sparse_rows():
    X, y = blobs()
    weight = np.random.default_rng(1).integers(0, 3, size=len(y)).astype(float)
    dense = svm_path(LinearSVC(tol=1e-8), X, y, weight, C=[0.1, 1], cv=3)
    sparse = svm_path(LinearSVC(tol=1e-8), csr_matrix(X), y, weight, C=[0.1, 1], cv=3)
    for a, b in zip(dense.points, sparse.points, strict=True):
        assert a.primal == pytest.approx(b.primal, rel=1e-6)
    alone = LinearSVC(tol=1e-8, C=1).fit(X, y, weight)
    assert dense.points[1].primal == pytest.approx(alone.certificate_.primal, rel=1e-6)


def test_choice_and_words():
    X, y = blobs()
    path = svm_path(LinearSVC(), X, y, C=[10, 0.01, 0.1, 1])
    assert [p.C for p in path.points] == [0.01, 0.1, 1, 10]
    best, chosen = path.points[path.best], path.points[path.chosen]
    assert best.error == min(p.error for p in path.points)
    assert chosen.error <= best.error + best.std
    assert chosen.C <= best.C
    assert path.params() == {"C": chosen.C}
    assert "chosen" in str(path)
    assert "<table>" in path._repr_html_()
    assert path.to_dict()["chosen"] == path.chosen


@pytest.mark.parametrize(
    ("model", "grid", "words"),
    [
        (LinearSVC(), {"C": []}, "C=.* is no grid"),
        (LinearSVC(), {"C": [0, 1]}, "is no grid"),
        (LinearSVC(), {"gamma": [1.0]}, "LinearSVC has none"),
        (SVC(kernel="linear"), {"gamma": [1.0]}, "has no gamma"),
        (LinearSVC(), {"cv": 1}, "cv=1"),
    ],
)
def test_wrong_grids(model, grid, words):
    X, y = blobs(n=30)
    with pytest.raises(ValueError, match=words):
        svm_path(model, X, y, **grid)


def test_nothing_leaks_out_of_a_fold():
    """Scale and gamma are those of the rows a fold learns from, as if each fold had been fitted by itself."""
    X, y = blobs(n=90)
    X = X * [1, 100, 0.01, 5]
    fold = assign_folds(y.astype(np.int32), 3)
    for model in (SVC(standardize=True, tol=1e-6), LinearSVC(standardize=True, tol=1e-8)):
        point = svm_path(model, X, y, C=[1.0], cv=3).points[0]
        wrong = [
            1 - model.fit(X[fold != f], y[fold != f]).score(X[fold == f], y[fold == f]) for f in range(3)
        ]
        assert point.error == pytest.approx(np.mean(wrong), abs=1e-12)


def test_a_cost_that_changes_nothing_takes_no_step():
    X, y = blobs(n=80)
    path = svm_path(SVC(), X, y, C=[1e5, 1e6], gamma=[2.0], cv=3)
    assert path.points[0].iterations > 0
    assert path.points[1].iterations == 0


@pytest.mark.parametrize("kernel", ["precomputed", lambda A, B: A @ B.T], ids=["matrix", "function"])
def test_other_kernels_have_a_path(kernel):
    X, y = blobs(n=70)
    path = svm_path(
        SVC(kernel=kernel, tol=1e-6), X @ X.T if kernel == "precomputed" else X, y, C=[0.1, 1], cv=3
    )
    same = svm_path(SVC(kernel="linear", tol=1e-6), X, y, C=[0.1, 1], cv=3)
    for a, b in zip(path.points, same.points, strict=True):
        assert a.primal == pytest.approx(b.primal, rel=1e-5)
        assert a.error == pytest.approx(b.error, abs=1e-9)
