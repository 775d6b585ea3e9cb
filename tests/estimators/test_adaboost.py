"""AdaBoostClassifier: against scikit-learn's, with every choice, and what it refuses."""

import pickle
import sys

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array
from sklearn import ensemble, tree
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from tests.interrupted import said_when_interrupted

from hedgerow import AdaBoostClassifier, AdaBoostRegressor, DecisionTreeClassifier, datasets
from hedgerow.boost.weak.stump import Stump


def jittered(loader):
    """No two cells alike, so that no split is tied."""
    x, y = loader(return_X_y=True)
    return (x + np.random.default_rng(0).normal(size=x.shape) * 1e-4).astype(np.float32), y


@pytest.mark.parametrize("loader", [load_breast_cancer, load_wine])
@pytest.mark.parametrize(
    "base", [Stump(criterion="gini"), DecisionTreeClassifier(max_depth=1)], ids=["stump", "tree"]
)
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_equal_to_scikit_learn_round_by_round(loader, base, rate):
    x, y = jittered(loader)
    theirs = ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(max_depth=1), n_estimators=40, learning_rate=rate, random_state=0
    ).fit(x, y)
    ours = AdaBoostClassifier(base, n_estimators=40, learning_rate=rate, over_half="stop").fit(x, y)
    assert ours.estimator_errors_ == pytest.approx(theirs.estimator_errors_, abs=1e-12)
    assert ours.estimator_weights_ == pytest.approx(theirs.estimator_weights_, abs=1e-9)
    assert np.array_equal(ours.predict(x), theirs.predict(x))
    for one, other in zip(ours.staged_predict(x), theirs.staged_predict(x), strict=True):
        assert np.array_equal(one, other)
    if loader is load_breast_cancer:
        assert 4 * ours.decision_function(x) / ours.estimator_weights_.sum() == pytest.approx(
            theirs.decision_function(x)
        )


def test_equal_weights_round_by_round():
    """The weights themselves, which scikit-learn keeps to itself: given to each stump, they must give its error."""
    x, y = jittered(load_breast_cancer)
    theirs = ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(max_depth=1), n_estimators=10, random_state=0
    )
    theirs.fit(x, y)
    weight = np.full(len(y), 1 / len(y))
    for rounds in range(1, 10):
        wrong = theirs.estimators_[rounds - 1].predict(x) != y
        weight = weight * np.exp(theirs.estimator_weights_[rounds - 1] * wrong)
        weight /= weight.sum()
        ours = AdaBoostClassifier(Stump(criterion="gini"), n_estimators=rounds).fit(x, y)
        assert ours.rounds_.weight[:, 0] == pytest.approx(weight, rel=1e-9)


CHOICES = [
    {},
    {"predictions": "abstaining"},
    {"predictions": "confident"},
    {"predictions": "confident", "alpha": "search"},
    {"loss": "logistic"},
    {"alpha": "two", "multi_class": "mh"},
    {"smoothing": 0.01, "learning_rate": 0.3},
    {"multi_class": "vote"},
    {"multi_class": "mh"},
    {"over_half": "reset"},
    {"estimator": "tree"},
    {"estimator": "tree", "predictions": "confident", "loss": "logistic"},
    {"estimator": "c45"},
    {"estimator": "linear", "predictions": "abstaining"},
    {"estimator": DecisionTreeClassifier(max_depth=2), "predictions": "confident"},
    {"estimator": DecisionTreeClassifier(max_depth=2, splitter="random")},
    {"estimator": GaussianNB()},
    {"estimator": GaussianNB(), "predictions": "confident", "n_estimators": 5},
    {"estimator": tree.DecisionTreeClassifier(max_depth=2), "predictions": "abstaining"},
    {"estimator": KNeighborsClassifier(9, algorithm="kd_tree"), "n_estimators": 2},
    {"estimator": SGDClassifier(loss="hinge"), "predictions": "confident"},
]


