"""A folder is one study's at a time, and damage to what it keeps costs time and nothing else."""

import os
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing
from pathlib import Path

import pytest
from tests.studies.test_checkpoint import answer, same

from hedgerow.studies.checkpoint import CheckpointStore
from hedgerow.studies.lock import LOCK, lock_folder

fcntl = pytest.importorskip("fcntl")
HOLD = (
    "import sys; from pathlib import Path; from hedgerow.studies.lock import lock_folder\n"
    "with lock_folder(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
)


def test_another_process_hears_who_holds_the_folder(tmp_path: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], **pipes) as other:
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(ValueError, match=rf"in use by process {other.pid} on .*, since \d"),
            lock_folder(tmp_path),
        ):
            pass
        other.kill()
        other.wait()
    with lock_folder(tmp_path):  # a kill lets go of it
        assert (tmp_path / LOCK).read_text().startswith(f"process {os.getpid()} ")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE answer SET guess = x'00' WHERE split = 1",
        "UPDATE answer SET guess = NULL WHERE split = 1",
        "UPDATE answer SET size = '{}' WHERE split = 1",
        "UPDATE answer SET size = '[[[' WHERE split = 1",
        "UPDATE answer SET failure = x'ff' WHERE split = 1",
        "UPDATE answer SET fit_seconds = 'long' WHERE split = 1",
        "UPDATE answer SET model = 'other' WHERE split = 1",
        "UPDATE answer SET digest = 'none' WHERE split = 1",
        "UPDATE answer SET guess = (SELECT guess FROM answer WHERE split = 0) WHERE split = 1",
    ],
)
def test_a_damaged_result_is_computed_again_and_said_once(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "a.sqlite"
    with CheckpointStore(path, "one") as store:
        for k in range(3):
            store.save("tree", k, answer(k))
    with sqlite3.connect(path) as database:
        database.execute(damage)
    with CheckpointStore(path, "one") as store:
        with pytest.warns(
            UserWarning, match=r"1 fold result in .* cannot be read, and will be computed again"
        ):
            found = store.load()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert sorted(store.load()) == [(0, "tree"), (2, "tree")]
        assert same(found[2, "tree"], answer(2))
        store.save("tree", 1, answer(1))
        assert len([k for k, name in store.load() if name == "tree"]) == 3


@pytest.mark.parametrize("place", [0.3, 0.6, 0.9])
def test_a_file_with_a_hole_is_put_aside_or_read_around(tmp_path: Path, place: float) -> None:
    path = tmp_path / "a.sqlite"
    with CheckpointStore(path, "one") as store:
        for k in range(40):
            store.save("tree", k, answer(k))
    data = bytearray(path.read_bytes())
    start = int(place * len(data))
    data[start : start + 3000] = b"\xff" * 3000
    path.write_bytes(data)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with CheckpointStore(path, "one") as store:
            found = store.load()
            store.save("tree", 0, answer(0))
    assert len(said) == 1
    assert all(same(result, answer(k)) for (k, _), result in found.items())


def test_a_damaged_index_is_found_when_the_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with CheckpointStore(path, "one") as store:
        store.save("tree", 0, answer(0))
    with closing(sqlite3.connect(path)) as database:
        size = database.execute("PRAGMA page_size").fetchone()[0]
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_about_1'"
        end = size * database.execute(query).fetchone()[0]
    whole = path.read_bytes()
    for place in range(end - 40, end):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        path.write_bytes(damaged)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with CheckpointStore(path, "one") as store:
                found = store.load()
        assert len(said) + len(found) == 1  # read, or computed again and said once


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"'.*none.a\.sqlite' cannot be opened: .*name another folder"):
        CheckpointStore(tmp_path / "none" / "a.sqlite", "one")
