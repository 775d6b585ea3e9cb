"""Real studies of every kind: the page shows what the model requires, and result.json has the published form."""

import json
from functools import cache

import numpy as np
import polars as pl
import pytest

import hedgerow
from hedgerow.report import MOST_BYTES, render_report
from hedgerow.report.page import render_sections
from hedgerow.studies.result import StudyResult
from hedgerow.studies.schema import make_schema

pytestmark = pytest.mark.slow

KINDS = {  # the model, the task: sections it must have
    ("tree", "two"): {"tree", "importance"},
    ("rules", "two"): {"rules"},
    ("adaboost", "two"): {"rounds"},
    ("boosted_trees", "many"): {"rounds"},
    ("gradient_boosting", "two"): {"gradient_boosting", "importance"},
    ("gradient_boosting", "numbers"): {"gradient_boosting", "importance"},
    ("gradient_boosting", "many"): {"gradient_boosting", "importance"},
    ("additive", "many"): {"gradient_boosting", "importance"},
    ("additive", "numbers"): {"gradient_boosting", "importance"},
    ("forest", "many"): {"importance"},
    ("linear_svm", "two"): {"support_vectors"},
    ("svm", "plane"): {"support_vectors"},
    ("linear_svm", "many"): {"support_vectors"},
    ("linear_svm", "numbers"): {"support_vectors"},
    ("tree", "numbers"): {"tree"},
    ("bagging", "numbers"): {"importance"},
    ("adaboost", "numbers"): {"importance"},
}
ONLY = {"rules", "rounds", "gradient_boosting", "support_vectors"}  # there only where the model requires them


def table(task: str, n: int = 160) -> pl.DataFrame:
    random = np.random.default_rng(3)
    x, town = random.normal(size=(n, 2)), random.choice(["oak", "ash", "elm"], n)
    score = 3 * x[:, 0] + x[:, 1] + 0.3 * random.normal(size=n)
    frame = pl.DataFrame({"width": x[:, 0], "height": x[:, 1], "town": town})
    if task == "plane":
        return frame.drop("town").with_columns(
            y=pl.Series(np.where(x[:, 0] ** 2 + x[:, 1] > 0.5, "in", "out"))
        )
    if task == "numbers":
        return frame.with_columns(y=pl.Series(10 * score))
    if task == "many":
        return frame.with_columns(
            y=pl.Series([f"class {k}" for k in np.digitize(x[:, 0], np.linspace(-1.5, 1.5, 9))])
        )
    return frame.with_columns(y=pl.Series(np.where(score > 0, "yes", "no")))


@cache
def run(model: str, task: str) -> StudyResult:
    return hedgerow.study(table(task), "y", models=(model,), folds=3, repeats=1)


kinds = pytest.mark.parametrize(("model", "task"), KINDS)


@kinds
def test_sections_as_the_model_requires(model, task):
    result = run(model, task)
    assert result.verdict.chosen != "baseline"
    found = {section.name for section in render_sections(result)}
    assert KINDS[model, task] <= found
    assert found & ONLY <= KINDS[model, task]


@pytest.mark.parametrize("task", ["two", "numbers"])
def test_the_page_of_an_additive_model_shows_its_curves_with_bands(task):
    result = run("additive", task)
    found = result.extra["gradient_boosting"]
    assert found["is_additive"]
    assert {"width", "height"} <= {one["name"] for one in found["curves"]}
    assert all(np.all(np.array(one["low"]) <= one["high"]) for one in found["curves"])
    assert "with its 95 % band from refits" in render_report(result)


@kinds
def test_the_page_is_whole_and_small(model, task):
    output = render_report(run(model, task))
    assert len(output.encode()) < MOST_BYTES
    assert "None" not in output.partition("<main>")[2].partition("</main>")[0]
    assert "nan" not in output.partition("<main>")[2].partition("<footer>")[0].lower().split()


@kinds
def test_the_published_form(model, task):
    jsonschema = pytest.importorskip("jsonschema")
    output = json.loads(json.dumps(run(model, task).to_dict(), allow_nan=False))
    jsonschema.validate(output, make_schema())
    assert StudyResult.from_dict(output) == run(model, task)


def test_a_machine_of_two_columns_is_drawn():
    support = run("svm", "plane").explanation.svm
    assert support.plane is not None
    assert 0 < support.n_support < support.n_rows
    assert sum(support.plane.is_support) >= 2
    assert "ringed" in render_report(run("svm", "plane"))


def test_hard_rows_are_rows_of_the_table():
    frame = table("two")
    for hard in run("linear_svm", "two").explanation.svm.hard_rows:
        assert frame["y"][hard.row] == hard.truth
        assert hard.distance < 1
    weights = run("linear_svm", "two").explanation.svm.weights
    assert weights[0].name == "width"
    assert weights[0].value > 0  # yes comes after no


def test_each_machine_of_many_classes_is_told():
    support = run("linear_svm", "many").explanation.svm
    assert len(support.binary_svms) == len(run("linear_svm", "many").question.classes)
    assert all(machine.name for machine in support.binary_svms)


def test_start_and_reasons_of_a_row_add_up():
    """Also those of the columns that are not shown."""
    random = np.random.default_rng(3)
    x = random.normal(size=(240, 9))
    y = x.sum(axis=1) + random.normal(size=240)
    rows_of_nine = pl.DataFrame({f"x{j}": x[:, j] for j in range(9)} | {"y": y})
    result = hedgerow.study(rows_of_nine, "y", models=["linear_svm"], quick=True)
    rows = result.extra["effects"]["rows"]
    assert len(rows) == 3
    for row in rows:
        assert (row["n_other"], len(row["reasons"])) == (3, 6)
        parts = [row["base"], row["other"], *(value for _, value in row["reasons"])]
        assert sum(map(float, parts)) == pytest.approx(float(row["score"]), abs=0.02)
        assert f'<td class="num">{row["other"]}</td>' in result.to_html()


def test_of_several_classes_the_one_that_is_explained_is_named():
    result = run("forest", "many")
    for row in result.extra["effects"]["rows"]:
        label = row["title"].partition(": ")[2].removesuffix(" is predicted")
        assert label in result.question.classes
        assert label in row["what"]
