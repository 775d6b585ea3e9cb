"""What a study leaves behind, used by the other commands as a newcomer would."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import datasets, load
from hedgerow.export import load_program


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
    whole.with_columns(pl.Series(titanic.target_name, titanic.target)).write_csv(place / "all.csv")
    code, out, _ = hedgerow("evaluate", place / "all.csv", "--model", place / "model.hedgerow", "--json")
    assert code == 0
    output = json.loads(out)
    assert output["target"] == "survived"
    accuracy = next(score for score in output["scores"] if score["name"] == "accuracy")
    assert 0.75 < accuracy["value"] < 0.9
    assert "accuracy" in hedgerow("evaluate", place / "all.csv", "--model", place).out


def test_a_folder_is_named_as_it_is_called(
    hedgerow: Runner, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """titanic-study, without a slash."""
    monkeypatch.chdir(place.parent)
    assert "as it is fitted" in hedgerow("evaluate", "titanic", "--model", place.name).out


WRONG = {
    ("fit", "model.hedgerow"): "is a model, not a table. What it is: hedgerow show",
    ("study", "model.hedgerow"): "hedgerow predict",
    ("predict", "rows.csv", "model.hedgerow"): "The model comes first",
    ("predict", "rows.csv", "."): "The model comes first",
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


FORMS = [("json",), ("python",), ("c",), ("sql", "--dialect", "sqlite"), ("onnx",)]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_a_folder_is_exported(form: tuple[str, ...], hedgerow: Runner, place: Path, tmp_path: Path) -> None:
    """With levels, calibration and threshold: it proves itself before it is written."""
    if form[0] == "onnx":
        pytest.importorskip("onnxruntime")
    done = hedgerow("export", place, "--to", *form, "-o", tmp_path / "model")
    assert (done.code, done.err) == (0, "")
    assert (tmp_path / "model").stat().st_size > 1000


def test_what_is_exported_answers_as_predict_does(hedgerow: Runner, place: Path, tmp_path: Path) -> None:
    predicted = pl.read_csv(StringIO(hedgerow("predict", place, place / "rows.csv").out))
    hedgerow("export", place, "--to", "json", "-o", tmp_path / "model.json")
    program = load_program(tmp_path / "model.json")
    rows = datasets.titanic().frame().head(40).drop("survived")
    assert load(place / "model.hedgerow").export("json") == (tmp_path / "model.json").read_text()
    answers = [program.predict(row) for row in rows.iter_rows(named=True)]
    assert [answer["value"] for answer in answers] == predicted["prediction"].to_list()
    wanted = predicted.select(pl.exclude("prediction")).to_numpy()
    assert np.allclose([answer["probabilities"] for answer in answers], wanted, rtol=0, atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "model"), [("heart", "svm"), ("heart", "gradient_boosting"), ("numbers", "tree")]
)
def test_folders_of_other_studies_are_exported(
    data: str, model: str, hedgerow: Runner, tmp_path: Path
) -> None:
    """Probabilities calibrated from decision values, and from probabilities; intervals of numbers."""
    from hedgerow import study

    table = data
    if data == "numbers":
        random = np.random.default_rng(0)
        frame = pl.DataFrame({"a": random.normal(size=150), "b": ["x", "y", None] * 50})
        frame = frame.with_columns(price=pl.col("a") * 3 + random.normal(size=150))
        table = tmp_path / "numbers.csv"
        frame.write_csv(table)
    study(table, folder=tmp_path / "study", models=(model,), folds=2, repeats=1,
          **({"target": "price"} if data == "numbers" else {}))  # fmt: skip
    for form in FORMS:
        done = hedgerow("export", tmp_path / "study", "--to", *form, "-o", tmp_path / "model")
        assert (done.code, done.err) == (0, "")
    hedgerow("export", tmp_path / "study", "--to", "json", "-o", tmp_path / "model.json")
    answer = load_program(tmp_path / "model.json").program["tests"][0]
    assert ("interval" in answer) == (data == "numbers")
    assert (answer["probabilities"] is not None) == (data != "numbers")
