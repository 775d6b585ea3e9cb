"""Files are whole or not at all: many writers, links, rights, a full disk."""

import errno
import os
import stat
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import polars as pl
import pytest

import hedgerow
from hedgerow import DecisionTreeClassifier, files
from hedgerow.files import to_csv, write_atomically

posix = pytest.mark.skipif(os.name != "posix", reason="links and modes of POSIX")


def test_threads_that_save_to_one_path_leave_a_whole_file_at_any_moment(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(70, 3))
    models = [DecisionTreeClassifier(max_depth=k).fit(X, X[:, 0] > 0.2 * X[:, 1]) for k in (1, 2, 3, 4)]
    path, failures = tmp_path / "m.hedgerow", []
    hedgerow.save(models[0], path)

    def repeat(action: Any) -> None:
        try:
            for _ in range(25):
                action()
        except Exception as error:
            failures.append(error)

    actions = [lambda model=model: hedgerow.save(model, path) for model in models]
    threads = [Thread(target=repeat, args=(action,)) for action in [*actions, lambda: hedgerow.load(path)]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert os.listdir(tmp_path) == ["m.hedgerow"]


@posix
def test_a_link_is_replaced_and_its_target_left_alone(tmp_path: Path) -> None:
    victim, path = tmp_path / "victim", tmp_path / "out"
    victim.write_bytes(b"precious")
    path.symlink_to(victim)
    write_atomically(path, b"new")
    assert victim.read_bytes() == b"precious"
    assert not path.is_symlink()
    assert path.read_bytes() == b"new"


@posix
def test_a_planted_link_at_the_temporary_name_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr(files, "token_hex", lambda n: "guessed")
    (tmp_path / ".out.guessed.part").symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_atomically(tmp_path / "out", b"new")
    assert victim.read_bytes() == b"precious"


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_atomically(tmp_path / "out", b"new")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, r"disk is full: 7 bytes are wanted, [\d,]+ are free.*unchanged.*Free some space"),
        (errno.EACCES, r"unchanged.*allow writing to the folder"),
        (errno.EIO, r"unchanged\. Give another place"),
    ],
)
def test_a_disk_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def fail(place: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match=rf"(?s)'.*out' cannot be written: .*{words}"):
        write_atomically(path, b"content")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out"]


@posix
def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no regular file"):
        write_atomically(tmp_path / "pipe", b"")
    with pytest.raises(OSError, match="is a folder"):
        write_atomically(tmp_path, b"")


def test_a_long_name_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


def test_cells_that_a_spreadsheet_would_run_are_text() -> None:
    frame = pl.DataFrame(
        {"=name": ["=1+1", "+cmd|x", "-1", "@A1", "plain", None, "-5 rooms"], "n": [-1.5] * 7}
    )
    cells = to_csv(frame).splitlines()
    assert [line.rpartition(",")[0] for line in cells] == [
        "'=name", "'=1+1", "'+cmd|x", "-1", "'@A1", "plain", "", "'-5 rooms",
    ]  # fmt: skip
    assert to_csv(frame, keep_formulas=True) == frame.write_csv()
