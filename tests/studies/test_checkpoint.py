"""What was written is there, to the last bit, whatever happened since."""

import subprocess
import sys

import numpy as np
import pytest

from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.predictions import Predictions
from hedgerow.evaluation.size import Size
from hedgerow.studies.checkpoint import CheckpointStore


def answer(seed: int = 0, order: str = "chances") -> FoldResult:
    random = np.random.default_rng(seed)
    probabilities = random.random((7, 3))
    kept = {"chances": probabilities, "own": random.normal(size=(7, 3)), "none": None}[order]
    guess = Predictions(random.integers(0, 3, 7), probabilities if order == "chances" else None, kept)
    return FoldResult(guess, "", 0.25, 0.5, Size(3.0, "leaf", 7.0))


def same(one: FoldResult, other: FoldResult) -> bool:
    arrays = [(a.values, a.proba, a.decision) for a in (one.predictions, other.predictions)]
    equal = all(
        (a is None and b is None) or (a.dtype == b.dtype and np.array_equal(a, b))
        for a, b in zip(*arrays, strict=True)
    )
    return equal and (one.failure, one.size, one.fit_seconds) == (
        other.failure,
        other.size,
        other.fit_seconds,
    )


@pytest.mark.parametrize("order", ["chances", "own", "none"])
def test_read_back(tmp_path, order):
    with CheckpointStore(tmp_path / "a.sqlite", "one") as checkpoint:
        checkpoint.save("tree", 3, answer(1, order))
    with CheckpointStore(tmp_path / "a.sqlite", "one") as again:
        assert list(again.load()) == list(again.load("tree")) == [(3, "tree")]
        assert again.load("svm") == {}
        assert same(again.load()[3, "tree"], answer(1, order))


def test_a_failure_is_kept_with_its_reason(tmp_path):
    with CheckpointStore(tmp_path / "a.sqlite", "one") as checkpoint:
        checkpoint.save("svm", 0, FoldResult(None, "ValueError: no", 0.1, 0.0, None))
        assert checkpoint.load()[0, "svm"].failure == "ValueError: no"


def test_another_study_starts_anew(tmp_path):
    with CheckpointStore(tmp_path / "a.sqlite", "one") as checkpoint:
        checkpoint.save("tree", 0, answer())
    with CheckpointStore(tmp_path / "a.sqlite", "two") as other:
        assert other.was_other
        assert other.load() == {}


def test_a_file_that_is_no_store_is_put_aside(tmp_path):
    (tmp_path / "a.sqlite").write_bytes(b"something else entirely" * 100)
    with pytest.warns(UserWarning, match="is damaged"):
        checkpoint = CheckpointStore(tmp_path / "a.sqlite", "one")
    with checkpoint:
        assert checkpoint.load() == {}
    assert (tmp_path / "a.sqlite.damaged").read_bytes().startswith(b"something else")


@pytest.mark.slow
def test_killed_while_writing(tmp_path):
    """A process that dies without a word leaves what it had finished."""
    script = (
        "import os, sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "from tests.studies.test_checkpoint import answer\n"
        "from hedgerow.studies.checkpoint import CheckpointStore\n"
        "checkpoint = CheckpointStore(Path(sys.argv[1]), 'one')\n"
        "[checkpoint.save('tree', k, answer(k)) for k in range(5)]\n"
        "os.kill(os.getpid(), 9)\n"
    )
    place = __file__.rpartition("/tests/")[0]
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "a.sqlite"), place], check=False)
    with CheckpointStore(tmp_path / "a.sqlite", "one") as checkpoint:
        known = checkpoint.load()
    assert sorted(known) == [(k, "tree") for k in range(5)]
    assert all(same(known[k, "tree"], answer(k)) for k in range(5))
