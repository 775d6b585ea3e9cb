import re
from typing import Any
from xml.etree import ElementTree

import pytest

from hedgerow.export.formats.svg import to_html, to_svg
from tree.examples import EXAMPLES, bushy, hostile, iris, titanic

SPACE = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SPACE}text")]


@pytest.mark.parametrize("example", EXAMPLES)
def test_is_well_formed_and_only_draws(example: Any) -> None:
    root = ElementTree.fromstring(to_svg(*example()))
    kinds = {element.tag.removeprefix(SPACE) for element in root.iter()}
    assert kinds <= {"svg", "title", "desc", "rect", "path", "g", "text", "circle"}
    assert not any(
        name.startswith(("on", "href", "id")) for element in root.iter() for name in element.attrib
    )
    assert [child.tag.removeprefix(SPACE) for child in root[:2]] == ["title", "desc"]


def test_titanic_says_it_all() -> None:
    output = texts(to_svg(*titanic()))
    for text in (
        "sex = male",
        "0.62 | 0.38",
        "100%",
        "pclass in {1st, 2nd}",
        "no, missing",
        "survived",
        "died",
    ):
        assert text in output


def test_names_cannot_leave_their_place() -> None:
    svg = to_svg(*hostile())
    assert "<script" not in svg
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e\ud800-\udfff]", svg)
    svg.encode()


def test_every_card_has_a_tooltip_with_the_full_story() -> None:
    root = ElementTree.fromstring(to_svg(*iris()))
    tips = [group.find(f"{SPACE}title") for group in root.iter(f"{SPACE}g")]
    assert len(tips) == 9
    assert all(tip is not None and "rows" in (tip.text or "") for tip in tips)


def test_hidden_parts_are_counted() -> None:
    assert "… 62 more nodes" in texts(to_svg(*bushy(), max_depth=0))
    assert sum("more nodes" in text for text in texts(to_svg(*bushy(), max_depth=2))) == 4
    assert not any("more nodes" in text for text in texts(to_svg(*bushy(), max_depth=5)))


def test_the_same_tree_gives_the_same_picture() -> None:
    assert to_svg(*bushy()) == to_svg(*bushy())


def test_html_scrolls() -> None:
    html = to_html(*titanic(), max_depth=1)
    assert html.startswith('<div style="overflow:auto')
    assert to_svg(*titanic(), max_depth=1) in html
