import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.words import did_you_mean, listing, quote, show


@given(st.text())
def test_shown_text_is_printable_and_short(text: str) -> None:
    shown = show(text)
    assert shown.isprintable()
    assert len(shown) <= 40


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("age", "age"),
        ("a\nb", "a\\nb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\u202eb", "a\\u202eb"),
        ("Größe", "Größe"),
    ],
)
def test_control_characters_are_written_as_escapes(text: str, shown: str) -> None:
    assert show(text) == shown


def test_long_text_is_shortened() -> None:
    assert show("a" * 100) == "a" * 39 + "…"


def test_quote_is_as_in_python() -> None:
    assert quote("age") == "'age'"
    assert quote(3.5) == "3.5"


def test_listing_counts_what_it_leaves_out() -> None:
    assert listing(["a", "b"]) == "'a', 'b'"
    assert listing("abcde", most=3) == "'a', 'b', 'c' and 2 more"


@pytest.mark.parametrize("given_word", ["agee", "Age", "AGE"])
def test_near_words_are_suggested(given_word: str) -> None:
    assert did_you_mean(given_word, ["age", "fare"]) == " Did you mean 'age'?"


def test_far_words_are_not() -> None:
    assert did_you_mean("zzz", ["age", "fare"]) == ""