@pytest.mark.parametrize("loader", [load_breast_cancer, load_iris])
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_every_choice_learns(loader, choice):
    x, y = loader(return_X_y=True)
    model = AdaBoostClassifier(**{"n_estimators": 12, "random_state": 0, **choice}).fit(x, y)
    assert model.score(x, y) > 0.85
    probabilities = model.predict_proba(x)
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert (
        np.array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(x))
        or len(model.classes_) == 2
    )
    *_, last = model.staged_decision_function(x)
    assert model.decision_function(x) == pytest.approx(last, abs=1e-9)
    assert len(list(model.staged_predict_proba(x))) == len(model.rounds_) == len(model.estimators_)
    assert model.rounds_.rounds[-1].error == pytest.approx(1 - model.score(x, y))
    for round in model.rounds_.rounds:
        if model.rounds_.form == "signs" and len(model.classes_) == 2:
            assert round.error <= round.loss / (np.log(2) if model.loss == "logistic" else 1) + 1e-9
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.decision_function(x), model.decision_function(x))


def test_says_whether_it_gave_weights_or_drew_rows():
    x, y = load_iris(return_X_y=True)
    given = AdaBoostClassifier(GaussianNB(), n_estimators=2).fit(x, y)
    drawn = AdaBoostClassifier(KNeighborsClassifier(), n_estimators=2, random_state=0).fit(x, y)
    assert (given.weighting_, drawn.weighting_) == ("weights", "resampling")
    assert "given the weights" in given.to_text()
    assert "rows drawn by weight" in drawn.to_text()
    assert "Ended: " in drawn.to_text()


def test_drawn_rows_follow_the_weights():
    x = np.arange(40.0)[:, None]
    y = (x[:, 0] >= 20).astype(int)
    weight = np.where(x[:, 0] < 10, 100.0, 0.001)
    weight[30:] = 100.0

    class Remembers(KNeighborsClassifier):
        def fit(self, X, y):
            self.seen_ = X[:, 0]
            return super().fit(X, y)

    model = AdaBoostClassifier(Remembers(3), n_estimators=1, random_state=0).fit(x, y, sample_weight=weight)
    seen = model.estimators_[0].seen_
    assert np.mean((seen < 10) | (seen >= 30)) == 1


def test_missing_cells_and_categories():
    """hedgerow's own learners take them as they are; another base is given X itself."""
    titanic = datasets.titanic()
    frame, y = titanic.frame().drop("survived"), np.asarray(titanic.target)
    for base in ("stump", "tree", "c45"):
        model = AdaBoostClassifier(base, n_estimators=20).fit(frame, y)
        assert model.score(frame, y) > 0.77
    x = np.where(
        np.random.default_rng(0).random((300, 4)) < 0.2,
        np.nan,
        np.random.default_rng(1).normal(size=(300, 4)),
    )
    labels = (np.nan_to_num(x[:, 0]) > 0).astype(int)
    model = AdaBoostClassifier(HistGradientBoostingClassifier(max_iter=3), n_estimators=3).fit(x, labels)
    assert model.score(x, labels) > 0.9
    with pytest.raises(ValueError, match="NaN"):
        AdaBoostClassifier(LogisticRegression()).fit(x, labels)


def test_sparse_counts():
    rng = np.random.default_rng(0)
    dense = rng.poisson(0.3, (200, 30)).astype(float)
    y = np.where(dense[:, 3] + dense[:, 7] > 0, "spam", "ham")
    words = [f"word{j}" for j in range(30)]
    words[3] = "money"
    for predictions in ("discrete", "abstaining", "confident"):
        model = AdaBoostClassifier("word", n_estimators=15, predictions=predictions, feature_names=words)
        model.fit(csr_array(dense), y)
        assert model.score(csr_array(dense), y) > 0.95
        assert np.array_equal(model.predict(dense), model.predict(csr_array(dense).tocsc()))
        assert "contains 'money'" in str(model.diagnostics_)
        assert model.feature_importances_[[3, 7]].sum() > 0.5
    other = AdaBoostClassifier(LogisticRegression(), n_estimators=3).fit(csr_array(dense), y)
    assert other.score(csr_array(dense), y) > 0.9
    stumps = AdaBoostClassifier().fit(csr_array(dense), y)
    assert np.array_equal(
        stumps.decision_function(csr_array(dense)),
        AdaBoostClassifier().fit(dense, y).decision_function(dense),
    )


@pytest.mark.parametrize(
    "choice", [{}, {"predictions": "confident"}, {"estimator": "tree"}, {"multi_class": "mh"}]
)
def test_threads_do_not_change_the_model(choice):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30_000, 8)).astype(np.float32)
    y = np.digitize(x[:, 0] + x[:, 1] ** 2 + rng.normal(size=30_000), [0, 1.5])
    found = []
    for jobs in (1, 2, 3, 8):
        model = AdaBoostClassifier(n_estimators=4, n_jobs=jobs, **choice).fit(x, y)
        found.append((model.decision_function(x).tobytes(), model.rounds_.weight.tobytes()))
    assert all(one == found[0] for one in found)


