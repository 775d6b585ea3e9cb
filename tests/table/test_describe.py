import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.display.tables import STYLE
from hedgerow.table import Column, Table, describe, to_table
from hedgerow.table.describe import MOST_HTML_ROWS, describe_html, summary


def line_of(table: Table, name: str) -> list[str]:
    return next(line for line in describe(table).splitlines() if line.startswith(name)).split(maxsplit=4)


def test_number() -> None:
    assert line_of(to_table({"age": [3.5, None, 80, 80]}), "age") == ["age", "number", "1", "2", "3.5 to 80"]


def test_constant_number() -> None:
    assert line_of(to_table({"one": [1, 1]}), "one")[4] == "1"


def test_missing_only() -> None:
    assert line_of(to_table({"gone": [None, None]}), "gone") == ["gone", "number", "2", "0", "all missing"]


def test_boolean() -> None:
    line = line_of(to_table({"old": [True, False, None, True]}), "old")
    assert line == ["old", "boolean", "1", "2", "2 true, 1 false"]


def test_category() -> None:
    line = line_of(to_table({"sex": ["m", "f", None]}), "sex")
    assert line == ["sex", "category", "1", "2", "f, m"]


def test_many_levels_are_cut() -> None:
    assert line_of(to_table({"many": list("abcdefg")}), "many")[4] == "a, b, c, d, e, … 2 more"


def test_one_line_per_column() -> None:
    assert len(describe(to_table(np.zeros((7, 3)))).splitlines()) == 2 + 3


def test_summary_says_when_names_were_made_up() -> None:
    assert summary(to_table(np.zeros((7, 1)))) == "Table of 7 rows and 1 column: 1 number (no names given)"


def test_summary_without_columns() -> None:
    assert summary(Table((), 7, named=True)) == "Table of 7 rows and 0 columns"


def test_hostile_names_stay_on_their_line() -> None:
    text = describe(to_table({"a\nb\x1b[31m": [1, 2], "c": ["x\ry", "z\u202e"]}))
    assert len(text.splitlines()) == 4
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "a\\nb\\x1b[31m" in text


def test_html_escapes_names_and_levels() -> None:
    html = describe_html(to_table({"<script>alert(1)</script>": ["<img src=x>", "a & b"]}))
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;img src=x&gt;" in html
    assert "a &amp; b" in html


def test_html_is_capped() -> None:
    html = describe_html(to_table(np.zeros((2, MOST_HTML_ROWS + 5))))
    assert html.count("<tr>") == MOST_HTML_ROWS + 1
    assert "and 5 more columns" in html


@given(st.text(), st.text(min_size=1))
def test_any_name_and_level(name: str, level: str) -> None:
    table = Table((Column(name, "category", np.zeros(2, np.int32), (level,)),), 2, named=True)
    assert len(describe(table).splitlines()) == 3
    html = (
        describe_html(table).replace(STYLE, "").replace(' class="words"', "").replace(' class="hedgerow"', "")
    )
    tags = set(re.findall(r"<[^>]*>", html))
    known = {"div", "p", "table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert {tag.strip("</>") for tag in tags} <= known
