"""LinearSVC and LinearSVR against scikit-learn's, on real data where it is at hand; limits, weights, words."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.svm import LinearSVC as TheirSVC
from sklearn.svm import LinearSVR as TheirSVR

from hedgerow import LinearSVC, LinearSVR
from hedgerow.svm.hard import NotSeparable
from hedgerow.svm.scale import ScaleWarning

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def blobs(n=300, d=6, k=2, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, size=n)
    return rng.normal(size=(n, d)) + rng.normal(size=(k, d))[y] * 0.8, y


def real(name, rows):
    pl = pytest.importorskip("polars")
    file = SHARED / f"{name}.parquet"
    if not file.exists():
        pytest.skip("needs ../shared/data")
    frame = pl.read_parquet(file)
    frame = frame.gather_every(max(1, len(frame) // rows))
    if name == "sentence_polarity":
        y = frame["label"].to_numpy()
        text = frame[next(c for c in frame.columns if c != "label")].to_list()
        return CountVectorizer().fit_transform(text).astype(np.float64), y
    target = {"spambase": "type"}.get(name, "label")
    y = frame[target].to_numpy()
    X = frame.drop(target).to_numpy().astype(np.float64)
    if name == "spambase":
        X = np.log1p(X)
    return (csr_matrix(X) if name == "a9a" else X), y


def objective(X, y, w, b, C, squared, weight=1.0):
    e = np.maximum(0, 1 - np.where(y == np.unique(y)[1], 1, -1) * (X @ w + b))
    return 0.5 * w @ w + C * np.sum(weight * (e**2 if squared else e))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a9a", "ijcnn1", "spambase", "sentence_polarity"])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4])
def test_same_optimum_as_liblinear(name, loss, C):
    """Without an intercept, which liblinear would penalise. liblinear's own answer may be the worse one."""
    X, y = real(name, 1500)
    ours = LinearSVC(loss=loss, C=C, fit_intercept=False, tol=1e-5).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs = TheirSVC(
            loss=loss, C=C, fit_intercept=False, tol=1e-6, max_iter=3000, dual=loss == "hinge", random_state=0
        ).fit(X, y)
    squared = loss == "squared_hinge"
    mine = objective(X, y, ours.coef_[0], 0.0, C, squared)
    other = objective(X, y, theirs.coef_[0], 0.0, C, squared)
    assert mine <= other * (1 + 2e-5)
    assert (
        ours.certificate_.relative_gap <= 2e-5
    )  # proves that `mine` is the optimum, whatever liblinear says
    if mine >= other * (1 - 1e-4):  # liblinear got there too
        score = ours.decision_function(X)
        clear = np.abs(score) > 0.02 * np.abs(score).max()
        assert (ours.predict(X) == theirs.predict(X))[clear].all()


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("dual", [True, False])
def test_weights_as_liblinear(loss, dual):
    X, y = blobs()
    weight = np.random.default_rng(1).uniform(0, 3, size=len(y))
    settings = {"loss": loss, "C": 0.3, "fit_intercept": False, "class_weight": {0: 1.0, 1: 2.5}}
    ours = LinearSVC(dual=dual, tol=1e-8, max_iter=20000, **settings).fit(X, y, weight)
    theirs = TheirSVC(dual=True, tol=1e-9, max_iter=100000, **settings).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
@pytest.mark.parametrize("dual", [True, False])
def test_numbers_as_liblinear(loss, dual):
    X, _ = blobs()
    rng = np.random.default_rng(2)
    y = X @ rng.normal(size=6) + rng.normal(size=len(X))
    settings = {"loss": loss, "C": 0.3, "fit_intercept": False, "epsilon": 0.2}
    ours = LinearSVR(dual=dual, tol=1e-8, max_iter=20000, **settings).fit(X, y)
    theirs = TheirSVR(dual=True, tol=1e-9, max_iter=100000, **settings).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)


def test_the_intercept_has_no_penalty():
    """Moving all rows, or the target, moves nothing but the intercept."""
    X, y = blobs()
    near = LinearSVC(loss="hinge", tol=1e-9).fit(X, y)
    far = LinearSVC(loss="hinge", tol=1e-9).fit(X + 100.0, y)
    np.testing.assert_allclose(far.coef_, near.coef_, atol=1e-4)
    t = X @ np.arange(6.0)
    low, high = LinearSVR(tol=1e-9).fit(X, t), LinearSVR(tol=1e-9).fit(X, t + 1e4)
    np.testing.assert_allclose(high.coef_, low.coef_, atol=1e-4)
    assert high.intercept_[0] - low.intercept_[0] == pytest.approx(1e4, rel=1e-6)


