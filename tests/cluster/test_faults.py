"""What goes wrong on a cluster in mid-fit: the same bits, or an error that says what happened."""

import os
import subprocess
import sys
from threading import Timer

import numpy as np
import pytest
from tests.cluster import test_trees as trees
from tests.cluster.test_fit import fit_here, make, model_bytes

dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
on_dask = pytest.importorskip("hedgerow.dask")

pytestmark = pytest.mark.slow
N_KILLS = 10
N_PARTITIONS = 6
GONE = """
import os, signal, sys
import numpy as np, pandas as pd, dask.dataframe as dd
from distributed import Client
from hedgerow.dask import HistGradientBoostingRegressor

def die(info):
    os.kill(os.getpid(), signal.SIGKILL)

X = np.random.default_rng(0).normal(size=(400, 3))
rows = dd.from_pandas(pd.DataFrame(X, columns=list("abc")), npartitions=3, sort=False)
with Client(sys.argv[1]):
    HistGradientBoostingRegressor(max_iter=5, early_stopping=False, callbacks=die).fit(rows, "c")
"""


@pytest.fixture(scope="module")
def processes():
    """Their nannies start most workers again that were killed."""
    with (
        distributed.LocalCluster(
            n_workers=5, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield cluster, client


def fit_with(frame, callbacks=None):
    target, model = make("two classes", on_dask)
    model.set_params(callbacks=callbacks)
    model.fit(dd.from_pandas(frame, npartitions=N_PARTITIONS, sort=False), target, "weight")
    return model.to_local().set_params(callbacks=None)


def die_after(seconds):
    Timer(seconds, os._exit, (1,)).start()


def test_workers_killed_at_random_moments_do_not_change_a_bit(processes, tmp_path):
    """Half of them while rows are laid out and bins are found, half of them in a round, in a step or between two."""
    _, client = processes
    frame, model = fit_here("two classes")
    expected = model_bytes(model, tmp_path)
    rng = np.random.default_rng(0)
    for k in range(N_KILLS):
        at_round, seconds = rng.integers(0, 3), rng.uniform(0, 0.5 if k % 2 else 0.05)

        def kill_one(info=None, at_round=at_round, seconds=seconds):
            if info is None or info.round == at_round + 1:
                there = sorted(client.scheduler_info(n_workers=-1)["workers"])
                client.run(die_after, seconds, workers=there[: len(there) > 1], on_error="ignore")

        if k % 2:
            kill_one()
        found = fit_with(frame, None if k % 2 else kill_one)
        assert model_bytes(found, tmp_path) == expected, k


def test_workers_killed_while_trees_grow_by_sums_do_not_change_a_bit(processes, tmp_path, monkeypatch):
    from hedgerow.dask.trees import fit, spread

    _, client = processes
    monkeypatch.setattr(spread, "rows_in_one_place", lambda client, n_columns: 150)
    monkeypatch.setattr(fit, "BYTES_PER_CELL", 10**9)
    frame = trees.rows_of("seven", None)
    expected = model_bytes(trees.fit_here("seven classes", frame), tmp_path)
    settings = trees.make("seven classes")[0].get_params()
    for seconds in (0.1, 0.4, 0.8):
        there = sorted(client.scheduler_info(n_workers=-1)["workers"])
        client.run(die_after, seconds, workers=there[: len(there) > 1], on_error="ignore")
        model = on_dask.RandomForestClassifier(**settings)
        with pytest.warns(UserWarning, match="grown by sums"):
            model.fit(dd.from_pandas(frame, npartitions=N_PARTITIONS, sort=False), "seven")
        assert model_bytes(model.to_local(), tmp_path) == expected, seconds


def test_a_worker_added_in_a_fit_does_not_change_a_bit(processes, tmp_path):
    cluster, _ = processes
    frame, model = fit_here("two classes")
    found = fit_with(frame, lambda info: cluster.scale(6) if info.round == 1 else None)
    assert model_bytes(found, tmp_path) == model_bytes(model, tmp_path)


def test_a_client_that_is_killed_leaves_no_task(client, wait_until_free):
    ended = subprocess.run([sys.executable, "-c", GONE, client.scheduler.address], check=False)
    assert ended.returncode < 0
    wait_until_free()


def test_a_lost_scheduler_is_named():
    import dask

    frame, _ = fit_here("two classes")
    lost = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    )
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        distributed.Client(lost),
        pytest.raises(RuntimeError, match="scheduler of the Dask cluster is gone"),
    ):
        fit_with(frame, lambda info: lost.close())
