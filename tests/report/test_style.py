"""Colours can be distinguished: WCAG's contrast of 4.5 to 1 for text, in light and in dark."""

import re
from itertools import product

import pytest

from hedgerow.report.page import HERE

STYLE = (HERE / "assets" / "page.css").read_text(encoding="utf-8")
PALETTES = [
    dict(re.findall(r"--([\w-]+): (#\w{6})", block))
    for block in re.findall(r"\{([^{}]*--paper: #\w{6}[^{}]*)\}", STYLE)
]
TEXTS, GROUNDS = ("ink", "soft", "hedge", "amber", "red"), ("paper", "card")


def light(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_light_dark_by_system_and_dark_by_button():
    assert len(PALETTES) == 3
    assert PALETTES[1] == PALETTES[2]
    assert PALETTES[0] != PALETTES[1]


@pytest.mark.parametrize("palette", PALETTES[:2], ids=["light", "dark"])
def test_text_can_be_read(palette):
    pairs = [
        *product(TEXTS, GROUNDS),
        ("ink", "hedge-soft"),
        ("soft", "hedge-soft"),
        ("ink", "amber-soft"),
        ("paper", "hedge"),
    ]
    poor = {pair: contrast(*(palette[name] for name in pair)) for pair in pairs}
    assert {pair: value for pair, value in poor.items() if value < 4.5} == {}


@pytest.mark.parametrize("palette", PALETTES[:2], ids=["light", "dark"])
def test_shapes_can_be_seen(palette):
    for k in range(8):
        assert contrast(palette[f"c{k}"], palette["card"]) >= 2.8
