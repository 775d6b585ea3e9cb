"""What a study leaves behind, used by the other commands as a newcomer would."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.run import Runner

from hedgerow import datasets


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from hedgerow import study

    folder = tmp_path_factory.mktemp("study")
    study(
        "titanic", folder=folder, models=("tree",), folds=3, repeats=1
    )  # two show nothing better than guessing
    datasets.titanic().frame().head(40).write_csv(folder / "rows.csv")
    return folder


def test_a_folder_stands_for_its_model(hedgerow: Runner, place: Path) -> None:
    file = hedgerow("predict", place / "model.hedgerow", place / "rows.csv")
    assert file.code == 0
    assert hedgerow("predict", place, place / "rows.csv") == file
    assert "predicts" in hedgerow("show", place).out


def test_a_fitted_model_is_evaluated_on_rows(hedgerow: Runner, place: Path) -> None:
    titanic = datasets.titanic()
    whole = titanic.frame()
    import polars as pl

    whole.with_columns(pl.Series(titanic.target_name, titanic.target)).write_csv(place / "all.csv")
    code, out, _ = hedgerow("evaluate", place / "all.csv", "--model", place / "model.hedgerow", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["target"] == "survived"
    accuracy = next(score for score in told["scores"] if score["name"] == "accuracy")
    assert 0.75 < accuracy["value"] < 0.9
    assert "accuracy" in hedgerow("evaluate", place / "all.csv", "--model", place).out


WRONG = {
    ("fit", "model.hedgerow"): "is a model, not a table. What it is: hedgerow show",
    ("study", "model.hedgerow"): "hedgerow predict",
    ("predict", "rows.csv", "model.hedgerow"): "The model comes first",
    ("evaluate", "rows.csv", "--model", "model.hedgerow", "--target", "surv"): "nothing to compare with",
    ("evaluate", "rows.csv", "--model", "none.hedgerow"): "No model at",
    ("report", "model.hedgerow"): "Name the folder that `hedgerow study` wrote",
    ("show", "rows"): "rows",
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_mistakes(
    hedgerow: Runner, place: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(place)
    code, out, err = hedgerow(*words)
    assert (code, out) == (2, "")
    assert WRONG[words] in err


def test_piped_into_a_reader_that_stops(place: Path) -> None:
    """hedgerow show ... | head -1: no complaint, and a good end."""
    start = "import sys; from hedgerow.cli import main; main()"
    script = f"{sys.executable} -c '{start}' show {place}; echo $? >&2"
    ran = subprocess.run(["sh", "-c", f"({script}) | head -1"], capture_output=True, text=True, check=True)
    assert ran.stderr.split() == ["0"]
    assert "\x1b" not in ran.stdout
