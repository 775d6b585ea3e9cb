"""Pictures of ensembles: drawn without a display, on an Axes that is given or new, and saying what they should."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.svm import LinearSVC

from hedgerow import (
    BaggingClassifier,
    DecisionTreeClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    compare_max_features,
)
from hedgerow.draw.learning import draw_majority_vote
from hedgerow.draw.plane import draw_boundaries, draw_boundary
from hedgerow.ensemble.diversity import majority_vote_error


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    return X, np.where(X[:, 0] * X[:, 1] > 0, "same", "other")


def rendered(ax):
    ax.figure.canvas.draw()
    return ax


def test_importance(data):
    model = RandomForestClassifier(20, random_state=0).fit(*data)
    for kind in ("impurity", "corrected", "permutation"):
        ax = rendered(model.importance(kind).draw())
        assert [label.get_text() for label in ax.get_yticklabels()] == list(model.importance(kind).top(2))
        assert ("biased" in ax.get_title(loc="left")) == (kind == "impurity")
    assert "1 largest of 2" in model.importance("impurity").draw(most=1).get_title(loc="left")


def test_importance_on_a_given_axes_with_hostile_names():
    X = {"<b>$x_{$": [0.0, 1.0] * 20, "y" * 90: [1.0, 2.0, 3.0, 4.0] * 10}
    model = RandomForestClassifier(5, random_state=0).fit(X, [0, 1] * 20)
    ax = Figure().subplots()
    assert model.importance("impurity").draw(ax=ax) is ax
    assert "<b>$" in str(model.importance("impurity"))
    assert "<b>" not in model.importance("impurity")._repr_html_()


def test_out_of_bag_curve(data):
    model = RandomForestClassifier(30, random_state=0).fit(*data)
    ax = rendered(model.oob_.draw())
    assert len(ax.lines[0].get_xdata()) == 30
    assert "error rate" in ax.get_ylabel()
    X, _ = data
    numbers = RandomForestRegressor(5, random_state=0).fit(X, X[:, 0])
    assert "squared" in rendered(numbers.oob_.draw()).get_ylabel()


def test_explanation(data):
    X, y = data
    found = RandomForestClassifier(5, random_state=0).fit(X, y).explain(X[:2])
    ax = rendered(found.draw(1, "same"))
    assert "probability of same" in ax.get_xlabel()
    numbers = RandomForestRegressor(5, random_state=0).fit(X, X[:, 0]).explain(X[:2])
    assert rendered(numbers.draw()).get_xlabel() == "prediction"


def test_effect_of_m(data):
    X, y = data
    found = compare_max_features(RandomForestClassifier(15, random_state=0), X, y)
    ax = rendered(found.draw())
    assert len(ax.lines) == len(found.effects) == 2
    assert "bagging" in str(found)
    assert "<table>" in found._repr_html_()
    assert found.to_dict()["effects"][0]["m"] == 1
    with pytest.raises(ValueError, match="from 1 to 2"):
        compare_max_features(RandomForestClassifier(5), X, y, values=[3])


def test_boundary_of_any_classifier(data):
    X, y = data
    models = {
        "tree": DecisionTreeClassifier().fit(X, y),
        "bagged": BaggingClassifier(n_estimators=5, random_state=0).fit(X, y),
        "line": LinearSVC().fit(X, y),  # no chances: the distance stands in
    }
    axes = draw_boundaries(models, X, y, steps=40)
    assert [ax.get_title() for ax in axes] == list(models)
    with pytest.raises(ValueError, match="two columns"):
        draw_boundary(models["tree"], np.zeros((3, 3)), [0, 1, 0])


def test_boundary_of_three_classes_from_a_frame():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"left": rng.normal(size=60), "right": rng.normal(size=60)})
    y = np.digitize(frame["left"], [-0.5, 0.5])
    ax = rendered(draw_boundary(DecisionTreeClassifier().fit(frame, y), frame, y, steps=30))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("left", "right")


def test_majority_vote():
    assert len(rendered(draw_majority_vote(lambda n: majority_vote_error(n, 0.35))).lines) == 3
    assert len(rendered(draw_majority_vote(lambda n: majority_vote_error(n, 0.2), most=11)).lines) == 2
