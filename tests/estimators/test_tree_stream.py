"""A tree or a forest on a stream is that of max_bins=255 on all rows at once, to the bit, however the rows are cut."""

import numpy as np
import polars as pl
import pytest
from tests.stream.tables import mixed, only

from hedgerow import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    TableStream,
    save,
)

FEW = {"n_estimators": 3, "random_state": 5}
CASES = {
    "two classes": ("two", RandomForestClassifier, FEW),
    "seven classes": ("seven", RandomForestClassifier, FEW),
    "numbers": ("number", RandomForestRegressor, FEW | {"max_features": 2}),
    "subsampling": ("seven", RandomForestClassifier, FEW | {"max_samples": 0.4, "bootstrap": False}),
    "balanced": ("seven", RandomForestClassifier, FEW | {"class_weight": "balanced_subsample"}),
    "extra trees": ("two", ExtraTreesClassifier, FEW),
    "extra trees of numbers": ("number", ExtraTreesRegressor, FEW),
    "few bins": ("two", RandomForestClassifier, FEW | {"max_bins": 9}),
    "numbers as categories": ("two", RandomForestClassifier, FEW | {"categorical_features": ["few"]}),
    "a tree": ("two", DecisionTreeClassifier, {"ccp_alpha": 0.001}),
    "a tree, balanced": ("seven", DecisionTreeClassifier, {"class_weight": "balanced", "max_depth": 6}),
    "a tree of numbers": ("number", DecisionTreeRegressor, {"min_samples_leaf": 5}),
    "a tree of medians": ("number", DecisionTreeRegressor, {"criterion": "absolute_error", "max_depth": 4}),
    "a random tree": ("number", DecisionTreeRegressor, {"splitter": "random", "random_state": 1}),
    "a tree of ratios": ("two", DecisionTreeClassifier, {"criterion": "gain_ratio", "max_depth": 5}),
    "surrogates": ("two", DecisionTreeClassifier, {"missing": "surrogate", "max_depth": 4}),
}


@pytest.fixture(scope="module")
def frame():
    return mixed()


def model_bytes(model, folder):
    save(model, folder / "model.hedgerow")
    return (folder / "model.hedgerow").read_bytes()


def fit_in_memory(frame, case):
    """max_bins as the stream's model has it, so that the files are equal."""
    target, kind, given = CASES[case]
    model = kind(**{"max_bins": 255} | given)
    model.fit(only(frame, target).drop([target, "weight"]), frame[target], frame["weight"].to_numpy())
    return model.set_params(max_bins=given.get("max_bins"))


@pytest.mark.parametrize("case", CASES)
def test_blocks_do_not_change_a_bit(frame, tmp_path, case):
    expected = model_bytes(fit_in_memory(frame, case), tmp_path)
    target, kind, given = CASES[case]
    for block_rows, memory in ((1_000, 0), (65_536, 10**9), (37, 30_000)):
        stream = TableStream(only(frame, target), block_rows=block_rows, memory=memory, folder=tmp_path)
        model = kind(**given).fit(stream, target, "weight")
        assert model_bytes(model, tmp_path) == expected, (block_rows, memory)
    assert [file.name for file in tmp_path.iterdir()] == ["model.hedgerow"]


@pytest.mark.parametrize("kind", [RandomForestClassifier, DecisionTreeClassifier])
def test_rows_without_weight_and_blocks_without_cells(tmp_path, kind):
    """A column that is empty in a whole block, in all rows, or in all rows that count."""
    part = mixed(700).with_columns(
        weight=pl.lit(0.0), town=pl.lit(None, pl.String), x1=pl.lit(None, pl.Float64)
    )
    rest = mixed(900, seed=3)
    frame = only(pl.concat([part, rest]), "two").with_columns(
        none=pl.lit(None, pl.Float64), late=pl.when(pl.col("weight") == 0).then(1.5)
    )
    given = {"random_state": 2} | ({"n_estimators": 3} if kind is RandomForestClassifier else {})
    whole = kind(max_bins=255, **given).fit(
        frame.drop(["two", "weight"]), frame["two"], frame["weight"].to_numpy()
    )
    streamed = kind(**given).fit(TableStream(frame, block_rows=100), "two", "weight")
    assert model_bytes(streamed, tmp_path) == model_bytes(whole.set_params(max_bins=None), tmp_path)


def test_few_values_are_exact(frame):
    """Where no column has more than 255 values, the splits are those of exact codes."""
    few = only(frame, "two").select("few", "town", "flag", "two")
    streamed = DecisionTreeClassifier(max_depth=4).fit(TableStream(few, block_rows=99), "two")
    exact = DecisionTreeClassifier(max_depth=4).fit(few.drop("two"), few["two"])
    np.testing.assert_array_equal(
        streamed.predict_proba(few.drop("two")), exact.predict_proba(few.drop("two"))
    )


def test_a_folder_of_parquet_files(frame, tmp_path):
    for k in range(3):
        only(frame, "two").drop("weight")[1000 * k : 1000 * (k + 1)].write_parquet(tmp_path / f"{k}.parquet")
    model = RandomForestClassifier(20, random_state=0).fit(tmp_path, "two")
    rows = only(frame, "two").drop(["two", "weight"])
    assert model.score(rows, frame["two"]) > 0.8
    assert list(model.feature_names_in_) == rows.columns


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (RandomForestClassifier(oob_score=True), "oob_score=True needs the rows in memory"),
        (RandomForestClassifier(stop="oob"), "stop='oob' needs the rows in memory"),
        (RandomForestClassifier(warm_start=True), "warm_start=True needs the rows in memory"),
        (DecisionTreeClassifier(prune="reduced_error"), "has none to look at. Use ccp_alpha"),
    ],
)
def test_what_needs_rows_in_memory_says_so(frame, model, words):
    with pytest.raises(ValueError, match=words):
        model.fit(TableStream(only(frame, "two")), "two")


def test_what_asks_for_rows_later_says_so(frame):
    model = RandomForestClassifier(3).fit(TableStream(only(frame, "two")), "two")
    with pytest.raises(ValueError, match="fitted on a stream"):
        _ = model.oob_


def test_a_stream_wants_the_name_of_its_target(frame):
    for kind in (RandomForestClassifier, DecisionTreeClassifier):
        with pytest.raises(TypeError, match="Give the name of the target column"):
            kind().fit(TableStream(frame), frame["two"])
