"""The section of gradient boosting: losses, gains, and shapes or partial dependence."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from markupsafe import Markup
from tests.estimators.test_hist_gradient_boosting import mixed

from hedgerow import DecisionTreeClassifier, HistGradientBoostingClassifier
from hedgerow.report import charts
from hedgerow.report.sections.gradient_boosting import context, summarize
from hedgerow.table import to_table


def trained(model):
    frame, y = mixed(300)
    classes, codes = np.unique(y, return_inverse=True)
    rows = SimpleNamespace(table=to_table(frame), target=codes, weight=None)
    goal = SimpleNamespace(classes=classes)
    fitted = model.fit(rows.table, y)
    return SimpleNamespace(estimator=fitted, inner_rows=rows, loaded=SimpleNamespace(goal=goal))


@pytest.mark.parametrize("settings", [{"max_depth": 1}, {"early_stopping": True, "random_state": 0}])
def test_curves_are_shapes_of_an_additive_model_and_else_partial_dependence(settings):
    found = summarize(trained(HistGradientBoostingClassifier(max_iter=12, **settings)))
    assert found["is_additive"] == ("max_depth" in settings)
    assert len(found["train"]) == found["n_rounds"] + 1
    assert bool(found["test"]) == ("early_stopping" in settings)
    assert {one["name"] for one in found["curves"]} <= {"age", "town"}
    for one in found["curves"]:
        sizes = {len(one[name]) for name in ("y", "low", "high")}
        assert sizes == {len(one["levels"]) or len(one["x"])}
        assert isinstance(charts.column(one), Markup)
    shown = context(SimpleNamespace(extra={"gradient_boosting": found}))["g"]
    assert shown["measure"] == "mean log loss"
    assert "rounds" in charts.losses(shown)
    assert "town" in charts.shares(found["gains"])


def test_an_additive_model_shows_every_curve():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    y = (X.sum(axis=1) > 0).astype(np.int64)
    rows = SimpleNamespace(table=to_table(X), target=y, weight=None)
    model = HistGradientBoostingClassifier(max_depth=1, max_iter=60).fit(rows.table, y)
    goal = SimpleNamespace(classes=np.array([0, 1]))
    found = summarize(SimpleNamespace(estimator=model, inner_rows=rows, loaded=SimpleNamespace(goal=goal)))
    assert len(found["curves"]) == 8


def test_other_models_have_no_such_section():
    assert summarize(trained(DecisionTreeClassifier())) is None
    assert context(SimpleNamespace(extra={})) is None


def test_a_mean_outside_the_span_of_most_rows_stays_on_the_page():
    """Of a rare class, whose probability is near 0 for most rows."""
    one = {"levels": ["a", "b"], "x": [], "y": [0.02, 0.4], "low": [0.0, 0.0], "high": [0.001, 0.003]}
    drawn = str(charts.column(one))
    assert max(float(width) for width in re.findall(r"width:([\d.]+)%", drawn)) <= 100


def test_squared_errors_are_drawn_by_their_roots():
    """In the units of the target: prices have squares of 1e10. The loss of a row is half its squared error."""
    found = {"loss": "squared error", "train": [2e10, 5e9], "test": [4.5e10], "best": 0}
    shown = context(SimpleNamespace(extra={"gradient_boosting": found}))["g"]
    assert shown["measure"] == "root mean squared error"
    assert shown["train"] == [2e5, 1e5]
    assert "100,000" in charts.losses(shown)
    assert "e+" not in charts.losses(shown)
