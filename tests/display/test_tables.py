"""DisplayTable: text and HTML of the same cells."""

import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.display.tables import DisplayTable, html_of, html_page

TABLE = DisplayTable(
    ["method", "leaves", "note"],
    [["whole", "61", ""], ["cost_complexity", "9", "kept"]],
    words=(0, -1),
    title=["Prunings"],
    notes=["* kept"],
)
TEXT = """\
Prunings

method           leaves  note
whole                61
cost_complexity       9  kept

* kept"""


def test_words_left_numbers_right() -> None:
    assert TABLE.to_text() == TEXT


def test_marks_stand_in_the_margin() -> None:
    table = DisplayTable(["a"], [["x"], ["y"]], marks=[" ", "*"])
    assert table.lines() == ["  a", "  x", "* y"]
    assert '<tr class="chosen"><td>*</td><td class="words">y</td></tr>' in table.to_html()


def test_lines_right_above_and_below() -> None:
    table = DisplayTable((), [["a", "1"]], caption="<one>", ending="and 2 more", title=["All"], notes=["!"])
    assert table.to_text() == "All\n\n<one>\na  1\nand 2 more\n\n!"
    assert "<caption>&lt;one&gt;</caption>" in table.to_html()
    assert "<p>and 2 more</p><p>!</p>" in table.to_html()


def test_pairs_need_no_header() -> None:
    table = DisplayTable((), [["gap", "0.1"], ["margin", "12"]], words=(0,))
    assert table.lines() == ["gap     0.1", "margin   12"]
    assert "<thead>" not in table.to_html()


def test_a_cell_of_many_lines_goes_on_below() -> None:
    table = DisplayTable(["", "if", "rows"], [["0", "a and\n  b", "7"], ["1", "c", "12"]], words=(1,))
    assert table.lines() == ["   if     rows", "0  a and     7", "     b", "1  c        12"]


def test_some_columns_and_short_names() -> None:
    narrow = TABLE.select([0, 1]).shorten(0, 6)
    assert narrow.lines() == ["method  leaves", "whole       61", "cost_…       9"]
    assert TABLE.width == len("cost_complexity       9  kept")
    assert TABLE.select([2, 0]).lines()[2] == "kept  cost_complexity"


def test_columns_of_numbers_may_have_a_least_width() -> None:
    assert DisplayTable(["", "gain"], [["a", "1"]], least=6).lines() == ["     gain", "a       1"]


def test_wide_characters_take_two_cells() -> None:
    lines = DisplayTable(["名", "n"], [["日本", "1"], ["ab", "22"]]).lines()
    assert lines == ["名     n", "日本   1", "ab    22"]


def test_nothing_to_show() -> None:
    assert DisplayTable((), []).to_text() == ""
    assert DisplayTable(["a", "b"], []).lines() == ["a  b"]


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        assert tag in {"table", "thead", "tbody", "tr", "th", "td", "p", "br", "div", "style"}
        self._inside = tag in ("th", "td")
        if self._inside:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.cells[-1] += data


CELL = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=7))
def test_html_holds_every_cell_escaped(rows: list[tuple[str, ...]]) -> None:
    parser = _Cells()
    parser.feed(html_of(DisplayTable(["one", "two", "three"], rows), "and <i>words</i>"))
    assert parser.cells == ["one", "two", "three", *(cell for row in rows for cell in row)]


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=7))
def test_numbers_end_under_each_other(rows: list[tuple[str, ...]]) -> None:
    cell = [
        tuple(unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode() for c in row)
        for row in rows
    ]
    table = DisplayTable(["name", "n"], [(a, b.strip() or "0") for a, b in cell])
    assert len({len(line) for line in table.lines()}) == 1


def test_a_page_escapes_its_title() -> None:
    assert "<title>&lt;b&gt;</title>" in html_page("<b>", "")


def test_rows_must_fit_the_header() -> None:
    with pytest.raises((ValueError, IndexError)):
        DisplayTable(["a", "b"], [["1"]]).lines()
