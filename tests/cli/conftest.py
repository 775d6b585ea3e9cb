"""A folder of its own for each test, with small tables in it, and the command."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner


@pytest.fixture
def hedgerow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("HEDGEROW_TRACEBACK", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Runner(monkeypatch, capsys)


@pytest.fixture
def houses(tmp_path: Path) -> Path:
    """Prices with gaps in them; a name that differs in every row; text with gaps; a boolean; a number."""
    random, n = np.random.default_rng(7), 90
    area, town = random.uniform(30, 250, n), random.integers(0, 3, n)
    price = np.round(2000 * area + 40_000 * (town == 2) + random.normal(0, 9000, n))
    frame = pl.DataFrame(
        {
            "house": [f"H{k:03}" for k in range(n)],
            "area": area.round(1),
            "town": [("Ash", "Birch", None)[k] for k in town],
            "garden": random.random(n) < 0.5,
            "zip": random.integers(1, 5, n),
            "price": [None if k % 30 == 0 else value for k, value in enumerate(price.tolist())],
        }
    )
    frame.write_csv(tmp_path / "houses.csv")
    return tmp_path / "houses.csv"
