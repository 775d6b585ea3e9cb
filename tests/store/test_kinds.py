"""Kinds of models are files of store/kinds: each finds its tags, and a new one is one new file."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from tests.temporary_plugin import temporary_plugin

import hedgerow.estimators
from hedgerow import AdaBoostClassifier, BaggingClassifier, DecisionTreeClassifier, load, save
from hedgerow.encode import schema_of
from hedgerow.store import InvalidModelFile, load_state, predict_state
from hedgerow.store.kind import PACKAGE, load_kind, load_kinds, model_tags
from hedgerow.table import to_table

CONSTANT = '''"""A constant."""

import numpy as np

from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.kind import Content, Layout, Predictions

ESTIMATORS = {"constant regressor": "Constant"}
DEFAULTS = {"constant regressor": {"shift": 0.0}}


def layout(extra):
    return {"mean": Layout("F64")}


def write(body):
    return Content({"mean": np.array([body])}, {})


def read(arrays, extra, header):
    if arrays["mean"].shape != (1,):
        raise InvalidModelFile("has not one mean")
    return float(arrays["mean"][0])


def predict(state, table, threads):
    return Predictions(np.full(table.n_rows, state.body + state.parameters["shift"]))


def describe(state):
    return [("mean", f"{state.body:g}")]
'''


class Constant(RegressorMixin, BaseEstimator):
    def __init__(self, shift: float = 0.0) -> None:
        self.shift = shift

    def fit(self, X, y):
        self.schema_, self.mean_ = schema_of(to_table(X)), float(np.mean(y))
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_ + self.shift)

    def _stored_body(self):
        return getattr(self, "mean_", None)

    def _restore(self, state):
        self.mean_, self.schema_ = state.body, state.schema


def test_a_tag_has_one_kind() -> None:
    tags = [tag for kind in load_kinds().values() for tag in kind.ESTIMATORS]
    assert len(tags) == len(set(tags)) == len(model_tags())
    for tag in tags:
        assert tag in load_kind(tag).ESTIMATORS
        assert hasattr(hedgerow.estimators, load_kind(tag).ESTIMATORS[tag])


def test_a_new_kind_is_one_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = np.random.default_rng(0).normal(size=(7, 3)), np.arange(7.0)
    monkeypatch.setattr(Constant, "__module__", "hedgerow.estimators.constant")
    monkeypatch.setattr(hedgerow.estimators, "Constant", Constant, raising=False)
    model, path = Constant(shift=2.0).fit(X, y), tmp_path / "m.hedgerow"
    with pytest.raises(TypeError, match="A Constant cannot be saved"):
        save(model, path)
    with temporary_plugin(PACKAGE, tmp_path, "constant", CONSTANT):
        save(model, path)
        assert load(path).predict(X).tolist() == [5.0] * 7
        assert predict_state(load_state(path), to_table(X)).values.tolist() == [5.0] * 7
    with pytest.raises(InvalidModelFile, match="unknown type 'constant regressor'"):
        load(path)


def test_a_tree_needs_no_other_kind(tmp_path: Path) -> None:
    X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 2
    save(DecisionTreeClassifier().fit(X, y), tmp_path / "m.hedgerow")
    code = (
        f"import sys; from hedgerow.store import load_state; load_state({str(tmp_path / 'm.hedgerow')!r}); "
        "print(sorted(m.rpartition('.')[2] for m in sys.modules if m.startswith('hedgerow.store.kinds.')), "
        "'sklearn' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "['tree'] False\n"


@pytest.mark.parametrize("inside", [False, True])
def test_a_renamed_parameter_keeps_its_name_in_files(tmp_path: Path, inside: bool) -> None:
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 3
    model = AdaBoostClassifier(n_estimators=2, multi_class="mh")
    model = (BaggingClassifier(model, n_estimators=2) if inside else model).fit(X, y)
    save(model, tmp_path / "m.hedgerow")
    raw = (tmp_path / "m.hedgerow").read_bytes()
    assert b"multiclass" in raw
    assert b"multi_class" not in raw
    back = load(tmp_path / "m.hedgerow")
    assert (back.estimator if inside else back).multi_class == "mh"
