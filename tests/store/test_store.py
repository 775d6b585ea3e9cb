"""What is loaded is what was saved, bit for bit; and a file is replaced whole or not at all."""

import os
import subprocess
import sys
from inspect import isclass
from pathlib import Path

import numpy as np
import pytest
from tests.store.models import Models, every_model, mixed, numbers, target

import hedgerow
from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.estimators.saving import load, save
from hedgerow.store import InvalidModelFile, file, load_state
from hedgerow.store.kind import describe_state, predict_state
from hedgerow.table import to_table
from hedgerow.tree.check import check

FITS = every_model()
MODELS = Models(FITS)
TREES = [name for name, fit in FITS.items() if hasattr(fit.model, "prune")]
each_model = pytest.mark.parametrize("name", MODELS)


@each_model
def test_round_trip_predicts_the_same_bits(name: str, tmp_path: Path) -> None:
    model, rows = MODELS[name]
    save(model, tmp_path / "m.hedgerow")
    again = load(tmp_path / "m.hedgerow")
    first, second = model.predict(rows), again.predict(rows)
    assert type(again) is type(model)
    assert second.dtype == first.dtype
    assert second.tolist() == first.tolist()
    if hasattr(model, "predict_proba"):
        assert again.predict_proba(rows).tobytes() == model.predict_proba(rows).tobytes()


def test_every_estimator_is_among_them() -> None:
    """A new one is saved and loaded here, or this fails."""
    classes = {name: getattr(hedgerow, name) for name in hedgerow.__all__}
    estimators = {name for name, one in classes.items() if isclass(one) and hasattr(one, "predict")}
    fitted = {type(getattr(fit.model, "steps", [("", fit.model)])[-1][1]).__name__ for fit in FITS.values()}
    assert len(estimators) > 15
    assert estimators - fitted == set()
    assert [name for name in estimators if not hasattr(classes[name], "export")] == []


def public(model: object) -> list[str]:
    return sorted(name for name in vars(model) if not name.startswith("_"))


@each_model
def test_the_file_answers_as_the_model_without_scikit_learn(name: str, tmp_path: Path) -> None:
    model, rows = MODELS[name]
    save(model, tmp_path / "m.hedgerow")
    parts = load_state(tmp_path / "m.hedgerow")
    kinds = dict(zip(parts.schema.names, parts.schema.kinds, strict=True))
    known = [column for column, kind in kinds.items() if kind == "category"] if parts.schema.named else None
    values, shares, _ = predict_state(parts, to_table(rows, categories=known), None)
    assert (values if parts.classes is None else parts.classes[values]).tolist() == model.predict(
        rows
    ).tolist()
    assert (shares is None) == (not hasattr(model, "predict_proba"))
    if shares is not None:
        assert shares.tobytes() == model.predict_proba(rows).tobytes()
    assert all(word and saying for word, saying in describe_state(parts))


@pytest.mark.parametrize("name", TREES)
def test_round_trip_keeps_what_a_fitted_tree_has(name: str, tmp_path: Path) -> None:
    model, rows = MODELS[name]
    save(model, tmp_path / "m.hedgerow")
    again = load(tmp_path / "m.hedgerow")
    check(again.hedgerow_tree_)
    np.testing.assert_array_equal(again.apply(rows), model.apply(rows))
    assert again.get_params() == model.get_params()
    assert again.schema_ == model.schema_
    assert again.labels_ == model.labels_
    assert public(again) == public(model)
    assert (again.n_features_in_, again.max_features_) == (model.n_features_in_, model.max_features_)
    assert again.to_text() == model.to_text()


@each_model
def test_saving_again_writes_the_same_bytes(name: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first.hedgerow", tmp_path / "second.hedgerow"
    save(MODELS[name][0], first)
    save(load(first), second)
    assert first.read_bytes() == second.read_bytes()


def test_parameters_that_json_does_not_know(tmp_path: Path) -> None:
    X, y = numbers(), target("bool").astype(int)
    model = DecisionTreeClassifier(
        random_state=np.random.RandomState(1),
        monotonic_cst=np.array([1, 0, -1]),
        class_weight={0: np.float64(1.5), 1: 2},
        max_depth=np.int64(4),
    ).fit(X, y)
    save(model, tmp_path / "m.hedgerow")
    again = load(tmp_path / "m.hedgerow")
    assert again.random_state is None
    assert again.monotonic_cst == [1, 0, -1]
    assert again.class_weight == {0: 1.5, 1: 2}
    np.testing.assert_array_equal(again.fit(X, y).predict(X), model.predict(X))


def test_a_parameter_that_cannot_be_kept_is_named(tmp_path: Path) -> None:
    model = DecisionTreeRegressor().fit(numbers(), np.arange(70.0))
    model.set_params(categorical_features=print)
    with pytest.raises(TypeError, match=r"categorical_features=.*set_params\(categorical_features=None\)"):
        save(model, tmp_path / "m.hedgerow")
    assert not list(tmp_path.iterdir())


def test_what_is_no_fitted_tree_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not fitted"):
        save(DecisionTreeRegressor(), tmp_path / "m.hedgerow")
    with pytest.raises(TypeError, match=r"A dict cannot be saved.*DecisionTreeClassifier"):
        save({}, tmp_path / "m.hedgerow")


def test_a_model_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.hedgerow"
    save(MODELS["one leaf"][0], path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(file.os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        save(MODELS["titanic"][0], path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["m.hedgerow"]


def test_no_file_is_the_usual_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.hedgerow"):
        load(tmp_path / "none.hedgerow")


def test_a_file_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.hedgerow"
    save(MODELS["one leaf"][0], path)
    monkeypatch.setattr(file, "MOST_BYTES", 100)
    with pytest.raises(InvalidModelFile, match=r"bytes; wanted at most 100"):
        load_state(path)


def test_states_are_read_without_scikit_learn(tmp_path: Path) -> None:
    path = tmp_path / "m.hedgerow"
    save(DecisionTreeClassifier().fit(mixed(), target("text")), path)
    code = (
        "import sys; from hedgerow.store import load_state; "
        f"print(load_state({str(path)!r}).labels.classes, 'sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "('ash', 'birch', 'élan\\n') False"
