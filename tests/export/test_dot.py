import re
from typing import Any

import pytest

from hedgerow.export.formats.dot import to_dot
from tree.examples import EXAMPLES, hostile, titanic


def test_titanic() -> None:
    dot = to_dot(*titanic())
    assert r'n0 [label="sex = male\ndied 0.62, survived 0.38\n100% · 891 rows"];' in dot
    assert 'n1 -> n5 [label="no, missing"];' in dot
    assert dot.count("->") == 8


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_string_ends_where_it_should(example: Any) -> None:
    for line in to_dot(*example()).splitlines()[1:-1]:
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)  # without its strings
        assert re.fullmatch(r"  \w+( -> \w+)? \[[a-z=, ]*\];", bare), line


def test_names_cannot_add_lines() -> None:
    assert len(to_dot(*hostile()).splitlines()) == 5 + 7 + 6
