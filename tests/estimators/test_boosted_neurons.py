"""BoostedNeuronsClassifier: scikit-learn's checks, and what it promises beyond them."""

import json
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons
from tests.estimators.checks import parametrize_checks

from hedgerow import BoostedNeuronsClassifier, datasets, load, save
from hedgerow.boost import scores
from hedgerow.boost.network import Network

QUICK = {"n_estimators": 6, "n_steps": 100, "random_state": 0}
ESTIMATORS = [
    BoostedNeuronsClassifier(n_estimators=10, n_steps=200),
    BoostedNeuronsClassifier(
        n_estimators=6,
        n_steps=200,
        activation="soft_threshold",
        delta=0.2,
        loss="logistic",
        sampling="weights",
        fine_tune=5,
    ),
]


@pytest.mark.slow
@parametrize_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)


def moons(n=300, seed=0):
    return make_moons(n, noise=0.2, random_state=seed)


def rings(n=300, seed=0):
    """Three classes, one around the other."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    return x, np.digitize((x**2).sum(axis=1), [0.7, 2.2])


@pytest.mark.parametrize("activation", ["tanh", "soft_threshold"])
def test_it_bends_where_a_plane_cannot(activation):
    X, y = moons()
    model = BoostedNeuronsClassifier(n_estimators=30, activation=activation, random_state=0).fit(X, y)
    assert model.score(*moons(1000, 1)) > 0.94


@pytest.mark.slow
def test_three_classes_one_against_the_rest():
    X, y = rings()
    model = BoostedNeuronsClassifier(n_estimators=25, random_state=0).fit(X, y)
    assert model.network_.n_units == 3 * len(model.rounds_)
    assert model.decision_function(X).shape == (300, 3)
    assert model.score(*rings(1000, 1)) > 0.85
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize("data", [moons, rings])
def test_the_network_answers_as_the_rounds_do(data):
    X, y = data()
    model = BoostedNeuronsClassifier(**QUICK).fit(X, y)
    new = data(50, 3)[0]
    wanted = scores(model.rounds_, model._judged_rows(new))
    np.testing.assert_allclose(model.network_.scores(new), wanted, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(model.to_network().hidden, model.network_.hidden)


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
@pytest.mark.parametrize("data", [moons, rings])
def test_fine_tuning_lowers_the_training_loss(data, loss):
    X, y = data()

    def training_loss(model):
        f = model.decision_function(X).reshape(len(X), -1)
        margins = f * np.where(y[:, None] == (np.arange(3) if f.shape[1] > 1 else [1]), 1, -1)
        return np.mean(np.exp(-margins) if loss == "exponential" else np.logaddexp(0, -margins))

    plain = BoostedNeuronsClassifier(**QUICK, loss=loss).fit(X, y)
    tuned = BoostedNeuronsClassifier(**QUICK, loss=loss, fine_tune=20).fit(X, y)
    assert training_loss(tuned) < training_loss(plain)
    assert tuned.network_.n_units == plain.network_.n_units


def test_rows_in_any_order_or_repeated_give_the_same_network():
    X, y = moons(120)
    weight = np.random.default_rng(1).integers(0, 4, 120)
    order = np.random.default_rng(2).permutation(120)
    model = BoostedNeuronsClassifier(**QUICK)
    one = clone(model).fit(X[order], y[order], sample_weight=weight[order])
    two = clone(model).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(one.network_.hidden, two.network_.hidden, rtol=1e-10)
    np.testing.assert_allclose(one.decision_function(X), two.decision_function(X), rtol=1e-9)


def test_scales_of_columns_do_not_matter():
    X, y = moons(150)
    one = BoostedNeuronsClassifier(**QUICK).fit(X, y)
    two = BoostedNeuronsClassifier(**QUICK).fit(X * [1024, 2.0**-20], y)
    np.testing.assert_array_equal(
        np.sort(one.decision_function(X)), np.sort(two.decision_function(X * [1024, 2.0**-20]))
    )


def test_any_number_of_threads_gives_the_same_bits():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7000, 30))  # enough cells to be worth a thread
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    models = [
        BoostedNeuronsClassifier(n_estimators=2, random_state=0, n_jobs=k).fit(X, y) for k in (1, 2, 3, 8)
    ]
    for model in models[1:]:
        np.testing.assert_array_equal(model.network_.hidden, models[0].network_.hidden)


def test_categories_missing_cells_and_levels_never_seen():
    heart = datasets.heart()
    model = BoostedNeuronsClassifier(**QUICK).fit(heart.table, heart.target)
    assert any("=" in name for name in model.network_.inputs.names)
    assert model.score(heart.table, heart.target) > 0.8
    frame = heart.frame().head(5).to_pandas().drop(columns=heart.target_name)
    for name in frame.columns:
        if frame[name].dtype.name in ("object", "category", "str"):
            frame[name] = ["never seen"] * 5
        else:
            frame[name] = np.nan
    np.testing.assert_allclose(model.decision_function(frame), model.decision_function(frame)[0])


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_huge_and_tiny_numbers(size):
    X, y = moons(80)
    model = BoostedNeuronsClassifier(**QUICK).fit(X * size, y)
    assert np.isfinite(model.decision_function(X * size)).all()
    assert model.score(X * size, y) > 0.8


def test_constant_columns_and_nothing_to_learn():
    y = np.array([0, 1] * 10)
    model = BoostedNeuronsClassifier(**QUICK).fit(np.ones((20, 2)), y)
    np.testing.assert_allclose(model.predict_proba(np.ones((3, 2))), 0.5, atol=0.02)


@pytest.mark.slow
def test_wrong_labels_weigh_less_with_the_logistic_loss():
    X, y = moons(300)
    flipped = np.where(np.random.default_rng(0).random(300) < 0.1, 1 - y, y)
    weights = []
    for loss in ("exponential", "logistic"):
        model = BoostedNeuronsClassifier(n_estimators=20, random_state=0, loss=loss).fit(X, flipped)
        found = model.diagnose(X, flipped)
        weights.append(found.heaviest.weight[:5].sum())
    assert weights[1] < weights[0]


def test_it_is_diagnosed():
    X, y = moons(200)
    model = BoostedNeuronsClassifier(**QUICK).fit(X, y)
    found = model.diagnose(X, y, test=moons(100, 1))
    assert (found.rounds.error <= found.rounds.bound).all()
    assert len(found.rounds.test_error) == len(model.rounds_)
    assert "x1" in str(model.diagnostics_)
    row = found.heaviest.row[0]
    assert found.heaviest.label[0] == str(y[row])
    assert found.heaviest.taken_for[0] == str(model.predict(X[row : row + 1])[0])
    with pytest.raises(ValueError, match=r"not the rows the model was fitted on.*test="):
        model.diagnose(*moons(200, 5))
    with pytest.raises(ValueError, match="not the rows the model was fitted on"):
        model.diagnose(X[:50], y[:50])
    with pytest.raises(ValueError, match="which is no class"):
        model.diagnose(X, np.full(200, 7))


def test_the_rounds_are_drawn():
    X, y = moons(60)
    figure = BoostedNeuronsClassifier(**QUICK).fit(X, y).draw_rounds(X, y, most=2)
    assert len(figure.axes) == 3


def test_the_network_leaves_as_json():
    X, y = rings(100)
    model = BoostedNeuronsClassifier(**QUICK).fit(X, y)
    again = Network.from_dict(json.loads(json.dumps(model.network_.to_dict())))
    np.testing.assert_array_equal(model.classes_[again.choices(X)], model.predict(X))


def test_it_can_be_pickled():
    X, y = moons(60)
    model = BoostedNeuronsClassifier(**QUICK).fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), model.predict_proba(X))


def test_a_model_file_keeps_the_network_and_not_the_rounds(tmp_path):
    X, y = moons(60)
    model = BoostedNeuronsClassifier(**QUICK).fit(X, y)
    save(model, tmp_path / "model.hedgerow")
    again = load(tmp_path / "model.hedgerow")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    with pytest.raises(ValueError, match="Fit it anew to diagnose it"):
        again.diagnose(X, y)
    with pytest.raises(ValueError, match="does not keep the rounds"):
        again.diagnostics_.rules  # noqa: B018


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n_estimators": 0}, "n_estimators=0 is out of range"),
        ({"activation": "tahn"}, "Did you mean 'tanh'"),
        ({"delta": -1}, "delta=-1 is out of range"),
        ({"loss": "hinge"}, "loss='hinge' is unknown. Known: exponential, logistic"),
        ({"sampling": "bootstrap"}, "Known: weights, draws"),
        ({"fine_tune": True}, "fine_tune=True is out of range"),
        ({"step_size": 0.0}, "step_size=0.0 is out of range"),
        ({"starts": 1.5}, "starts=1.5 is out of range"),
    ],
)
def test_parameters_are_checked(change, words):
    with pytest.raises(ValueError, match=words):
        BoostedNeuronsClassifier(**change).fit(*moons(20))


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="needs at least two classes, but y has one class only: 'a'"):
        BoostedNeuronsClassifier().fit(np.ones((3, 1)), ["a"] * 3)
