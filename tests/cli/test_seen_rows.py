"""hedgerow evaluate --model FILE: rows that the model was trained on are counted, and the others scored apart."""

import json
import re

import numpy as np
import polars as pl
from tests.cli.run import Runner
from tests.store.test_training_rows import table
from tests.table.test_copies import wines

from hedgerow import datasets
from hedgerow.estimators.saving import load, save
from hedgerow.store import load_state
from hedgerow.table import to_table


def test_evaluate_says_what_the_model_has_seen(hedgerow: Runner, tmp_path) -> None:
    data, model = tmp_path / "t.csv", tmp_path / "t.hedgerow"
    table(0).write_csv(data)
    hedgerow("fit", data, "--target", "kept", "--save", model, "--model", "full_tree")
    out = " ".join(hedgerow("evaluate", data, "--model", model).out.split())
    assert "! the model was trained on 300 of these 400 rows" in out
    assert re.search(
        r"On the 100 others: accuracy [^;]+, not [0-9.]+; area under ROC [^;]+, not [0-9.]+\.", out
    )
    found = json.loads(hedgerow("evaluate", data, "--model", model, "--json").out)["training_rows"]
    assert (found["n_rows"], found["n_unseen"]) == (300, 100)
    accuracy = found["scores_unseen"][0]
    assert accuracy["name"] == "accuracy"
    assert accuracy["value"] < 0.9
    table(1).write_csv(data)
    out = " ".join(hedgerow("evaluate", data, "--model", model).out.split())
    assert "- the model was trained on none of these 400 rows." in out
    save(load(model), model)
    assert "cannot be known" in hedgerow("evaluate", data, "--model", model).out


def test_a_column_that_the_model_reads_is_no_target(hedgerow: Runner, tmp_path) -> None:
    data, model = tmp_path / "t.csv", tmp_path / "t.hedgerow"
    table(0).write_csv(data)
    hedgerow("fit", data, "--target", "kept", "--save", model)
    other = next(name for name in table(0).columns if name != "kept")
    err = " ".join(hedgerow("evaluate", data, "--model", model, "--target", other).err.split())
    assert (
        f"--target {other} is a column that the model reads; the model predicts 'kept'. Leave it out." in err
    )


def test_equal_rows_of_a_coarse_table_are_no_warning(hedgerow: Runner, tmp_path) -> None:
    frame = datasets.titanic().frame().select("pclass", "sex", "survived")
    order = np.random.default_rng(0).permutation(frame.height)
    old, new, model = tmp_path / "old.csv", tmp_path / "new.csv", tmp_path / "t.hedgerow"
    frame[order[:900]].write_csv(old)
    frame[order[900:]].write_csv(new)
    hedgerow("fit", old, "--target", "survived", "--save", model)
    out = " ".join(hedgerow("evaluate", new, "--model", model).out.split())
    assert "- 409 of 409 rows equal training rows of the model, as new rows of such a table do" in out
    assert "!" not in out


def test_predict_says_what_the_model_has_seen(hedgerow: Runner, tmp_path) -> None:
    data, model = tmp_path / "t.csv", tmp_path / "t.hedgerow"
    table(0).write_csv(data)
    hedgerow("fit", data, "--target", "kept", "--save", model)
    assert "The model was trained on 300 of these 400 rows" in hedgerow("predict", model, data).err
    table(1).write_csv(data)
    assert "trained on" not in hedgerow("predict", model, data).err


def test_classes_are_matched_however_the_file_writes_them(hedgerow: Runner, tmp_path) -> None:
    """A Parquet file may hold a target "0", "1" as text; a CSV of the same table reads as numbers."""
    rows = np.random.default_rng(0).normal(size=(80, 2))
    frame = pl.DataFrame(rows, schema=["a", "b"]).with_columns(y=pl.Series((rows[:, 0] > 0).astype(int)))
    old, new, model = tmp_path / "old.parquet", tmp_path / "new.csv", tmp_path / "t.hedgerow"
    frame.with_columns(pl.col("y").cast(str).cast(pl.Categorical)).write_parquet(old)
    frame.write_csv(new)
    hedgerow("fit", old, "--target", "y", "--save", model)
    for data in (old, new):
        found = json.loads(hedgerow("evaluate", data, "--model", model, "--json").out)
        assert found["scores"][0]["value"] > 0.9
        assert found["model"] == str(model)
        assert not any("named no class" in one["message"] for one in found["findings"])


def test_the_hold_out_of_a_fit_keeps_copies_together(hedgerow: Runner, tmp_path) -> None:
    data, model = tmp_path / "t.csv", tmp_path / "t.hedgerow"
    X = wines(0, 600)
    frame = pl.DataFrame({f"c{j}": X[:, j] for j in range(11)}).with_columns(quality=pl.Series(X[:, 0] > 40))
    frame.write_csv(data)
    hedgerow("fit", data, "--target", "quality", "--model", "stump", "--save", model)
    rows = load_state(model).training_rows
    assert rows is not None
    seen = rows.find_seen(to_table(X))[0]
    assert rows.n_rows == seen.sum()
    assert 0.7 * 600 < seen.sum() < 0.8 * 600
