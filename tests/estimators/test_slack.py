"""Alpha and slack of every row: the formulas by hand, the optimum's conditions, what cannot be said."""

import json

import numpy as np
import pytest

from hedgerow import SVC, SVR, LinearSVC, LinearSVR


def table(n=90, seed=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] - X[:, 1] + 0.7 * rng.normal(size=n)


@pytest.mark.parametrize("weighted", [False, True])
def test_of_two_classes(weighted):
    X, f = table()
    y = np.where(f > 0, "yes", "no")
    weight = np.arange(90) % 3 * 1.0 if weighted else None
    model = SVC(C=2.0, class_weight={"no": 0.5, "yes": 1.0}).fit(X, y, weight)
    found = model.slacks(X, y, sample_weight=weight)
    kept = np.arange(90) if weight is None else np.flatnonzero(weight)
    sign = np.where(y == "yes", 1, -1)[kept]
    assert np.array_equal(found.row, kept)
    assert np.allclose(found.slack, np.maximum(0, 1 - sign * model.decision_function(X)[kept]))
    assert (found.alpha[found.slack > 0.01] > 0).all()
    assert abs((found.alpha * sign).sum()) < 1e-9
    upper = 2.0 * np.where(y == "yes", 1.0, 0.5)[kept] * (1.0 if weight is None else weight[kept])
    assert (found.alpha <= upper + 1e-12).all()
    primal = 0.5 * model.certificate_.each[0].norm ** 2 + upper @ found.slack
    assert primal == pytest.approx(model.certificate_.each[0].primal, rel=1e-6)
    assert set(found.role) == {"outside", "on the margin", "inside", "wrong side"}
    assert "more, of smaller alpha" in str(found)
    assert len(json.loads(json.dumps(found.to_dict()))["alpha"]) == len(kept)


def test_of_a_pair_of_classes():
    X, f = table()
    y = np.digitize(f, [-0.5, 0.5])
    model = SVC().fit(X, y)
    found = model.slacks(X, y, machine=1)  # 0 against 2
    assert set(y[found.row]) == {0, 2}
    assert found.name == " on 0 against 2"
    assert model.certificate_.each[1].n_support == (found.alpha > 0).sum()
    with pytest.raises(ValueError, match="3 binary SVMs, 0 to 2"):
        model.slacks(X, y, machine=3)
    with pytest.raises(ValueError, match="fitted on 90"):
        model.slacks(X[:7], y[:7])


def test_of_numbers():
    X, f = table()
    model = SVR(epsilon=0.2).fit(X, f)
    found = model.slacks(X, f)
    assert np.allclose(found.slack, np.maximum(0, np.abs(f - model.predict(X)) - 0.2))
    assert (
        np.sign(found.alpha[found.slack > 0.01]) == np.sign(f - model.predict(X))[found.slack > 0.01]
    ).all()


def test_a_row_is_on_the_margin_or_pays_nothing_or_pays_all():
    X, f = table()
    y = np.where(f > 0, "yes", "no")
    model = SVC(kernel="linear", C=0.7).fit(X, y)
    found = model.slacks(X, y)
    assert (found.slack[found.alpha < 0.7 - 1e-9] <= 1e-3).all()
    assert ((found.target * found.score)[found.alpha == 0] >= 1 - 1e-3).all()
    assert found.role.count("wrong side") == model.certificate_.each[0].n_misclassified
    ax = found.draw()
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown == ["outside", "on the margin", "inside", "wrong side"]
    assert SVR().fit(X, f).slacks(X, f).draw().get_xlabel() == "target - prediction"


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_of_linear_machines(loss):
    X, f = table()
    y = (f > 0).astype(int)
    model = LinearSVC(C=0.3, loss=loss).fit(X, y)
    found = model.slacks(X, y)
    known = ~np.isnan(found.alpha)
    assert known.mean() > 0.8
    assert loss == "hinge" or known.all()
    made = (found.alpha[known] * found.target[known]) @ X[known]
    if loss == "squared_hinge":
        assert np.allclose(made, model.coef_[0], atol=1e-4)
    loose = LinearSVR(epsilon=0.1, loss="squared_epsilon_insensitive").fit(X, f).slacks(X, f)
    assert np.allclose(loose.alpha, 2 * loose.slack)
