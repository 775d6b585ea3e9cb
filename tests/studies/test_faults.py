"""Faults that once were there, each on a table like the one it was found on; docs/study.md lists the others."""

import datetime as dt
import re

import numpy as np
import polars as pl
import pytest
from tests.report.test_kinds import table
from tests.studies.test_failures import rare

import hedgerow
from hedgerow.candidate import panel_names

pytestmark = pytest.mark.slow
FEW = {"folds": 3, "repeats": 1}


def rare_corner(n: int = 1200) -> pl.DataFrame:
    """One row in twenty is bad, and two columns together say which: no single question does."""
    random = np.random.default_rng(0)
    x = random.random((n, 3))
    is_bad = (x[:, 0] > 0.75) & (x[:, 1] > 0.78)
    return pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "status": np.where(is_bad, "bad", "good")})


def test_no_stump_is_recommended_over_a_forest_that_ranks_the_rare_class_well():
    result = hedgerow.study(rare_corner(), "status", models=("stump", "forest"), **FEW)
    areas = {one.name: one.scores[1].value for one in result.candidates}
    assert result.candidates[0].scores[1].name == "roc_auc"
    assert areas["forest"] > 0.97 > areas["stump"]
    assert (result.verdict.chosen, result.verdict.simplest) == ("forest", "forest")
    assert result.holdout.scores[0].difference_low > 0


@pytest.mark.parametrize("counts", [(60, 60, 2), (70, 50, 2, 1)], ids=str)
def test_a_class_of_two_rows_is_studied_by_the_whole_panel(counts, tmp_path):
    result = hedgerow.study(rare(*counts), "y", folder=tmp_path, folds=2, repeats=1)
    assert {one.option for one in result.candidates} == set(panel_names())
    assert not [one.failure for one in result.candidates if one.failure]
    assert not [note.text for note in result.notes if "failed" in note.text]
    assert "This section failed" not in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert result.holdout.scores[0].value is not None


def sales(n: int = 240) -> pl.DataFrame:
    random = np.random.default_rng(3)
    days, x = random.integers(0, 1400, n), random.normal(size=n)
    is_late = (days > 700) ^ (random.random(n) < 0.08)
    dates = [dt.date(2021, 1, 1) + dt.timedelta(int(day)) for day in days]
    return pl.DataFrame({"sold": dates, "x": x.round(2), "late": np.where(is_late | (x > 1.2), "yes", "no")})


@pytest.mark.parametrize("model", ["tree", "rules", "adaboost", "gradient_boosting", "linear_svm"])
def test_dates_are_shown_as_dates(model):
    """The page has no day number of 2021 to 2024 in its text, nor the terminal."""
    result = hedgerow.study(sales(), "late", models=(model,), **FEW)
    assert result.verdict.is_recommended
    page = re.sub(
        r"<(script|style).*?</\1>|<[^>]+>", " ", result.to_html().partition("<main>")[2], flags=re.DOTALL
    )
    assert "sold = 202" in page  # a row and its reasons
    assert "sold <= 2022-1" in page.replace("&lt;", "<")  # the tree
    for text in (page, str(result)):
        assert not re.findall(r"(?<![\d.])1[89],?\d{3}\b", text)


@pytest.mark.parametrize("model", ["svm", "linear_svm"])
def test_support_vectors_are_counted_once(model):
    """The fitted model has one size, wherever it is named; that of a fold is called so."""
    result = hedgerow.study(table("two"), "y", models=(model,), **FEW)
    size, svm = dict(result.explanation.facts)["size"], result.explanation.svm
    if model == "svm":
        assert size == f"{svm.n_support} support vectors"
    page = result.to_html().partition("<main>")[2]
    in_a_fold = {one.size for one in result.candidates}
    assert set(re.findall(r"[\d,]+ support vectors", page)) <= {size} | in_a_fold
    assert "Size in a fold" in page
