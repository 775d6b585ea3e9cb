"""How many threads.   In: n_jobs as scikit-learn means it, and the size of the work.   Out: a number.

None and -1: all usable cores (affinity and the container's quota count); -2: all but one. One below a threshold,
because starting a thread costs more than small work, and one inside a joblib worker, which is a core's worth already.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral

from hedgerow.errors import InPython, ParameterError

MOST_THREADS = 256  # a slip of the keyboard should not start a million
WORTH_A_THREAD = 200_000  # cells; below, one thread is faster


def usable_cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _cgroup_quota()
    return max(1, min(cores, quota) if quota else cores)


def _cgroup_quota() -> int:
    """Whole cores the container may use; 0 if there is no limit."""
    try:
        with open("/sys/fs/cgroup/cpu.max") as file:
            quota, period = file.read().split()
    except (OSError, ValueError):
        return 0
    return 0 if quota == "max" else max(1, int(quota) // int(period))


def _inside_worker() -> bool:
    """True in a process made by joblib or multiprocessing to share work that is already spread over cores."""
    multiprocessing = sys.modules.get("multiprocessing")
    return "LOKY_WORKER" in os.environ or bool(multiprocessing and multiprocessing.current_process().daemon)


def threads_for(n_jobs: int | None, cells: int) -> int:
    if n_jobs is not None and (n_jobs == 0 or not isinstance(n_jobs, Integral)):
        every = InPython("-1 or None", "-1")
        raise ParameterError(
            "{n_jobs} has no meaning. Give a number of threads, or {} for all usable cores.",
            every,
            n_jobs=n_jobs,
        )
    if cells < WORTH_A_THREAD:
        return 1
    if n_jobs is None:
        return 1 if _inside_worker() else usable_cores()
    if n_jobs < 0:
        return max(1, usable_cores() + 1 + n_jobs)
    return min(n_jobs, MOST_THREADS)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """NumPy's matrix products take one thread here: ours are small, and fits that run side by side have a core each.
    Threads of OpenBLAS wait for each other at full speed: on a busy machine ten times the work, and more."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, user_api="blas"):
        yield