def test_early_stopping():
    x, y = load_breast_cancer(return_X_y=True)
    share = AdaBoostClassifier(n_estimators=500, early_stopping=True, n_iter_no_change=5, random_state=0).fit(
        x, y
    )
    assert len(share.rounds_) < 500
    assert "has not fallen for 5 rounds" in share.stopped_
    own = AdaBoostClassifier(n_estimators=500, n_iter_no_change=5).fit(
        x[:400], y[:400], validation=(x[400:], y[400:])
    )
    errors = [round.checked for round in own.rounds_.rounds]
    assert 1 - own.score(x[400:], y[400:]) == pytest.approx(min(errors))
    assert own.diagnose(x[:400], y[:400]).rounds is not None
    assert share.diagnose(x, y).rounds is not None
    with pytest.raises(ValueError, match="no class"):
        own.fit(x[:400], y[:400], validation=(x[400:], y[400:] + 7))


def test_warm_start():
    x, y = load_iris(return_X_y=True)
    whole = AdaBoostClassifier(n_estimators=20).fit(x, y)
    steps = AdaBoostClassifier(n_estimators=5, warm_start=True).fit(x, y)
    steps.set_params(n_estimators=20).fit(x, y)
    assert steps.estimator_weights_ == pytest.approx(whole.estimator_weights_)
    with pytest.raises(ValueError, match="fewer than the 20 rounds"):
        steps.set_params(n_estimators=3).fit(x, y)
    with pytest.raises(ValueError, match="other classes"):
        steps.set_params(n_estimators=30).fit(x, y > 0)


def test_weights_of_zero_and_of_two():
    x, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    for choice in ({}, {"predictions": "confident"}, {"estimator": "tree", "predictions": "confident"}):
        weighed = AdaBoostClassifier(n_estimators=8, **choice).fit(x, y, sample_weight=weight)
        repeated = AdaBoostClassifier(n_estimators=8, **choice).fit(
            np.repeat(x, weight.astype(int), axis=0), np.repeat(y, weight.astype(int))
        )
        assert weighed.decision_function(x) == pytest.approx(repeated.decision_function(x), abs=1e-6)


def test_a_refused_warm_start_leaves_the_model_as_it_was():
    x, y = load_iris(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=3, warm_start=True).fit(x, y)
    said = model.predict(x)
    with pytest.raises(ValueError, match="other classes"):
        model.fit(x, y + 5)
    assert np.array_equal(model.predict(x), said)


