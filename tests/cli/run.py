"""The command, run in this process: argv in; exit code, standard output and standard error out."""

from typing import NamedTuple

import pytest

from hedgerow.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class Runner:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *words: object) -> Ran:
        self.monkeypatch.setattr("sys.argv", ["hedgerow", *map(str, words)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        return Ran(int(left.value.code or 0), *self.capsys.readouterr())
