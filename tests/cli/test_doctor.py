"""What a newcomer runs first when something is odd: doctor, --version, completion."""

import json
import os
import subprocess
import sys

import pytest
from tests.cli.run import Runner

from hedgerow.cli.commands import doctor


def test_doctor_says_what_is_installed_and_where_time_goes(hedgerow: Runner) -> None:
    code, out, err = hedgerow("doctor")
    assert (code, err) == (0, "")
    for said in ("Installation", "threads", "numpy", "grow one tree", "one and all give the same forest"):
        assert said in out


def test_doctor_as_json(hedgerow: Runner) -> None:
    code, out, _ = hedgerow("doctor", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["threads_agree"] is True
    assert found["installation"]["instructions"] in ("avx512f", "avx2", "baseline")
    assert {one["name"] for one in found["packages"]} >= {"numpy", "scikit-learn", "onnx"}
    assert all(seconds >= 0 for seconds in found["seconds"].values())


def test_doctor_names_what_is_missing_and_the_way_out(
    hedgerow: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["numpy>=999", "no-such-package>=1", 'no-such-extra>=2; extra == "onnx"']
    monkeypatch.setattr("importlib.metadata.requires", lambda name: lines)
    code, out, _ = hedgerow("doctor")
    assert code == 1
    assert "wanted >=999: pip install 'numpy>=999'" in out
    assert "missing; wanted >=1" in out
    assert "not installed; wanted for onnx: pip install 'hedgerow[onnx]'" in out
    assert "not tried" in out


def test_a_missing_extra_is_no_fault(hedgerow: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.requires", lambda name: ['no-such-extra>=2; extra == "onnx"'])
    monkeypatch.setattr(doctor, "time_small_fit", lambda: ([doctor.Timing("grow one tree", 0.1)], True))
    assert hedgerow("doctor").code == 0


@pytest.mark.parametrize(
    ("words", "wanted"), [("hedgerow doc", "doctor"), ("hedgerow study --scor", "--scoring")]
)
def test_the_shell_completes(words: str, wanted: str) -> None:
    variables = {
        "_HEDGEROW_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    program = "from hedgerow.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **variables}, capture_output=True, text=True
    )
    assert ran.stdout.split() == [wanted]
