"""The page: one file, safe, complete."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.report.example import HOSTILE, example

from hedgerow.report import MOST_BYTES, render_report
from hedgerow.report.charts import calibration
from hedgerow.report.charts.confusion import confusion
from hedgerow.report.charts.frame import ticks
from hedgerow.report.page import embed_json, render_sections
from hedgerow.report.section import load_sections
from hedgerow.studies.records import Curve

PAGE = render_report(example())
SECTIONS = {name: section.TITLE for name, section in load_sections().items()}


def test_every_section_is_there():
    assert all(f'<section id="{name}"' in PAGE for name in SECTIONS)


def test_a_section_is_a_file_and_the_contents_name_it():
    linked = re.findall(r'<a href="#(\w+)">([^<]+)</a>', PAGE.partition("<nav")[2].partition("</nav>")[0])
    assert dict(linked) == SECTIONS


def test_every_section_has_its_heading():
    for name in SECTIONS:
        labelled = re.search(rf'<section id="{name}" aria-labelledby="([\w-]+)"', PAGE)[1]
        assert re.search(rf'<h2 id="{labelled}"', PAGE)


def test_nothing_is_loaded_from_elsewhere():
    assert len(PAGE.encode()) < MOST_BYTES
    links = re.findall(r"""(?:src|href)\s*=\s*["']([^"']*)""", PAGE)
    assert all(link.startswith("#") for link in links)
    assert "url(" not in PAGE
    assert "default-src 'none'" in PAGE


@pytest.mark.parametrize(
    "name",
    [
        HOSTILE,
        "<img src=x onerror=alert(1)>",
        "</script><script>alert(1)</script>",
        "a'b\"c&d",
        "{{ 7 * 7 }}",
    ],
)
def test_names_are_text(name):
    output = render_report(example(name))
    assert "<script>alert" not in output
    assert "<img" not in output
    assert "49" not in output.partition("<h1>")[2].partition("</h1>")[0]
    data = re.search(r'<script type="application/json" id="tree-data">(.*?)</script>', output, re.S)
    assert name in [column["name"] for column in json.loads(data[1])["columns"]]


def test_embedded_json_cannot_leave_its_place():
    output = embed_json({"a": "</script><!-- & \u2028"})
    assert not set("<>&\u2028") & set(output)
    assert json.loads(output) == {"a": "</script><!-- & \u2028"}


def test_headings_follow_each_other():
    levels = [int(level) for level in re.findall(r"<h([1-6])", PAGE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_pictures_say_what_they_show():
    assert PAGE.count("<svg") == PAGE.count("<title>") - 1  # and the page's own


def test_ids_are_there_once():
    ids = re.findall(r'\bid="([^"]+)"', PAGE)
    assert len(ids) == len(set(ids))


def test_a_failed_model_stays_with_its_reason():
    assert "failed: ValueError: no room" in PAGE


def test_without_the_parts_a_model_has_not():
    result = example()
    bare = replace(
        result.explanation,
        tree=None,
        rules=(),
        rounds=None,
        learning_curve=None,
        importance=(),
        facts=(),
        svm=None,
    )
    holdout = replace(
        result.holdout, roc=None, calibration=None, confusion=(), operating_point=None, intervals=()
    )
    result = replace(result, explanation=bare, extra={}, holdout=holdout)
    output = render_report(result)
    assert "tree-data" not in output.replace('getElementById("tree-data")', "")
    assert "Boosting" not in output
    assert [one.name for one in render_sections(result)] == [
        "answer",
        "leaderboard",
        "holdout",
        "data",
        "repeat",
    ]


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (0.70001, 0.70002), (1e-9, 5e9), (-3e300, 4e300)])
def test_ticks_lie_inside(low, high):
    found = ticks(low, high)
    assert 1 <= len(found) <= 7
    room = 1e-8 * (high - low)
    assert all(low - room <= tick <= high + room for tick in found)


def test_short_names_of_many_classes_head_the_columns_of_the_confusion_matrix():
    """Ten digits are not numbered from 1; long names are."""
    counts = np.eye(10, dtype=int).tolist()
    digits = confusion(counts, [str(k) for k in range(10)])
    assert '<th scope="col">0</th>' in digits
    assert '<th scope="row">9</th>' in digits
    words = confusion(counts, [f"class {k}" for k in range(10)])
    assert '<th scope="col" title="class 0">1</th>' in words


def test_the_calibration_of_a_rare_class_fills_its_picture():
    """Probabilities of 0.5 to 7 % were a blot in a corner."""

    def span(curve: Curve) -> float:
        places = [float(x) for x in re.findall(r'class="dot" cx="([0-9.]+)"', str(calibration(curve)))]
        return max(places) - min(places)

    rare = Curve((0.005, 0.02, 0.07), (0.0, 0.03, 0.06), (0.0, 0.01, 0.02), (0.02, 0.09, 0.2))
    usual = Curve((0.1, 0.5, 0.9), (0.1, 0.5, 0.9), (0.0, 0.4, 0.8), (0.2, 0.6, 1.0))
    assert span(rare) > 80
    assert "1</text>" in str(calibration(usual))
    assert "1</text>" not in re.sub(r"0\.1</text>", "", str(calibration(rare)))
