"""Gradient boosting on a stream is the model of all rows at once, to the bit, however the rows are cut."""

import numpy as np
import polars as pl
import pytest
from tests.stream.tables import mixed, only

from hedgerow import HistGradientBoostingClassifier as Classifier
from hedgerow import HistGradientBoostingRegressor as Regressor
from hedgerow import TableStream, save
from hedgerow.estimators import gradient_watch

CASES = {
    "two classes": ("two", Classifier, {}),
    "seven classes": ("seven", Classifier, {"max_iter": 3}),
    "numbers": ("number", Regressor, {}),
    "subsampling": ("number", Regressor, {"subsample": 0.5, "max_features": 0.7}),
    "medians": ("number", Regressor, {"loss": "absolute_error"}),
    "stopping early": ("two", Classifier, {"early_stopping": True, "max_iter": 40, "n_iter_no_change": 3}),
    "numbers as categories": ("two", Classifier, {"categorical_features": ["few"]}),
    "balanced": ("seven", Classifier, {"class_weight": "balanced", "max_iter": 3}),
}


@pytest.fixture(scope="module")
def frame():
    return mixed()


def model_bytes(model, folder):
    save(model, folder / "model.hedgerow")
    return (folder / "model.hedgerow").read_bytes()


def make(case):
    target, kind, given = CASES[case]
    settings = {"max_iter": 8, "random_state": 3, "early_stopping": False} | given
    return target, kind(**settings)


def fit_in_memory(frame, case):
    target, model = make(case)
    return model.fit(only(frame, target).drop([target, "weight"]), frame[target], frame["weight"].to_numpy())


@pytest.mark.parametrize("case", CASES)
def test_blocks_do_not_change_a_bit(frame, tmp_path, case):
    expected = model_bytes(fit_in_memory(frame, case), tmp_path)
    target, _ = make(case)
    for block_rows, memory in ((1_000, 0), (65_536, 10**9), (37, 30_000)):
        _, model = make(case)
        stream = TableStream(only(frame, target), block_rows=block_rows, memory=memory, folder=tmp_path)
        assert model_bytes(model.fit(stream, target, "weight"), tmp_path) == expected, (block_rows, memory)
    assert [file.name for file in tmp_path.iterdir()] == ["model.hedgerow"]


def test_many_rows_are_held_out_one_by_one(frame, tmp_path, monkeypatch):
    monkeypatch.setattr(gradient_watch, "ONE_BY_ONE", 1_000)
    test_blocks_do_not_change_a_bit(frame, tmp_path, "stopping early")


def test_the_order_of_rows_does_not_change_a_bit(frame, tmp_path):
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=1)
    for case in ("two classes", "numbers"):
        here, there = fit_in_memory(frame, case), fit_in_memory(shuffled, case)
        assert model_bytes(here, tmp_path) == model_bytes(there, tmp_path)


def test_a_column_of_few_other_cells(tmp_path):
    """Twelve rows with another cell than all others: a leaf of a log loss may have so few."""
    rows = np.arange(600)
    frame = pl.DataFrame({"some": rows < 40, "few": rows < 12, "y": np.digitize(-rows, [-39, -11])})
    model = Classifier(max_iter=5).fit(frame.drop("y"), frame["y"])
    assert 1 in model.trees_.column
    expected = model_bytes(model, tmp_path)
    model = Classifier(max_iter=5).fit(TableStream(frame, block_rows=100), "y")
    assert model_bytes(model, tmp_path) == expected


def test_a_path_with_the_target_named(frame, tmp_path):
    only(frame, "two").drop("weight").write_parquet(tmp_path / "a.parquet")
    model = Classifier(max_iter=5).fit(tmp_path / "a.parquet", "two")
    assert model.n_features_in_ == 6
    assert model.score(only(frame, "two").drop(["two", "weight"]), frame["two"]) > 0.8


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"two": pl.lit(None, pl.String)}, "the target, is missing in row 0"),
        ({"x0": pl.when(pl.col("few") > 3).then(pl.lit(np.inf)).otherwise(1.0)}, "infinity"),
    ],
)
def test_bad_cells_are_named(frame, change, words):
    with pytest.raises(ValueError, match=words):
        Classifier().fit(only(frame, "two").with_columns(**change).lazy(), "two")


def test_columns_that_change_their_type_are_named(frame):
    text = frame.with_columns(pl.col("few").cast(pl.String))
    with pytest.raises(
        ValueError, match=r"Column 'few' is a number in some blocks of rows and a category in others"
    ):
        Classifier().fit([only(frame, "two"), only(text, "two")], "two")


def test_a_stream_wants_the_name_of_its_target(frame):
    with pytest.raises(TypeError, match="Give the name of the target column"):
        Classifier().fit(TableStream(frame), frame["two"])
