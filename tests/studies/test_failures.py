"""No summary takes down a study: what fails is a note, everything else is written. And what once failed."""

import json

import numpy as np
import polars as pl
import pytest
from tests.studies.test_study import QUICK, table

import hedgerow
from hedgerow.studies import run, train
from hedgerow.studies.summarize import explanation, holdout

PARTS = [
    (train, "fit_learning_curve", "the learning curve"),
    (train, "grow_full_tree", "the tree to read"),
    (train, "_check_method", "a check of the method"),
    (explanation, "summarize_tree", "the tree to read"),
    (explanation, "summarize_svm", "the support vectors"),
    (explanation, "_summarize_rules", "the rules"),
    (explanation, "_summarize_rounds", "the rounds of boosting"),
    (holdout, "_confusion", "the confusion matrix"),
    (holdout, "_roc", "the ROC curve"),
    (holdout, "_calibration", "the calibration curve"),
    (run, "measure_importance", "the importance of columns"),
]


def rare(*counts: int) -> pl.DataFrame:
    """So many rows of each class."""
    y = np.repeat(np.arange(len(counts)), counts)
    random = np.random.default_rng(0)
    order = random.permutation(len(y))
    x = random.normal(size=(len(y), 2)) + y[:, None]
    return pl.DataFrame({"a": x[order, 0], "b": x[order, 1], "y": [f"class {k}" for k in y[order]]})


@pytest.mark.slow
@pytest.mark.parametrize(("place", "name", "part"), PARTS, ids=[part[1] for part in PARTS])
def test_a_part_that_fails_is_a_note(place, name, part, monkeypatch, tmp_path):
    def fail(*args, **options):
        raise ZeroDivisionError("no luck")

    monkeypatch.setattr(place, name, fail)
    result = hedgerow.study(table().drop("price"), "kept", folder=tmp_path, **QUICK)
    missing = [note.text for note in result.notes if note.text.startswith("A part of the result is missing")]
    assert missing == [f"A part of the result is missing: {part} failed (ZeroDivisionError: no luck)."]
    assert result.holdout.scores
    files = {file.name for file in tmp_path.iterdir()}
    assert {"result.json", "report.html", "holdout.csv", "command.txt", "model.hedgerow"} <= files
    assert json.loads((tmp_path / "result.json").read_text())["notes"][-1]["text"] == missing[0]
    assert "no luck" in (tmp_path / "report.html").read_text()


def test_ctrl_c_is_no_failed_part(monkeypatch):
    def interrupt(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(explanation, "summarize_tree", interrupt)
    with pytest.raises(KeyboardInterrupt):
        hedgerow.study(table().drop("price"), "kept", **QUICK)


@pytest.mark.parametrize("model", ["linear_svm", "svm"])
@pytest.mark.parametrize("counts", [(2, 1, 50, 50), (1, 1, 1, 60, 60), (60, 60, 2, 1)], ids=str)
def test_a_class_that_was_not_learned_from(model, counts):
    """So rare that the hold-out has all its rows: decision functions have no column for it."""
    result = hedgerow.study(rare(*counts), "y", models=(model,), folds=3, repeats=1)
    assert not [note for note in result.notes if "failed (" in note.text]
    if result.verdict.chosen != "baseline":
        svm = result.explanation.svm
        assert {label for line in svm.plane.predictions for label in line} <= set(
            range(len(result.question.classes))
        )


@pytest.mark.parametrize(("counts", "where"), [((60, 2), "hold-out"), ((60, 1), "one class")])
def test_a_hold_out_of_one_class_is_refused_at_once(counts, where):
    with pytest.raises(ValueError, match=where):
        hedgerow.study(rare(*counts), "y", models=("tree",), folds=3, repeats=1)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tree", "linear_svm"])
def test_the_class_of_interest_turns_what_is_shown(model):
    """With the other class as the one of interest, shares and weights are those of the other class too."""
    frame = table(160).drop("price")
    one, other = (
        hedgerow.study(frame, "kept", models=(model,), positive=positive, folds=3, repeats=1)
        for positive in ("yes", "no")
    )
    assert one.question.classes == other.question.classes[::-1]
    for first, second in zip(one.explanation.tree.nodes, other.explanation.tree.nodes, strict=True):
        assert first.values == second.values[::-1]
    if model == "linear_svm":
        for first, second in zip(one.explanation.svm.weights, other.explanation.svm.weights, strict=True):
            assert (first.name, first.value) == (second.name, -second.value)
