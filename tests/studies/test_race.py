"""Models that cannot win are given up early: said, deterministic, and never the winner."""

import numpy as np
import polars as pl
import pytest

from hedgerow import study
from hedgerow.evaluation.splits import Split, Splits
from hedgerow.studies import race

MODELS = ("stump", "tree", "forest")
GIVEN = {"models": MODELS, "folds": 4, "repeats": 2}


def steps(n=500):
    """Two questions are needed: a stump has lost after two folds."""
    random = np.random.default_rng(2)
    x = random.uniform(-1, 1, size=(n, 3))
    y = np.where((x[:, 0] > 0) ^ (random.random(n) < 0.03), np.where(x[:, 1] > 0, "a", "b"), "c")
    return pl.DataFrame({"p": x[:, 0], "q": x[:, 1], "r": x[:, 2], "y": y})


@pytest.mark.slow
def test_a_model_that_has_lost_is_given_up_and_stays_in_the_table(tmp_path):
    result = study(steps(), "y", folder=tmp_path / "first", **GIVEN)
    by_name = {one.name: one for one in result.candidates}
    assert by_name["stump"].given_up == "after 2 of 8 folds"
    assert len(by_name["stump"].fold_scores) == 2
    assert by_name["stump"].scores[0].value is not None
    assert by_name["baseline"].given_up == ""
    assert not by_name[result.verdict.chosen].given_up
    assert any(note.text.startswith("stump: given up early") for note in result.notes)
    assert "given up after 2 of 8 folds" in str(result)
    words = result.verdict.statements[0]
    assert "Every other model is shown to be worse" not in words
    assert ("stump was given up early" in words) == ("the simplest of those" not in words)
    again = study(steps(), "y", folder=tmp_path / "second", n_jobs=1, **GIVEN)
    assert again.to_dict() == result.to_dict()


@pytest.mark.slow
def test_nothing_is_given_up_within_the_margin():
    result = study(steps(), "y", scoring="accuracy", margin=0.9, **GIVEN)
    assert not any(one.given_up for one in result.candidates)


@pytest.mark.slow
def test_what_is_given_up_would_not_have_won(monkeypatch):
    early = study(steps(), "y", **GIVEN)
    monkeypatch.setattr(race, "_looks", lambda splits: [])
    late = study(steps(), "y", **GIVEN)
    assert not any(one.given_up for one in late.candidates)
    assert (early.verdict.most_accurate, early.verdict.simplest) == (
        late.verdict.most_accurate,
        late.verdict.simplest,
    )


@pytest.mark.slow
def test_models_that_are_nearly_always_right_stay():
    """A column decides: what one of them is worse by is surely above zero, and counts for nothing."""
    random = np.random.default_rng(0)
    y = np.where(random.random(900) < 0.3, "died", "lives")
    rows = {f"x{k}": random.normal(size=900) for k in range(3)}
    table = pl.DataFrame(
        {**rows, "cause": np.where(y == "died", random.choice(["a", "b"], 900), "none"), "y": y}
    )
    result = study(table, "y", models=["tree", "linear_svm", "gradient_boosting"], folds=4, repeats=1)
    assert not any(one.given_up for one in result.candidates)


@pytest.mark.parametrize(
    ("n_splits", "folds", "rows", "looks"),
    [
        (10, 5, 30, [2, 5]),
        (4, 2, 30, [2]),
        (2, 2, 30, []),
        (3, 3, 30, [2]),
        (15, 5, 30, [2, 5, 10]),
        (5, 5, 2_000, [1, 2]),
    ],
)
def test_looks_come_at_fixed_numbers_of_folds(n_splits, folds, rows, looks):
    parts = tuple(Split(np.arange(7), np.arange(rows), k // folds) for k in range(n_splits))
    splits = Splits(parts, "", "folds")
    assert race._looks(splits) == looks


@pytest.mark.slow
def test_a_large_first_fold_gives_up_what_is_clearly_worse():
    result = study(steps(11_000), "y", models=["stump", "tree"], folds=5, repeats=1, holdout=0.05)
    by_name = {one.name: one for one in result.candidates}
    assert by_name["stump"].given_up == "after 1 of 5 folds"
    assert not by_name["tree"].given_up
