"""Every model that can be fitted: its picture is there, or it is said why not; the terminal has no words of Python."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow.candidate import candidate_names, load_candidate

PYTHON = re.compile(
    r"\b(None|True|False|nan|inf|dtype|array|np|numpy|object|ndarray|[A-Za-z]+Error)\b|<class|\d\.\d+ lea"
)
NAMES = [
    name for name in candidate_names() if "classification" in load_candidate(name).TASKS and name != "blend"
]

QUICK = ("tree", "rules", "linear_svm")


@pytest.fixture
def plants(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    height, light = random.normal(30, 8, 90), random.normal(size=90)
    frame = pl.DataFrame(
        {"height": height, "light": light, "soil": random.choice(["clay", "sand", "loam"], 90)}
    )
    frame = frame.with_columns(kind=np.where(height + 6 * random.normal(size=90) > 30, "hedge", "herb"))
    frame.write_csv(tmp_path / "plants.csv")
    return tmp_path / "plants.csv"


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]
)
def test_a_fit(hedgerow: Runner, tmp_path: Path, plants: Path, name: str) -> None:
    code, out, err = hedgerow("fit", plants, "--target", "kind", "--model", name, "--picture", "model.svg")
    assert code == 0, err
    words = " ".join(out.split())
    assert (tmp_path / "model.svg").exists() == ("picture none: " not in words)
    assert PYTHON.search(words) is None, PYTHON.search(words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--models", "stump,rules,linear_svm", "--cv", "2"),
        ("evaluate", "--cv", "2"),
        ("study", "--quick"),
    ],
)
def test_other_commands(hedgerow: Runner, plants: Path, command: tuple[str, ...]) -> None:
    code, out, err = hedgerow(command[0], plants, "--target", "kind", *command[1:])
    assert code == 0, err
    words = " ".join(out.split())
    assert PYTHON.search(words) is None, PYTHON.search(words)
