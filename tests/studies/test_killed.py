"""Killed twenty times, a study ends as one that was left in peace; tools/kill_study.py does it by the clock."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.studies.test_study import table

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "result.json",
    "report.html",
    "holdout.csv",
    "command.txt",
    "model.hedgerow",
    "types.toml",
    "model_card.md",
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_killed_twenty_times_it_ends_the_same(tmp_path):
    table(150).drop("price").write_csv(tmp_path / "t.csv")
    command = [sys.executable, "-m", "tests.studies.killed", "t.csv", "whole", "cut"]
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    ended = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True, text=True
    )  # fmt: skip
    killed, studies = map(int, ended.stdout.split())
    assert killed == 20
    for k in range(studies):
        folder = tmp_path / f"cut-{k}"
        for name in FILES:
            assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
        assert not list(folder.glob(".*")), "what a killed process has left is cleared away"
