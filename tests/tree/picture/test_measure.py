import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.picture.measure import fit, fit_test, text_width

words = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=6, max_size=40)


@pytest.mark.slow
@given(words, st.booleans())
def test_the_estimate_is_rarely_less_than_the_real_width(text: str, bold: bool) -> None:
    textpath = pytest.importorskip("matplotlib.textpath")
    fonts = pytest.importorskip("matplotlib.font_manager")
    font = fonts.FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    real = textpath.TextPath((0, 0), text.replace("$", r"\$"), size=13, prop=font).get_extents().x1
    assert real <= 1.06 * text_width(text, 13, bold) + 2


@given(words, st.floats(20, 200))
def test_what_was_fitted_fits(text: str, room: float) -> None:
    assert text_width(fit(text, room, 13, bold=True), 13, bold=True) <= room
    assert text_width(fit_test(text, room, 11), 11) <= room


def test_wide_and_combining_characters() -> None:
    assert text_width("日本", 10) > text_width("ab", 10)
    assert text_width("e\u0301", 10) == text_width("e", 10)
