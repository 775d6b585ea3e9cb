"""Nothing that comes from data reaches the terminal raw, and commands that are proposed can be pasted."""

import json
import shlex
import subprocess
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

COLUMN, TARGET = "a\x1b[31mred\u202e x'y", "t\x1b]0;own\x07\x9b1m"
FILE = "e\x1b[2J.parquet"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    x = np.random.default_rng(0).normal(size=(120, 2))
    frame = {COLUMN: x[:, 0], "z\u2066": x[:, 1], TARGET: np.where(x[:, 0] > 0, "ye\x1b[1ms", "n\u202eo")}
    pl.DataFrame(frame).write_parquet(FILE)
    return tmp_path


COMMANDS = {
    "show": ["show", FILE],
    "fit": ["fit", FILE, "--target", TARGET],
    "fit as JSON": ["fit", FILE, "--target", TARGET, "--json"],
    "fit without a target": ["fit", FILE],
    "fit to no column": ["fit", FILE, "--target", "q\x1b"],
    "no file": ["fit", "nope\x1b.csv"],
    "no command": ["nope\x1b.csv"],
    "rules": ["rules", FILE, "--target", TARGET],
    "evaluate": ["evaluate", FILE, "--target", TARGET, "--model", "stump"],
    "prune": ["prune", FILE, "--target", TARGET],
    "study": ["study", FILE, "--target", TARGET, "--models", "stump", "--folds", "2", "--repeats", "1"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_printed_is_printable(name: str, folder: Path, hedgerow: Runner) -> None:
    ran = hedgerow(*COMMANDS[name])
    raw = {c for c in ran.out + ran.err if not c.isprintable()} - {"\n"}
    assert not raw, f"{name}: {raw}"
    if name.endswith("JSON"):
        assert json.loads(ran.out)["target"] == TARGET


def test_a_model_of_such_a_table_is_printable_too(folder: Path, hedgerow: Runner) -> None:
    model = "m\x1b[1m.hedgerow"
    assert hedgerow("fit", FILE, "--target", TARGET, "--save", model).code == 0
    for words in (["show", model], ["export", model], ["predict", model, FILE]):
        if words[0] == "predict":  # a file or a pipe gets classes as they are
            hedgerow.monkeypatch.setattr("sys.stdout.isatty", lambda: True)
        ran = hedgerow(*words)
        raw = {c for c in ran.out + ran.err if not c.isprintable()} - {"\n"}
        assert not raw, f"{words[0]}: {raw}"


def test_the_command_to_type_again_can_be_pasted(folder: Path, hedgerow: Runner) -> None:
    again = json.loads(hedgerow(*COMMANDS["fit as JSON"]).out)["command"]
    assert again.isprintable()
    words = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {again}"], capture_output=True, text=True, check=True
    )
    assert words.stdout.split("\0")[:5] == ["hedgerow", "fit", FILE, "--target", TARGET]


def test_a_name_that_is_long_or_has_quotes_stays_whole(tmp_path: Path, hedgerow: Runner) -> None:
    name = "it's " + "long " * 30 + "; rm -rf ~"
    x = np.random.default_rng(0).normal(size=120)
    pl.DataFrame({"x": x, "w": x, name: x > 0}).write_csv(tmp_path / "d.csv")
    ran = hedgerow(
        "fit",
        tmp_path / "d.csv",
        "--target",
        name,
        "--drop",
        "w",
        "--json",
        "--save",
        tmp_path / "m.hedgerow",
    )
    words = shlex.split(json.loads(ran.out)["command"])
    assert words[words.index("--target") + 1] == name


def test_a_warning_is_a_note_without_its_place(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "answers.sqlite").write_bytes(b"no database" * 500)
    x = np.random.default_rng(0).normal(size=90)
    pl.DataFrame({"x": x, "y": x > 0}).write_csv(tmp_path / "d.csv")
    small = ["--models", "stump", "--folds", "2", "--repeats", "1"]
    with pytest.warns(UserWarning, match="is damaged: it is kept as 'answers.sqlite.damaged'"):
        ran = hedgerow("study", tmp_path / "d.csv", "--target", "y", "--folder", tmp_path / "s", *small)
    assert ran.code == 0
