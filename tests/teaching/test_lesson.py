"""Step-through pages: what they are made of. tests/teaching/test_browser.py steps through them."""

import json
import re

import numpy as np
import pytest

from hedgerow import AdaBoostClassifier, datasets, recipe, teaching
from hedgerow.cli.commands.learn import LESSONS
from hedgerow.teaching import lesson


def data_of(page: str) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_the_command_knows_every_lesson():
    assert set(LESSONS) == set(lesson.LESSONS)


@pytest.mark.parametrize("name", LESSONS)
def test_a_page_needs_nothing_else(name):
    page = teaching.make_lesson(name)
    assert "{{" not in page.split('id="data"')[0]
    assert not re.search(r"(src|href)\s*=|https?://(?!www\.w3\.org)|@import|fetch\(", page)
    assert len(page) < 200_000


def test_boosting_shows_the_rounds_of_the_lecture():
    found = data_of(teaching.make_lesson("boosting"))
    assert [round(one["alpha"], 2) for one in found["rounds"]] == [0.42, 0.65, 0.92]
    assert [one["threshold"] for one in found["rounds"]] == [2.5, 8.5, 6.5]
    assert found["rounds"][-1]["error"] == 0
    assert np.sum(found["weights"], axis=1) == pytest.approx(1)


def test_the_tree_is_that_of_id3():
    data = datasets.restaurant()
    model = recipe("id3").fit(data.table, data.target)
    found = data_of(teaching.make_lesson("tree"))
    assert len(found["nodes"]) == model.hedgerow_tree_.n_nodes
    root = found["nodes"][0]["offers"]
    assert (root[0]["question"], root[0]["chosen"]) == ("Pat: None / Some / Full", True)
    assert root[0]["gain"] == pytest.approx(0.541, abs=5e-4)


def test_rows_of_your_own():
    data = datasets.heart()
    page = data_of(teaching.make_lesson("boosting", data.table, data.target, columns=("age", "max HR")))
    assert page["columns"] == ["age", "max HR"]
    by_itself = data_of(teaching.make_lesson("margin", data.table, data.target))
    assert len(by_itself["columns"]) == 2
    assert len(by_itself["points"]) <= 120
    model = AdaBoostClassifier(n_estimators=12).fit(data.table.select(("age", "max HR")), data.target)
    assert [one["epsilon"] for one in page["rounds"]] == pytest.approx(model.estimator_errors_.tolist())


def test_names_cannot_break_out_of_a_page():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(30) < 0.5, "</script><b>", "x")
    page = teaching.make_lesson("boosting", {"<img>": rng.random(30), "{{data}}": rng.random(30)}, y)
    assert "</script><b>" not in page
    assert "<img>" not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bosting",), "Did you mean 'boosting'"),
        (("boosting", [[1.0]]), "X and y go together"),
        (("boosting", {"a": [1.0, 2.0]}, [0, 1]), "two columns of numbers, but there are 1"),
        (("margin", {"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]}, [0, 1, 2]), "shows two classes"),
        (("tree", {"a": [1.0, 2.0]}, [1, 1]), "one class only"),
    ],
)
def test_bad_input_says_what_is_wanted(arguments, message):
    with pytest.raises(ValueError, match=message):
        teaching.make_lesson(*arguments)
