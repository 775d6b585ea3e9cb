"""docs/evaluation.md names all there is; tests/test_docs.py runs its examples."""

import re
from pathlib import Path

import pytest

from hedgerow.evaluation import bounds
from hedgerow.evaluation.comparison_test import comparison_tests

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_the_page_names_tests_that_are_there():
    named = re.findall(r'^\| `"(\w+)"`', PAGE.split("| `test=`")[1], flags=re.MULTILINE)
    assert len(named) >= 6
    assert set(named) <= set(comparison_tests())


@pytest.mark.parametrize(
    "name",
    [n for n, f in vars(bounds).items() if getattr(f, "__module__", None) == bounds.__name__ and n[0] != "_"],
)
def test_every_bound_is_named(name):
    assert name in PAGE
