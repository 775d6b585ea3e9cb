from typing import Any

import pytest

from hedgerow.export.formats.text import to_text
from hedgerow.tree.formatting import cells
from tree.examples import EXAMPLES, deep, hostile, houses, restaurant, titanic, wide

TITANIC = """\
survived                    rows  died  survived
all rows                    100%  0.62      0.38
├─ sex = male                65%  0.81      0.19
│  ├─ age <= 9.5              4%  0.42      0.58
│  │  ├─ sibsp <= 2.5         2%  0.00      1.00  ► survived
│  │  └─ sibsp > 2.5          2%  0.93      0.07  ► died
│  └─ age > 9.5 or missing   61%  0.84      0.16  ► died
└─ sex = female              35%  0.26      0.74
   ├─ pclass in {1st, 2nd}   19%  0.05      0.95  ► survived
   └─ pclass = 3rd           16%  0.50      0.50  ► died
"""


def test_titanic() -> None:
    assert to_text(*titanic()) == TITANIC


def test_a_depth_says_what_it_hides() -> None:
    lines = to_text(*titanic(), max_depth=1).splitlines()
    assert lines[2:4] == ["├─ sex = male          65%  0.81      0.19", "│  └─ … 4 more nodes"]
    assert lines[-1].startswith("3 of 9 nodes shown; the tree is 3 deep.")


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_too_wide_or_broken(example: Any, width: int) -> None:
    text = to_text(*example(), width=width)
    body = [
        line for line in text.splitlines() if "nodes shown" not in line and "missing cell goes" not in line
    ]
    assert all(line.isprintable() for line in text.split("\n"))
    assert max(cells(line) for line in body) <= width


def test_large_trees_stay_readable() -> None:
    assert len(to_text(*wide(5_000)).splitlines()) < 80
    assert len(to_text(*deep(3_000)).splitlines()) < 80


def test_a_mean_is_marked_at_the_leaves_only() -> None:
    lines = to_text(*houses()).splitlines()
    assert lines[0].split() == ["price", "rows", "mean"]
    assert [line.split("►")[-1].strip() for line in lines if "►" in line][:2] == ["140,000", "1200"]


def test_spread_missing_cells_are_explained_once() -> None:
    assert to_text(*hostile()).count("A missing cell goes down every branch") == 1
    assert "missing" not in to_text(*restaurant())


def test_colour_only_adds_colour() -> None:
    plain, coloured = to_text(*titanic()), to_text(*titanic(), colour=True)
    assert "\x1b[" not in plain
    for code in ("\x1b[1;34m", "\x1b[1;33m", "\x1b[0m"):
        assert code in coloured
        coloured = coloured.replace(code, "")
    assert coloured == plain


def test_a_width_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="width=20 leaves no room"):
        to_text(*titanic(), width=20)