def test_several_classes_are_one_against_the_rest():
    X, y = blobs(k=4, d=5)
    names = np.array(["ash", "beech", "elm", "oak"])[y]
    model = LinearSVC(tol=1e-9).fit(X, names)
    assert model.coef_.shape == (4, 5)
    for k, name in enumerate(model.classes_):
        alone = LinearSVC(tol=1e-9).fit(X, names == name)
        np.testing.assert_allclose(model.coef_[k], alone.coef_[0], atol=1e-6)
    assert "elm" in str(model.certificate_)


def test_limits_warn_and_keep_the_best_so_far():
    X, y = blobs(n=400, d=3)
    with pytest.warns(ConvergenceWarning, match=r"stopped early by max_iter=1.*duality gap"):
        model = LinearSVC(loss="hinge", dual=True, C=1e4, max_iter=1).fit(X, y)
    assert model.certificate_.ending == "max_iter"
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        LinearSVC(loss="hinge", C=1e3, tol=1e-13, time_limit=1e-7).fit(X, y)


def test_hard_margin_names_rows_that_prove_it_impossible():
    X, y = blobs(n=60, d=3)
    with pytest.raises(NotSeparable, match="rows prove it") as caught:
        LinearSVC(C=np.inf).fit(X, y)
    rows, weights = np.array(caught.value.rows), np.array(caught.value.weights)
    sides = [weights[y[rows] == k] @ X[rows][y[rows] == k] for k in (0, 1)]
    np.testing.assert_allclose(sides[0], sides[1], atol=1e-5)
    X[3], y[3], y[4] = X[4], 0, 1
    with pytest.raises(NotSeparable, match="rows 3 and 4 are the same"):
        LinearSVC(C=np.inf).fit(X, y)


def test_standardize_maps_coefficients_back():
    X, y = blobs()
    X = X * np.array([1, 10, 100, 1e4, 1e5, 1]) + 7
    plain = LinearSVC(tol=1e-9).fit((X - X.mean(0)) / X.std(0), y)
    inside = LinearSVC(tol=1e-9, standardize=True).fit(X, y)
    np.testing.assert_allclose(
        inside.decision_function(X), plain.decision_function((X - X.mean(0)) / X.std(0))
    )
    with pytest.warns(ScaleWarning, match=r"column 4 .*standardize=True"):
        LinearSVC().fit(X, y)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"C": 0}, "C=0 is out of range"),
        ({"C": "a"}, "C='a'"),
        ({"penalty": "l1", "loss": "hinge"}, "penalty='l1' goes with loss='squared_hinge'"),
        ({"penalty": "l1", "C": np.inf}, "C=inf, the hard margin, is for penalty='l2'"),
        ({"penalty": "l1", "intercept_scaling": 0.0}, "intercept_scaling=0.0 is out of range"),
        ({"loss": "hing"}, "Did you mean 'hinge'"),
        ({"multi_class": "ovo"}, "multi_class='ovo' is unknown"),
        ({"dual": "yes"}, "dual='yes' is unknown"),
        ({"tol": 0}, "tol=0"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"time_limit": -1}, "time_limit=-1"),
        ({"standardize": True, "fit_intercept": False}, "moves the origin"),
    ],
)
def test_words_for_wrong_parameters(settings, words):
    X, y = blobs(n=20)
    with pytest.raises(ValueError, match=words):
        LinearSVC(**settings).fit(X, y)


def test_degenerate_rows():
    X, y = blobs(n=40)
    with pytest.raises(ValueError, match="greater than one"):
        LinearSVC().fit(X, np.zeros(40))
    with pytest.raises(ValueError, match="belong to the same class"):
        LinearSVC().fit(X, y, sample_weight=(y == 0).astype(float))
    with pytest.raises(ValueError, match="beyond what can be computed"):
        LinearSVC().fit(X * 1e200, y)
    constant = LinearSVC().fit(np.ones((40, 3)), y)
    assert np.allclose(constant.coef_, 0, atol=1e-9)
    tiny = LinearSVC(loss="hinge").fit(X * 1e-200, y)
    assert np.isfinite(tiny.coef_).all()
    twins = LinearSVC(loss="hinge").fit(np.repeat(X, 2, axis=0), np.tile([0, 1], 40))
    assert np.isfinite(twins.coef_).all()
    one = LinearSVR().fit(X[:1], [3.0])
    assert one.predict(X[:1]) == pytest.approx(3.0)
    assert LinearSVR().fit(X, np.full(40, 2.0)).predict(X) == pytest.approx(2.0)
    with pytest.raises(ValueError, match="finite C"):
        LinearSVR(C=np.inf).fit(X, y)
