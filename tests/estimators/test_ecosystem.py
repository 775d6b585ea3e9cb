"""The packages around scikit-learn, on our estimators: a test each, skipped where the package is not installed."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from hedgerow import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
    LinearSVC,
    RandomForestClassifier,
    RandomForestRegressor,
    ToNumbers,
)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def table(n=173):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) / 4 > 0).astype(int)


def test_shap():
    """TreeExplainer's values are our own, for trees, forests and their scikit-learn twins."""
    shap = pytest.importorskip("shap")
    X, y = table()
    for model in (DecisionTreeClassifier(max_depth=4), RandomForestClassifier(7, random_state=0)):
        model.fit(X, y)
        values = np.asarray(shap.TreeExplainer(model.to_sklearn()).shap_values(X[:31]))
        assert np.allclose(np.asarray(shap.TreeExplainer(model).shap_values(X[:31])), values)
        if hasattr(model, "explain"):
            np.testing.assert_allclose(values, model.explain(X[:31]).values, atol=1e-6)
    regression = RandomForestRegressor(5, random_state=0).fit(X, X[:, 0] ** 2)
    values = shap.TreeExplainer(regression.to_sklearn()).shap_values(X[:31])
    np.testing.assert_allclose(values, regression.explain(X[:31]).values, atol=1e-5)


def test_dtreeviz():
    dtreeviz = pytest.importorskip("dtreeviz")
    X, y = table()
    model = DecisionTreeClassifier(max_depth=3).fit(X, y).to_sklearn()
    shown = dtreeviz.model(
        model, X, y, feature_names=list("abcd"), target_name="y", class_names=["no", "yes"]
    )
    assert len(shown.shadow_tree.leaves) == model.get_n_leaves()


def test_treelite():
    treelite = pytest.importorskip("treelite")
    X, y = table()
    model = RandomForestClassifier(9, random_state=0).fit(X, y)
    found = treelite.gtil.predict(treelite.sklearn.import_model(model.to_sklearn()), X)
    np.testing.assert_allclose(
        np.asarray(found).reshape(len(X), -1)[:, -1], model.predict_proba(X)[:, 1], atol=1e-6
    )


def test_onnx():
    skl2onnx = pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    X, y = table()
    model = RandomForestClassifier(9, random_state=0).fit(X, y)
    written = skl2onnx.to_onnx(model.to_sklearn(), X[:1], options={"zipmap": False})
    session = runtime.InferenceSession(written.SerializeToString(), providers=["CPUExecutionProvider"])
    labels, proba = session.run(None, {session.get_inputs()[0].name: X})
    assert (labels == model.predict(X)).mean() > 0.99
    np.testing.assert_allclose(proba, model.predict_proba(X), atol=1e-6)


def test_imbalanced_learn():
    pipeline = pytest.importorskip("imblearn.pipeline")
    sampling = pytest.importorskip("imblearn.over_sampling")
    X, y = table()
    kept = (y == 0) | (np.arange(len(y)) % 5 == 0)
    model = pipeline.make_pipeline(
        sampling.RandomOverSampler(random_state=0), DecisionTreeClassifier(max_depth=3)
    )
    assert model.fit(X[kept], y[kept]).score(X, y) > 0.6


def test_optuna():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    X, y = table()

    def score(trial):
        model = DecisionTreeClassifier(max_depth=trial.suggest_int("max_depth", 1, 6))
        return cross_val_score(model, X, y, cv=3).mean()

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(score, n_trials=4)
    assert study.best_value > 0.6


def test_mapie():
    pytest.importorskip("mapie")
    from mapie.regression import SplitConformalRegressor

    X, _ = table(400)
    y = X[:, 0] * 2
    model = RandomForestRegressor(20, random_state=0).fit(X[:200], y[:200])
    conformal = SplitConformalRegressor(model, confidence_level=0.9, prefit=True).conformalize(
        X[200:300], y[200:300]
    )
    _, interval = conformal.predict_interval(X[300:])
    inside = (y[300:] >= interval[:, 0, 0]) & (y[300:] <= interval[:, 1, 0])
    assert inside.mean() > 0.75


def test_feature_engine():
    selection = pytest.importorskip("feature_engine.selection")
    pandas = pytest.importorskip("pandas")
    X, y = table()
    frame = pandas.DataFrame(X, columns=list("abcd"))
    kept = selection.SelectByShuffling(DecisionTreeClassifier(max_depth=3), cv=3, random_state=0).fit(
        frame, y
    )
    assert "a" in kept.transform(frame).columns


def test_skops():
    io = pytest.importorskip("skops.io")
    X, y = table()
    for model in (DecisionTreeClassifier(), RandomForestClassifier(5, random_state=0), LinearSVC()):
        model.fit(X, y)
        stored = io.dumps(model)
        loaded = io.loads(stored, trusted=io.get_untrusted_types(data=stored))
        assert (loaded.predict(X) == model.predict(X)).all()


def test_mlflow(tmp_path):
    mlflow = pytest.importorskip("mlflow.sklearn")
    X, y = table()
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    mlflow.save_model(model, tmp_path / "model", serialization_format="cloudpickle")
    assert (mlflow.load_model(tmp_path / "model").predict(X) == model.predict(X)).all()


def test_cloudpickle():
    cloudpickle = pytest.importorskip("cloudpickle")
    X, y = table()
    for model in (
        DecisionTreeClassifier(),
        RandomForestClassifier(5),
        AdaBoostClassifier(n_estimators=4),
        LinearSVC(),
    ):
        model.fit(X, y)
        assert (pickle.loads(cloudpickle.dumps(model)).predict(X) == model.predict(X)).all()
        assert clone(model).fit(X, y) is not model


def test_joblib_memory_maps(tmp_path):
    joblib = pytest.importorskip("joblib")
    X, y = table()
    for model in (
        DecisionTreeClassifier(),
        RandomForestClassifier(5, random_state=0),
        LinearSVC(),
        ToNumbers(),
    ):
        model.fit(X, y)
        joblib.dump(model, tmp_path / "model")
        mapped = joblib.load(tmp_path / "model", mmap_mode="r")
        ask = "predict" if hasattr(model, "predict") else "transform"
        np.testing.assert_array_equal(getattr(mapped, ask)(X), getattr(model, ask)(X))
    joblib.dump(X, tmp_path / "rows")
    rows = joblib.load(tmp_path / "rows", mmap_mode="r")
    assert (
        DecisionTreeClassifier().fit(rows, y).predict(rows) == DecisionTreeClassifier().fit(X, y).predict(X)
    ).all()
