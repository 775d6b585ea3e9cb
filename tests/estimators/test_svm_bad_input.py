"""Bad input, one after another, to every machine: a clear answer, or a finite one; never a loop without end."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hedgerow import SVC, SVR, LinearSVC, LinearSVR, svm_path
from hedgerow.svm.hard import NotSeparable

CLASSES = [SVC(), SVC(kernel="linear"), SVC(kernel="poly"), SVC(kernel="sigmoid"), LinearSVC()]
NUMBERS = [SVR(), LinearSVR()]
each = pytest.mark.parametrize("model", CLASSES + NUMBERS, ids=lambda m: repr(m).replace("'", ""))
each_classifier = pytest.mark.parametrize("model", CLASSES, ids=lambda m: repr(m).replace("'", ""))


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def some(n=30, d=3):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + 0.5 * rng.normal(size=n) > 0).astype(int)


@each
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_empty_table(model, shape):
    with pytest.raises(ValueError, match=r"0 sample|0 feature"):
        model.fit(np.empty(shape), np.arange(shape[0]) % 2)


@each
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("make", [np.asarray, csr_matrix], ids=["dense", "sparse"])
def test_not_finite(model, bad, make):
    X, y = some()
    X[4, 1] = bad
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        model.fit(make(X), y)
    model.fit(make(np.nan_to_num(X, nan=0, posinf=0, neginf=0)), y)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        model.predict(make(X))


@each
@pytest.mark.parametrize("size", [1e300, 1e155])
def test_numbers_beyond_arithmetic(model, size):
    X, y = some()
    output, answer = "", np.zeros(1)
    try:
        answer = model.fit(X * size, y).predict(X * size)
    except ValueError as error:
        output = str(error)
    assert np.isfinite(answer).all()
    assert not output or any(
        words in output for words in ("overflow", "beyond what can be computed", "standardize")
    )


@each
def test_tiny_numbers(model):
    X, y = some()
    assert np.isfinite(model.fit(X * 1e-300, y).predict(X * 1e-300)).all()


@each
@pytest.mark.parametrize(
    ("C", "words"), [(0, "C=0"), (-1.0, "C=-1"), (np.nan, "C=nan"), ("1", "C='1'"), (None, "C=None")]
)
def test_costs(model, C, words):
    X, y = some()
    with pytest.raises(ValueError, match=words):
        type(model)(C=C).fit(X, y)


@each
@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (-1.0, "negative|below 0|-1"),
        (np.nan, "NaN|nan|finite"),
        (np.inf, "inf|finite"),
        (0.0, "zero or negative weights"),
    ],
)
def test_weights(model, weight, words):
    X, y = some()
    weights = np.full(30, weight)
    with pytest.raises(ValueError, match=words):
        model.fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="29"):
        model.fit(X, y, sample_weight=np.ones(29))


@each
def test_lengths(model):
    X, y = some()
    with pytest.raises(ValueError, match="29"):
        model.fit(X, y[:29])
    with pytest.raises(ValueError, match="features"):
        model.fit(X, y).predict(X[:, :2])


@each_classifier
def test_text_targets(model):
    X, y = some()
    named = np.where(y == 1, "yes", "no\n<b>")
    assert set(model.fit(X, named).predict(X)) <= {"yes", "no\n<b>"}


@pytest.mark.parametrize("model", NUMBERS, ids=["SVR", "LinearSVR"])
def test_text_for_numbers(model):
    X, y = some()
    with pytest.raises(ValueError, match=r"number|float|text"):
        model.fit(X, np.where(y == 1, "yes", "no"))


@each_classifier
def test_one_class(model):
    X, _ = some()
    with pytest.raises(ValueError, match="number of classes has to be greater than one"):
        model.fit(X, np.zeros(30))


@each_classifier
def test_all_rows_the_same(model):
    X, y = np.ones((30, 3)), np.arange(30) % 2
    assert np.isfinite(model.fit(X, y).decision_function(X)).all()
    y[:3] = 1
    assert (model.fit(X, y).predict(X) == 1).all()


@each
def test_constant_columns(model):
    X, y = some()
    X[:, 1] = 1e6
    assert np.isfinite(model.fit(X, y).predict(X)).all()


@each
def test_scales_far_apart(model):
    X, y = some()
    answer = model.fit(X * [1e-8, 1.0, 1e8], y).predict(X * [1e-8, 1.0, 1e8])
    assert np.isfinite(answer).all()


def test_kernel_of_zeros():
    _, y = some()
    model = SVC(kernel="precomputed").fit(np.zeros((30, 30)), y)
    assert len(set(model.predict(np.zeros((4, 30))))) == 1
    assert SVC(kernel=lambda A, B: np.zeros((len(A), len(B)))).fit(np.ones((30, 1)), y).certificate_.norm == 0


def test_kernel_matrices():
    X, y = some()
    K = X @ X.T
    model = SVC(kernel="precomputed")
    with pytest.raises(ValueError, match="square"):
        model.fit(K[:, :7], y)
    with pytest.raises(TypeError, match=r"X\.toarray"):
        model.fit(csr_matrix(K), y)
    with pytest.raises(ValueError, match="features"):
        model.fit(K, y).predict(K[:, :7])
    K[3, 5] += 1.0
    with pytest.raises(ValueError, match=r"not symmetric.*rows 3 and 5.*rows 5 and 3.*K.T"):
        model.fit(K, y)
    K[3, 5] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        model.fit(K, y)


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (lambda A, B: np.ones((len(A), len(B) + 1)), r"shape \(30, 31\).*wanted \(30, 30\)"),
        (lambda A, B: np.ones(len(A)), r"shape \(30,\)"),
        (lambda A, B: np.full((len(A), len(B)), np.nan), "NaN or infinity"),
        (lambda A, B: A @ B.T + np.arange(len(B)), "not symmetric"),
    ],
    ids=["wide", "flat", "nan", "asymmetric"],
)
@pytest.mark.parametrize("machine", [SVC, SVR])
def test_functions(machine, kernel, words):
    X, y = some()
    with pytest.raises(ValueError, match=words):
        machine(kernel=kernel).fit(X, y)


@pytest.mark.slow
def test_symmetry_is_looked_at_block_by_block():
    X = np.random.default_rng(1).normal(size=(700, 3))
    y = (X[:, 0] > 0).astype(int)
    K = X @ X.T
    SVC(kernel="precomputed").fit(K.astype(np.float32), y)
    K[1, 650] += 3.0
    with pytest.raises(ValueError, match="rows 650 and 1"):
        SVC(kernel="precomputed").fit(K, y)


def test_not_semidefinite_is_said():
    X, y = some()
    with pytest.warns(UserWarning, match="positive semidefinite"):
        SVC(kernel="precomputed").fit(-X @ X.T, y)


@pytest.mark.parametrize(
    "model", [SVC(kernel="linear", C=np.inf), LinearSVC(C=np.inf)], ids=["SVC", "LinearSVC"]
)
def test_hard_margin_names_rows(model):
    X, y = some()
    y[:10] = 1 - y[:10]
    with pytest.raises(NotSeparable, match="prove it") as found:
        model.fit(X, y)
    rows, weights = np.array(found.value.rows), np.array(found.value.weights)
    assert len(rows) <= X.shape[1] + 2
    means = [weights[y[rows] == k] @ X[rows[y[rows] == k]] for k in (0, 1)]
    assert np.allclose(means[0], means[1], atol=1e-6)


@pytest.mark.parametrize("grid", [[], [0.0], [-1], [np.nan], ["a"], [np.inf], None])
def test_grids(grid):
    X, y = some()
    if grid is None:
        assert len(svm_path(LinearSVC(), X, y, C=grid, cv=2).points) == 13
        return
    with pytest.raises(ValueError, match="is no grid"):
        svm_path(SVC(), X, y, C=grid)
