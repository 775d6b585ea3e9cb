"""Loss x weak learner x how alpha is found x how classes are combined: each works, or is refused with a way out."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris

from hedgerow import AdaBoostClassifier
from hedgerow.boost.sgd import Descent
from hedgerow.boost.weak.linear import Linear
from hedgerow.boost.weak.neuron import Neuron

pytestmark = pytest.mark.slow

QUICK = Descent(steps=60)
LEARNERS = {
    "stump": ("stump", "discrete"),
    "silent stump": ("stump", "abstaining"),
    "sure stump": ("stump", "confident"),
    "tree": ("tree", "discrete"),
    "sure tree": ("tree", "confident"),
    "c45": ("c45", "discrete"),
    "sure c45": ("c45", "confident"),
    "word": ("word", "discrete"),
    "silent word": ("word", "abstaining"),
    "sure word": ("word", "confident"),
    "plane": (Linear(delta=0.0, descent=QUICK), "discrete"),
    "silent plane": (Linear(delta=0.2, descent=QUICK), "abstaining"),
    "sure plane": (Linear(delta=0.1, soft=True, descent=QUICK), "confident"),
    "neuron": (Neuron(starts=1, descent=QUICK), "confident"),
}


def rows(learner, n_classes):
    x, y = load_iris(return_X_y=True)
    kept = (y < n_classes) if n_classes == 3 else (y > 0)
    x, y = x[kept][::2], y[kept][::2]
    return (csr_array(x > np.median(x, axis=0)).astype(float) if "word" in learner else x), y


def refusal(model, x, y):
    try:
        model.fit(x, y)
    except ValueError as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_every_combination(learner, loss):
    estimator, predictions = LEARNERS[learner]
    worked = 0
    for alpha, (n_classes, multi_class) in product(
        ["one", "two", "search", "own", None], [(2, None), (3, "samme"), (3, "vote"), (3, "mh"), (3, None)]
    ):
        x, y = rows(learner, n_classes)
        model = AdaBoostClassifier(
            estimator,
            n_estimators=3,
            predictions=predictions,
            loss=loss,
            alpha=alpha,
            multi_class=multi_class,
            random_state=0,
        )
        refused = refusal(model, x, y)
        if refused:
            assert "Use " in refused
            assert n_classes == 3
            continue
        worked += 1
        shares = model.predict_proba(x)
        assert np.isfinite(model.decision_function(x)).all()
        assert shares.sum(axis=1) == pytest.approx(1)
        assert model.score(x, y) > 0.9 / n_classes
        *_, last = model.staged_predict(x)
        assert np.array_equal(last, model.predict(x))
        table = model.diagnose(x, y).rounds
        if alpha != "own" and loss == "exponential":
            assert (table.error <= table.bound + 1e-9).all()
    assert worked >= 10  # two classes, and one class against the rest, with every alpha
