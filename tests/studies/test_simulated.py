"""A small part of tools/simulations/studies.py: wide margins, so that only a blunder turns it red."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from simulations import studies

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", list(studies.KINDS))
def test_a_study_tells_about_the_model_it_leaves_behind(kind, monkeypatch):
    monkeypatch.setattr(studies, "FRESH", 3000)
    monkeypatch.setattr(studies, "PANEL", ("stump", "tree"))
    found = studies.one_study(kind, 1)
    assert abs(found.holdout - found.truth) < 2 * (found.high - found.low)
    assert found.low < found.holdout < found.high
