import asyncio
from types import SimpleNamespace

import pytest


@pytest.fixture
def one_thread(monkeypatch):
    """Tasks that run in this process are on a worker with a thread."""
    worker = SimpleNamespace(state=SimpleNamespace(nthreads=1))
    monkeypatch.setattr("distributed.get_worker", lambda: worker)


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as made,
    ):
        yield made


@pytest.fixture
def wait_until_free(client):
    """Until the cluster has no task left of a client that is gone."""

    async def wait(dask_scheduler):
        async def look():
            while dask_scheduler.tasks:
                await asyncio.sleep(0.01)

        await asyncio.wait_for(look(), 30)

    return lambda: client.run_on_scheduler(wait)
