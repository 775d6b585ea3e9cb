"""What every file of boost/weak promises; and that a new weak learner is one new file."""

import numpy as np
import pytest
from tests.temporary_plugin import temporary_plugin

from hedgerow import AdaBoostClassifier, load, save
from hedgerow.boost import rows_of_matrix
from hedgerow.boost.boost_input import BoostInput, SparseColumns
from hedgerow.boost.weak_learner import (
    PACKAGE,
    PREDICTIONS,
    Stored,
    WeakLearner,
    WeakParams,
    build_weak_learner,
    find_storage,
    load_weak_learners,
)

EACH = [
    (name, predictions) for name, file in load_weak_learners().items() for predictions in file.PREDICTIONS
]
SIGN = '''"""sign: which side of its weighted mean a random column is on."""

from dataclasses import dataclass

import numpy as np

from hedgerow.boost.weak_learner import Storage

PREDICTIONS, READS_SPARSE = ("discrete",), False


@dataclass(frozen=True)
class SideWeak:
    column: int
    mean: float
    side: float

    def outputs(self, rows):
        return np.where(rows.matrix[:, self.column] > self.mean, self.side, -self.side)

    def describe(self):
        return f"side of column {self.column}"

    def importance(self, n_columns):
        return np.eye(n_columns)[self.column]


@dataclass(frozen=True)
class Side:
    output_kind = "signs"
    random = True

    def fit(self, rows, signs, weight, rng):
        j = int(rng.integers(rows.matrix.shape[1]))
        values = rows.matrix[:, j]
        mean = float(weight @ values)
        return SideWeak(j, mean, 1.0 if weight @ (signs * np.where(values > mean, 1, -1)) >= 0 else -1.0)


def build(params):
    return Side()


def write(weaks):
    return {"side": np.array([[weak.column, weak.mean, weak.side] for weak in weaks]).reshape(-1, 3)}


def read(arrays, stored):
    found = arrays["side"]
    if found.shape[1] != 3 or not np.isfinite(found).all():
        raise ValueError("has sides that are not three numbers each")
    return [SideWeak(int(column), mean, side) for column, mean, side in found.tolist()]


STORAGE = Storage("sides", SideWeak, {"side": ("F64", 2)}, write, read)
'''


def data(n=143, d=4):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + X[:, 2] + rng.normal(size=n) * 0.4 > 0).astype(int)


def rows_for(file, X):
    if not file.READS_SPARSE:
        return rows_of_matrix(X)
    at, row = np.nonzero(X.T > 0.5)
    start = np.searchsorted(at, np.arange(X.shape[1] + 1)).astype(np.int64)
    columns = SparseColumns(start, row.astype(np.int32), np.ones(len(row)), len(X))
    return BoostInput(len(X), tuple("abcd"), sparse=columns)


@pytest.mark.parametrize(("name", "predictions"), EACH)
def test_a_weak_learner_gives_what_it_says(name, predictions):
    X, y = data()
    file = load_weak_learners()[name]
    learner = build_weak_learner(name, WeakParams(predictions))
    assert isinstance(learner, WeakLearner)
    rows, weight = rows_for(file, X), np.full(len(y), 1 / len(y))
    weak = learner.fit(rows, np.where(y == 1, 1.0, -1.0), weight, np.random.default_rng(0))
    outputs = weak.outputs(rows)
    assert outputs.shape == (len(y),)
    assert np.isfinite(outputs).all()
    allowed = {"signs": [-1, 1], "abstaining": [-1, 0, 1]}.get(learner.output_kind)
    assert allowed is None or np.isin(outputs, allowed).all()
    assert (learner.output_kind == "abstaining") == (predictions == "abstaining") or name == "linear"


@pytest.mark.parametrize(("name", "predictions"), EACH)
def test_what_is_stored_answers_the_same(name, predictions):
    X, y = data()
    file = load_weak_learners()[name]
    if file.STORAGE is None:
        return
    rows, weight = rows_of_matrix(X), np.full(len(y), 1 / len(y))
    weak = build_weak_learner(name, WeakParams(predictions)).fit(
        rows, np.where(y == 1, 1.0, -1.0), weight, np.random.default_rng(0)
    )
    _, storage = find_storage([weak])
    arrays = storage.write([weak, weak])
    assert set(arrays) == set(storage.layout)
    back = storage.read(arrays, Stored(np.zeros(4, np.int32), "signs", 2))
    assert len(back) == 2
    assert back[1].outputs(rows).tobytes() == weak.outputs(rows).tobytes()


def test_predictions_a_learner_cannot_give_are_refused():
    for name, file in load_weak_learners().items():
        for predictions in set(PREDICTIONS) - set(file.PREDICTIONS):
            with pytest.raises(ValueError, match=f"estimator='{name}' gives .* not {predictions}"):
                build_weak_learner(name, WeakParams(predictions))


def test_a_new_weak_learner_is_one_new_file(tmp_path):
    X, y = data()
    with temporary_plugin(PACKAGE, tmp_path, "side", SIGN):
        model = AdaBoostClassifier("side", n_estimators=40, random_state=0).fit(X, y)
        assert type(model.estimators_[0].weak).__name__ == "SideWeak"
        assert model.score(X, y) > AdaBoostClassifier("side", n_estimators=1, random_state=0).fit(X, y).score(
            X, y
        )
        assert "side of column" in str(model.diagnostics_)
        assert model.feature_importances_.argmax() in (0, 2)
        save(model, tmp_path / "m.hedgerow")
        back = load(tmp_path / "m.hedgerow")
        assert back.estimator == "side"
        assert back.decision_function(X) == pytest.approx(model.decision_function(X))
        with pytest.raises(ValueError, match="'side' gives discrete predictions, not confident"):
            AdaBoostClassifier("side", predictions="confident").fit(X, y)
    with pytest.raises(ValueError, match="unknown weak learner 'side'"):
        load(tmp_path / "m.hedgerow")
    with pytest.raises(ValueError, match="estimator='side' is unknown"):
        AdaBoostClassifier("side").fit(X, y)


def test_a_learner_that_cannot_be_stored_says_so(tmp_path):
    X, y = data()
    with (
        temporary_plugin(
            PACKAGE, tmp_path, "side", SIGN.replace("STORAGE = Storage(", "STORAGE = None and (")
        ),
        pytest.raises(TypeError, match=r"type SideWeak cannot be saved .* stump, tree, c45"),
    ):
        save(AdaBoostClassifier("side", random_state=0).fit(X, y), tmp_path / "m.hedgerow")
