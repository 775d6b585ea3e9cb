"""A section is one file: it appears in the page and in the list of contents; one that fails is a line, not a crash."""

import textwrap
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.report.example import example
from tests.studies.test_study import QUICK, table

import hedgerow
from hedgerow import DecisionTreeClassifier
from hedgerow.evaluation.data import make_data
from hedgerow.report import render_report, section, sections
from hedgerow.report.section import load_sections
from hedgerow.report.sections.effects import class_shown

SECTION = """
    TITLE = "Cheese"
    ORDER = 45
    TEMPLATE = "<p>{{ n }} columns of <b>{{ r.question.target }}</b> & {{ name }}</p>"

    def context(result):
        return {"n": result.question.n_columns, "name": "<i>"}
"""
OWN_DATA = """
    TITLE = "Depth"
    ORDER = 500
    TEMPLATE = "<p>{{ depth }} levels, {{ rows|count }} rows</p>"

    def summarize(trained):
        return {"depth": trained.estimator.get_depth(), "rows": len(trained.rows)}

    def context(result):
        return result.extra.get("own_data")
"""
FAILING = """
    TITLE = "Broken"
    ORDER = 46

    def summarize(trained):
        raise RuntimeError("no <b>numbers</b>")

    def context(result):
        raise RuntimeError("no <b>luck</b>")
"""


@pytest.fixture
def add_section(tmp_path, monkeypatch):
    """Write a file into a folder beside the package's own."""
    monkeypatch.setattr(sections, "__path__", [*sections.__path__, str(tmp_path)])

    def add(name: str, text: str) -> None:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        monkeypatch.delitem(__import__("sys").modules, f"{section.SECTIONS}.{name}", raising=False)

    return add


def test_a_new_file_is_a_section(add_section):
    add_section("cheese", SECTION)
    page = render_report(example())
    contents, main = page.partition("<nav")[2].partition("</nav>")[0], page.partition("<main>")[2]
    assert '<a href="#cheese">Cheese</a>' in contents
    assert contents.index("#importance") < contents.index("#cheese") < contents.index("#tree")
    assert '<section id="cheese" aria-labelledby="cheese-title">' in main
    assert "<p>5 columns of <b>survived</b> & &lt;i&gt;</p>" in main


def test_its_template_may_stand_beside_it(add_section, tmp_path):
    add_section("cheese", SECTION.replace("TEMPLATE", "UNUSED"))
    (tmp_path / "cheese.html").write_text("<p>from a file: {{ n }}</p>")
    assert "<p>from a file: 5</p>" in render_report(example())


def test_a_section_may_compute_its_own_data(add_section):
    add_section("own_data", OWN_DATA)
    result = hedgerow.study(table().drop("price"), "kept", **{**QUICK, "models": ("tree",)})
    assert result.extra["own_data"]["rows"] == result.question.n_train
    assert f"{result.question.n_train} rows</p>" in result.to_html()
    assert 'id="own_data"' not in render_report(example())  # a result that has no such data


def test_a_guess_that_is_kept_has_no_columns_and_no_operating_point():
    """It uses none, and predicts the same class always."""
    found = example()
    guess = replace(found, verdict=replace(found.verdict, is_recommended=False))
    free = replace(found.holdout.operating_point, cost=None)
    guess = replace(guess, holdout=replace(guess.holdout, operating_point=free))
    for name in ("importance", "operating_point"):
        assert f'id="{name}"' in render_report(found)
        assert f'id="{name}"' not in render_report(guess)


def test_weak_spots_in_the_order_of_time_are_those_of_rows_that_were_tested():
    """The first rows are only learned from: they have no out-of-fold prediction."""
    rng = np.random.default_rng(0)
    x, hard = rng.normal(size=600), rng.random(600) < 0.3
    frame = pl.DataFrame({"t": np.arange(600), "x": x, "place": np.where(hard, "sea", "land")})
    frame = frame.with_columns(y=x + np.where(hard, 5.0, 0.1) * rng.normal(size=600))
    result = hedgerow.study(frame, "y", time="t", **{**QUICK, "models": ("tree",)})
    slices = result.extra["slices"]["slices"]
    assert any("place = sea" in one["words"] for one in slices)
    assert max(one["n_rows"] for one in slices) < 0.8 * result.question.n_train
    assert 'id="slices"' in result.to_html()


def test_a_section_that_fails_is_a_line(add_section):
    add_section("broken", FAILING)
    page = render_report(example())
    assert "This section failed: RuntimeError: no &lt;b&gt;luck&lt;/b&gt;" in page
    assert '<section id="repeat"' in page


def test_data_of_a_section_that_fails_is_a_note(add_section):
    add_section("broken", FAILING)
    result = hedgerow.study(table().drop("price"), "kept", **QUICK)
    assert "broken" not in result.extra
    assert any("the section broken failed (RuntimeError: no <b>numbers" in note.text for note in result.notes)


def test_a_file_that_is_no_section_is_an_error(add_section):
    add_section("half", 'TITLE = "Half"\nORDER = 1\n')
    with pytest.raises(TypeError, match=r"half is no Section: it lacks context"):
        load_sections()


def test_effects_of_several_classes_are_those_of_a_frequent_one():
    """Not of the last one, which may have a row; nor of the one that is called negative."""
    rows = np.repeat(["positive", "unknown", "negative", "invalid"], [9, 1, 30, 4])
    data = make_data([DecisionTreeClassifier()], np.arange(44.0)[:, None], rows)
    assert class_shown(data) == "positive"
    assert class_shown(replace(data, classes=np.array(["a", "b", "c", "d"]))) == "b"
    two = make_data([DecisionTreeClassifier()], np.arange(44.0)[:, None], rows == "unknown")
    assert class_shown(two) is True
