"""scikit-learn's models as ours: the same predictions, and everything here works on them."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import ensemble, tree
from sklearn.datasets import load_diabetes, load_iris
from sklearn.pipeline import make_pipeline

import hedgerow
from hedgerow.estimators.from_sklearn import TAGS, widen_thresholds
from hedgerow.prune import CostComplexity, Pessimistic


def rows(n: int = 300, gaps: bool = False) -> np.ndarray:
    """On a grid, so that many cells lie at thresholds; between float32 numbers, so that rounding counts."""
    X = np.random.default_rng(0).integers(-8, 8, (n, 4)) / 7.0
    X[::3] += 1e-9
    if gaps:
        X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    return X


def target(X: np.ndarray, classes: int) -> np.ndarray:
    y = np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2]) + np.random.default_rng(2).normal(size=len(X)) * 0.3
    return y if not classes else np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))


def make(name: str) -> Any:
    home = tree if hasattr(tree, name) else ensemble
    few = {"max_iter": 8, "min_samples_leaf": 5} if "Hist" in name else {}
    few = {"n_estimators": 7, "n_jobs": 1} if "Forest" in name or "Trees" in name else few
    return getattr(home, name)(random_state=0, **few)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("name", TAGS)
def test_equal_predictions(name: str, gaps: bool, tmp_path: Path) -> None:
    X = rows(gaps=gaps)
    classes = 3 if "Classifier" in name else 0
    theirs = make(name).fit(X, target(X, classes))
    ours = hedgerow.from_sklearn(theirs)
    new = rows(200) * 1.37 if not gaps else rows(200, gaps)[::-1] * 1.37
    for rows_given in (X, new, np.nextafter(X, np.inf), np.nextafter(X, -np.inf)):
        assert np.array_equal(ours.predict(rows_given), theirs.predict(rows_given))
        if classes:
            wanted, found = theirs.predict_proba(rows_given), ours.predict_proba(rows_given)
            exact = "Hist" not in name  # there an exponential is taken
            assert np.array_equal(found, wanted) if exact else np.allclose(found, wanted, rtol=1e-14, atol=0)
    hedgerow.save(ours, tmp_path / "m.hedgerow")
    assert np.array_equal(hedgerow.load(tmp_path / "m.hedgerow").predict(new), theirs.predict(new))


@pytest.mark.parametrize("frame", ["category", "numbers"])
def test_categories_of_histogram_boosting(frame: str) -> None:
    random = np.random.default_rng(3)
    codes = random.integers(0, 70, 600)
    size = random.normal(size=600)
    y = (codes % 3 == 0) + size > 0.4
    if frame == "category":
        words = np.array([f"word {k}" for k in range(71)])
        X: Any = pd.DataFrame({"size": size, "word": pd.Categorical(words[codes], categories=words)})
        new: Any = X.assign(word=pd.Categorical(words[np.minimum(codes + 1, 70)], categories=words))
        new.loc[::9, "word"] = None
        theirs = ensemble.HistGradientBoostingClassifier(max_iter=5, random_state=0)
    else:
        X = np.column_stack([size, codes.astype(float)])
        new = X + np.array([0.0, 1.0])
        new[::9, 1] = np.nan
        theirs = ensemble.HistGradientBoostingClassifier(max_iter=5, categorical_features=[1], random_state=0)
    theirs.fit(X, y)
    ours = hedgerow.from_sklearn(theirs)
    assert "category" in ours.schema_.kinds
    for rows_given in (X, new):
        assert np.array_equal(ours.decision_function(rows_given), theirs.decision_function(rows_given))


def test_everything_works_on_them() -> None:
    iris = load_iris(as_frame=True)
    theirs = tree.DecisionTreeClassifier(random_state=0).fit(iris.data, iris.target_names[iris.target])
    ours = hedgerow.from_sklearn(theirs)
    assert ours.hedgerow_tree_.n_leaves == theirs.get_n_leaves()
    assert "petal width (cm) <= 0.8" in ours.to_text()
    assert ours.to_svg().startswith("<svg")
    assert "then setosa" in ours.export("rules")
    for form in ("sql", "c", "python"):
        assert ours.export(form)
    smaller = CostComplexity(0.02).prune(ours.hedgerow_tree_)
    assert Pessimistic(raising=False).prune(ours.hedgerow_tree_).n_leaves < theirs.get_n_leaves()
    cut = tree.DecisionTreeClassifier(random_state=0, ccp_alpha=0.02).fit(iris.data, iris.target)
    assert smaller.n_leaves == cut.get_n_leaves()
    assert np.allclose(ours.feature_importances_, theirs.feature_importances_)


@pytest.mark.slow
def test_shapley_values_of_forests_and_boosting() -> None:
    X, y = load_diabetes(return_X_y=True)
    for theirs in (
        ensemble.RandomForestRegressor(5, max_depth=3, random_state=0),
        ensemble.HistGradientBoostingRegressor(max_iter=5, random_state=0),
    ):
        ours = hedgerow.from_sklearn(theirs.fit(X, y))
        assert np.allclose(ours.explain(X[:7]).prediction, theirs.predict(X[:7]))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ensemble.GradientBoostingClassifier(), "GradientBoostingClassifier has no counterpart"),
        (make_pipeline(tree.DecisionTreeClassifier()), r"give the last step: from_sklearn\(pipeline\[-1\]\)"),
        (hedgerow.DecisionTreeClassifier(), "no counterpart here"),
        ("a tree", "A str has no counterpart"),
    ],
)
def test_what_has_no_counterpart(model: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        hedgerow.from_sklearn(model)


def test_several_outputs_are_refused() -> None:
    X = rows(50)
    theirs = tree.DecisionTreeRegressor().fit(X, X[:, :2])
    with pytest.raises(TypeError, match=r"has 2 outputs\. Expected: one target"):
        hedgerow.from_sklearn(theirs)


@given(st.floats(-1e30, 1e30, allow_nan=False), st.floats(-1e30, 1e30, allow_nan=False))
def test_thresholds_as_float32_asks_them(threshold: float, x: float) -> None:
    wide = float(widen_thresholds(np.array([threshold]))[0])
    near = float(np.float32(threshold))
    for cell in (x, threshold, near, wide, np.nextafter(wide, np.inf), np.nextafter(wide, -np.inf)):
        assert (cell <= wide) == (float(np.float32(cell)) <= threshold)