LONG_FIT = """
from hedgerow import AdaBoostClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(60_000, 20))
y = rng.integers(0, 2, len(X))
base, predictions, jobs = sys.argv[1:]
model = AdaBoostClassifier(base, predictions=predictions, n_estimators=10**6, max_depth=9, n_jobs=int(jobs))
given = (X, y)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize("choice", ["stump discrete 1", "stump confident 2", "tree confident 2"])
def test_ctrl_c_ends_a_long_fit(choice):
    assert said_when_interrupted(LONG_FIT, "rounds_", *choice.split()) == "interrupted False\n"


def test_importances():
    x, y = load_breast_cancer(return_X_y=True)
    for base in ("stump", "tree", DecisionTreeClassifier(max_depth=2, splitter="random")):
        shares = AdaBoostClassifier(base, n_estimators=5).fit(x, y).feature_importances_
        assert shares.shape == (30,)
        assert shares.sum() == pytest.approx(1)
    with pytest.raises(AttributeError, match="does not say"):
        _ = AdaBoostClassifier(GaussianNB(), n_estimators=2).fit(x, y).feature_importances_


REFUSED = [
    ({"estimator": "stamp"}, ValueError, "Did you mean 'stump'"),
    ({"estimator": 3}, TypeError, "is no classifier"),
    (
        {"estimator": "tree", "predictions": "abstaining"},
        ValueError,
        "discrete or confident predictions, not abstaining",
    ),
    ({"estimator": "neuron"}, ValueError, "gives confident predictions, not discrete"),
    ({"predictions": "real"}, ValueError, "discrete, abstaining, confident"),
    ({"loss": "hinge"}, ValueError, "exponential, logistic"),
    ({"alpha": "three"}, ValueError, "alpha='three' is unknown"),
    ({"alpha": "two"}, ValueError, "multi_class='mh'"),
    ({"multi_class": "vote", "predictions": "confident"}, ValueError, "needs a learner that chooses"),
    ({"multi_class": "samme", "estimator": "linear"}, ValueError, "needs a learner that chooses"),
    ({"n_estimators": 0}, ValueError, "n_estimators=0 is out of range"),
    ({"learning_rate": 0.0}, ValueError, "learning_rate=0.0 is out of range"),
    ({"smoothing": -1}, ValueError, "smoothing=-1 is out of range"),
    ({"over_half": "flip"}, ValueError, "negate, reset, stop"),
    ({"feature_names": ["a"]}, ValueError, "has 1 names, but X has 4 columns"),
    ({"validation_fraction": 2}, ValueError, "validation_fraction=2 is out of range"),
    ({"smoothing": 0.0, "predictions": "confident"}, ValueError, "infinitely sure"),
    ({"estimator": KNeighborsClassifier(1000)}, ValueError, "round 1: the weak learner KNeighborsClassifier"),
]


@pytest.mark.parametrize(("choice", "error", "words"), REFUSED, ids=str)
def test_refused(choice, error, words):
    x, y = load_iris(return_X_y=True)
    with pytest.raises(error, match=words):
        AdaBoostClassifier(**choice).fit(x, y)


def test_a_single_class_is_predicted_always():
    x, y = load_iris(return_X_y=True)
    model = AdaBoostClassifier().fit(x, np.full(len(y), "a"))
    assert (model.predict(x) == "a").all()
    assert (model.predict_proba(x) == np.ones((len(x), 1))).all()
    assert len(model.estimators_) == 0
    assert "nothing to boost" in model.stopped_


@pytest.mark.parametrize("classes", [2, 3])
def test_members_predict(classes):
    x, y = load_iris(return_X_y=True)
    x, y = x[y < classes], np.array(["a", "b", "c"])[y[y < classes]]
    model = AdaBoostClassifier(n_estimators=1).fit(x, y)
    assert (model.estimators_[0].predict(x) == model.predict(x)).all()


def test_importance_and_members_of_a_regression():
    x, y = load_diabetes(return_X_y=True)
    model = AdaBoostRegressor(n_estimators=5).fit(x, y)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.feature_importances_.argmax() in (2, 8)
    one = AdaBoostRegressor(n_estimators=1).fit(x, y)
    np.testing.assert_allclose(one.estimators_[0].predict(x), one.predict(x))
    theirs = AdaBoostRegressor(tree.DecisionTreeRegressor(max_depth=3), n_estimators=5).fit(x, y)
    np.testing.assert_allclose(theirs.feature_importances_, model.feature_importances_, atol=0.05)


def test_bad_rows():
    x, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="one class only"):
        AdaBoostClassifier().fit(x, y, sample_weight=(y == 1).astype(float))
    with pytest.raises(ValueError, match="Negative weights"):
        AdaBoostClassifier().fit(x, y, sample_weight=-np.ones(len(y)))
    model = AdaBoostClassifier(n_estimators=3).fit(x, y)
    with pytest.raises(ValueError, match="3 features"):
        model.predict(x[:, :3])


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_huge_and_tiny_cells_and_weights(scale):
    x, y = load_iris(return_X_y=True)
    plain = AdaBoostClassifier(n_estimators=6).fit(x, y)
    scaled = AdaBoostClassifier(n_estimators=6).fit(x * scale, y, sample_weight=np.full(len(y), scale))
    assert np.array_equal(scaled.predict(x * scale), plain.predict(x))


def test_one_column_that_never_changes():
    y = np.array([0, 1, 1, 1, 0, 1])
    model = AdaBoostClassifier().fit(np.ones((6, 2)), y)
    assert model.predict(np.ones((2, 2))).tolist() == [1, 1]
    assert "right as often as wrong" in model.stopped_


@pytest.mark.parametrize("names", [["ham", "spam"], ["z", "a"], [1, 0]])
@pytest.mark.parametrize("multi_class", [None, "mh"])
def test_rows_of_which_nothing_is_said_get_the_most_frequent_class(names, multi_class):
    """Two words that speak for ham; 85 of 100 letters are spam and have neither. Whatever the classes are called."""
    X = np.zeros((100, 2))
    X[:10, 0], X[8:15, 1] = 1, 1
    y, rows, silent = np.array(names)[[0] * 15 + [1] * 85], csr_array(X), ~X.any(axis=1)
    model = AdaBoostClassifier("word", predictions="abstaining", multi_class=multi_class, n_estimators=2)
    model.fit(rows, y)
    assert model.score(rows, y) == 1.0
    assert model.rounds_.rounds[-1].error == 0.0
    np.testing.assert_array_equal(model.abstains(rows), silent)
    shares = np.array([0.15, 0.85])[np.argsort(names)]
    np.testing.assert_allclose(model.predict_proba(rows)[silent], np.tile(shares, (85, 1)))
    assert (model.predict(rows, abstain="unsure")[silent] == "unsure").all()
    assert (model.predict(rows, abstain=-1)[silent] == -1).all()


def test_two_alphas_are_those_of_the_formula():
    """Eight of ten right where the stump says yes, seven of ten where it says no: 1/2 log(8/2) and 1/2 log(7/3)."""
    X = np.repeat([1.0, 0.0], 10)[:, None]
    y = np.repeat([1, 0, 0, 1], [8, 2, 7, 3])
    round = AdaBoostClassifier(alpha="two", n_estimators=1).fit(X, y).rounds_.rounds[0]
    assert (round.alpha, round.alpha_no) == pytest.approx((np.log(4) / 2, np.log(7 / 3) / 2))


def test_members_that_are_trees_are_estimators():
    x, y = load_iris(return_X_y=True)
    model = AdaBoostClassifier("tree", n_estimators=4, max_depth=2, random_state=0).fit(x, y)
    member = model.estimators_[0]
    assert isinstance(member, DecisionTreeClassifier)
    assert tree.export_text(member).startswith("|--- feature")
    assert set(member.predict(x)) <= set(y)
    numbers = AdaBoostRegressor(n_estimators=4, random_state=0).fit(x, y)
    assert len({one.random_state for one in numbers.estimators_}) == len(numbers.estimators_) > 1
    assert tree.export_text(numbers.estimators_[0]).startswith("|--- feature")


class Seen(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        self.seen_ = (type(X), X.shape)
        return super().fit(X.reshape(len(X), -1) if X.ndim > 2 else X, y, sample_weight)

    def predict(self, X):
        return super().predict(X.reshape(len(X), -1) if X.ndim > 2 else X)


def test_rows_are_passed_on_as_they_are():
    x, y = load_iris(return_X_y=True)
    sparse = csc_array(x)
    model = AdaBoostClassifier(Seen(), n_estimators=2, random_state=0).fit(sparse, y)
    assert model.estimators_[0].seen_[0] is csc_array
    pictures = x.reshape(-1, 2, 2)
    model = AdaBoostClassifier(Seen(), n_estimators=2, random_state=0).fit(pictures, y)
    assert model.estimators_[0].seen_[1] == (150, 2, 2)
    assert model.predict(pictures).shape == (150,)


def test_resampled_rounds_are_fitted_to_rows_drawn_by_weight():
    """A row that is never drawn has no say; the weights themselves follow all rows; going on draws anew."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] + 0.5 * rng.normal(size=80) > 0).astype(int)
    model = AdaBoostClassifier(n_estimators=6, sampling="resample", random_state=3).fit(X, y)
    again = AdaBoostClassifier(n_estimators=6, sampling="resample", random_state=3).fit(X, y)
    other = AdaBoostClassifier(n_estimators=6, sampling="resample", random_state=4).fit(X, y)
    assert model.weighting_ == "resampling"
    thresholds = [[weak.threshold for weak in one.estimators_] for one in (model, again, other)]
    assert thresholds[0] == thresholds[1] != thresholds[2]
    for round in model.rounds_.rounds:
        assert round.alpha == pytest.approx(0.5 * np.log(round.right / round.wrong))
    grown = AdaBoostClassifier(n_estimators=3, sampling="resample", random_state=3, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=6).fit(X, y)
    assert [weak.threshold for weak in grown.estimators_][:3] == thresholds[0][:3]
    with pytest.raises(ValueError, match="sampling='draws' is unknown"):
        AdaBoostClassifier(sampling="draws").fit(X, y)
