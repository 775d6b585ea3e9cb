"""`hedgerow study` and `hedgerow report`, as they are typed."""

import io
import json
from dataclasses import fields
from inspect import signature
from pathlib import Path

import pytest
from tests.cli.run import Runner

from hedgerow.cli.commands.study import StudyCommandOptions
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.study import study

QUICK = ("--models", "stump,tree", "--folds", "3", "--repeats", "1")


def test_a_study_and_its_report_again(hedgerow: Runner, tmp_path: Path) -> None:
    code, out, err = hedgerow("study", "titanic", *QUICK)
    assert (code, err) == (0, "")
    assert "predicts survived with log loss" in out
    assert "hedgerow study titanic --models stump,tree --folds 3 --repeats 1 --random-state 0" in " ".join(
        out.split()
    )
    page = tmp_path / "titanic-study" / "report.html"
    first = page.read_text(encoding="utf-8")
    page.unlink()
    assert hedgerow("report", "titanic-study").code == 0
    assert page.read_text(encoding="utf-8") == first
    rows = tmp_path / "rows.csv"
    from hedgerow import datasets

    datasets.titanic().frame().head(5).write_csv(rows)
    code, out, _ = hedgerow("predict", "titanic-study/model.hedgerow", str(rows))
    assert code == 0
    assert len(out.splitlines()) == 6


@pytest.mark.slow
def test_going_on_is_said_and_changes_nothing(hedgerow: Runner, tmp_path: Path) -> None:
    first = json.loads(hedgerow("study", "titanic", *QUICK, "--json").out)
    code, out, err = hedgerow("study", "titanic", *QUICK, "--json")
    assert code == 0
    assert "8 of 9 fits are there already" in err  # the stump was given up after two folds, and is so again
    assert json.loads(out) == first


WRONG = {
    ("study", "titanik"): "titanic",
    ("study", "titanic", "--target", "survivd"): "Did you mean 'survived'",
    ("study", "nothing.csv"): "No file",
    ("study", "titanic", "--models", "forrest"): "forest",
    ("study", "titanic", "--folds", "1"): "folds",
    ("study", "titanic", "--holdout", "2"): "holdout",
    ("study", "titanic", "--scoring", "acc"): "accuracy",
    ("report", "nowhere"): "hedgerow study",
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_mistakes(hedgerow: Runner, words: tuple[str, ...]) -> None:
    code, out, err = hedgerow(*words)
    assert code == 2
    assert out == ""
    assert WRONG[words] in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_terminal_sees_progress_and_a_pipe_does_not(
    hedgerow: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    code, out, err = hedgerow("study", "titanic", *QUICK, "--folder", "piped")
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    monkeypatch.setattr("sys.stderr", seen := Terminal())
    assert hedgerow("study", "titanic", *QUICK, "--folder", "seen").code == 0
    output = seen.getvalue()
    assert "8/9" in output  # one model is given up after two folds
    assert "0:00:0" in output  # time left
    assert "opening the hold-out" in output


def test_the_options_are_those_of_python() -> None:
    """Under the same names and with the same defaults; lists are typed with commas. The cluster is joblib's there."""
    typed = {one.name: one.default for one in fields(StudyCommandOptions)}
    for one in fields(StudyOptions):
        assert typed.pop(one.name) == ("" if one.default == () else one.default), one.name
    assert set(typed) == {"data", "folder", "json", "cluster"}
    assert set(typed) - {"json", "cluster"} <= set(signature(study).parameters)
