"""hedgerow evaluate --model FILE: rows that the model was trained on are counted, and the others scored apart."""

import json

import numpy as np
from tests.cli.run import Runner
from tests.store.test_training_rows import table

from hedgerow import datasets
from hedgerow.estimators.saving import load, save


def test_evaluate_says_what_the_model_has_seen(hedgerow: Runner, tmp_path) -> None:
    data, model = tmp_path / "t.csv", tmp_path / "t.hedgerow"
    table(0).write_csv(data)
    hedgerow("fit", data, "--target", "kept", "--save", model, "--model", "full_tree")
    out = " ".join(hedgerow("evaluate", data, "--model", model).out.split())
    assert "! the model was trained on 300 of these 400 rows" in out
    assert "On the 100 others: accuracy" in out
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
