"""A panic of polars says nothing of its own; everything else is still heard."""

import os

import pytest

from hedgerow.table.panics import hold_back_panics


class Panic(BaseException):
    """As pyo3 raises it: no Exception."""


def read_badly(text: bytes, reason: BaseException | None) -> None:
    with hold_back_panics():
        os.write(2, text)
        if reason is not None:
            raise reason


def test_what_a_panic_printed_is_gone(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Panic):
        read_badly(b"thread '<unnamed>' panicked at ...", Panic())
    assert capfd.readouterr().err == ""


def test_what_others_printed_is_there(capfd: pytest.CaptureFixture[str]) -> None:
    read_badly(b"one ", None)
    with pytest.raises(ValueError, match="no"):
        read_badly(b"two", ValueError("no"))
    assert capfd.readouterr().err == "one two"
