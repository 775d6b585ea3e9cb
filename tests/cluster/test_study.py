"""A study on a cluster is the study without one: whole, after its scheduler was lost, after its process was killed."""

import os
import subprocess
import sys

import numpy as np
import pytest
from tests.cli.run import Runner
from tests.studies.test_study import table

from hedgerow import study
from hedgerow.studies.progress import NullProgress

distributed = pytest.importorskip("distributed")

OPTIONS = {"models": ("stump", "tree"), "folds": 3, "repeats": 1, "quick": True, "command": "the same"}
FILES = ("result.json", "model.hedgerow", "holdout.csv", "report.html")
KILLED = """
import os, signal, sys
import joblib
from distributed import Client
from hedgerow import study
from hedgerow.studies.progress import NullProgress

class KillAtFourth(NullProgress):
    n = 0
    def on_fold_result(self, *result):
        self.n += 1
        if self.n == 4:
            os.kill(os.getpid(), signal.SIGKILL)

with Client(sys.argv[1]), joblib.parallel_config(backend="dask"):
    study("t.csv", "kept", folder="killed", callback=KillAtFourth(), **OPTIONS)
"""


class AtFourthResult(NullProgress):
    n = n_known = 0

    def __init__(self, act=None):
        self.act = act

    def on_comparison(self, models, n_splits, n_known):
        self.n_known = n_known

    def on_fold_result(self, model, result):
        self.n += 1
        if self.n == 4 and self.act:
            self.act()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    table(120).drop("price").write_csv(folder / "t.csv")
    before = os.getcwd()
    os.chdir(folder)
    study("t.csv", "kept", folder="whole", **OPTIONS)
    yield folder
    os.chdir(before)


@pytest.fixture
def hedgerow(monkeypatch, capsys):
    return Runner(monkeypatch, capsys)


def on_dask(client):
    from joblib import parallel_config

    return parallel_config(backend="dask", client=client)


def same_files(place, folder):
    for name in FILES:
        assert (place / folder / name).read_bytes() == (place / "whole" / name).read_bytes(), name


@pytest.mark.slow
def test_a_study_whose_scheduler_was_lost_goes_on(client, place):
    import dask

    lost = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    )
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        distributed.Client(lost, set_as_default=False) as other,
        on_dask(other),
        pytest.raises(RuntimeError, match=r"scheduler of the Dask cluster is gone.*goes on where it was"),
    ):
        study("t.csv", "kept", folder="lost", callback=AtFourthResult(lost.close), **OPTIONS)
    progress = AtFourthResult()
    with on_dask(client):
        study("t.csv", "kept", folder="lost", callback=progress, **OPTIONS)
    assert progress.n_known >= 4
    same_files(place, "lost")


@pytest.mark.slow
def test_a_study_that_was_killed_leaves_no_task_and_goes_on(client, wait_until_free, place):
    command = [sys.executable, "-c", f"OPTIONS = {OPTIONS}\n{KILLED}", client.scheduler.address]
    assert subprocess.run(command, cwd=place, check=False).returncode < 0
    wait_until_free()
    progress = AtFourthResult()
    with on_dask(client):
        study("t.csv", "kept", folder="killed", callback=progress, **OPTIONS)
    assert progress.n_known >= 4
    same_files(place, "killed")


@pytest.mark.slow
def test_the_command_takes_a_cluster(client, place, hedgerow):
    ended = hedgerow(
        "study", "t.csv", "--target", "kept", "--models", "stump,tree", "--folds", "3", "--quick", "--folder", "typed",
        "--cluster", client.scheduler.address,
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert "cluster" not in (place / "typed" / "command.txt").read_text()
    assert (place / "typed" / "holdout.csv").read_bytes() == (place / "whole" / "holdout.csv").read_bytes()


@pytest.mark.parametrize("typed", ["local", "local:0", "four", "local:x"])
def test_what_is_no_cluster_is_refused(hedgerow, typed):
    ended = hedgerow("study", "titanic", "--cluster", typed)
    assert ended.code == 2
    assert "is no cluster. Give the address of a Dask scheduler" in " ".join(ended.err.split())


def test_a_worker_that_dies_of_a_fit_is_a_result_about_the_model(monkeypatch):
    from hedgerow import DecisionTreeClassifier
    from hedgerow.dask import tasks
    from hedgerow.evaluation import run

    def die(client, task, shared, keys, is_late):
        return ((key, None if key[0] else task(shared, key)) for key in keys)

    monkeypatch.setattr(run, "_active_client", lambda: "a client")
    monkeypatch.setattr(tasks, "run_tasks", die)
    from hedgerow.evaluation.data import make_data
    from hedgerow.evaluation.splits import make_splits

    X = np.random.default_rng(0).normal(size=(60, 3))
    models, kept = {"tree": DecisionTreeClassifier()}, []
    data = make_data(list(models.values()), X, X[:, 0] > 0)
    found = run.run_folds(
        models, data, make_splits(3, data, repeats=1, random_state=0), on_result=lambda *one: kept.append(one)
    )
    assert [one.failure[:12] for one in found["tree"]] == ["", "workers died", "workers died"]
    assert len(kept) == 1, "it may go better another time"
