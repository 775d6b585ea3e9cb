"""Memory is bounded by cache_size: the high-water mark of a process, measured from outside what it measures."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CODE = """
import re, sys
import numpy as np
from hedgerow import SVC, SVR, svm_path
def mark(name):
    return int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1000
rng = np.random.default_rng(0)
X = rng.normal(size=(4000, 10)); y = (X[:, 0] * X[:, 1] + rng.normal(size=4000) > 0).astype(int)
SVC().fit(X[:300], y[:300]); SVC().fit(X[:300], rng.integers(0, 3, 300))
open("/proc/self/clear_refs", "w").write("5")
before = mark("VmRSS")
size = float(sys.argv[1])
if sys.argv[2] == "two":
    SVC(cache_size=size, gamma=1.0).fit(X, y)
elif sys.argv[2] == "classes":
    SVC(cache_size=size).fit(X, rng.integers(0, 3, 4000))
elif sys.argv[2] == "numbers":
    SVR(cache_size=size, max_iter=20000).fit(X, X[:, 0])
else:
    svm_path(SVC(cache_size=size, max_iter=20000), X, y, C=[0.1, 1], gamma=[0.1, 1.0], cv=3)
print(mark("VmHWM") - before)
"""
ROWS = 40  # megabytes for the rows in float32 and float64, slopes and bounds, and what the allocator keeps


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="measured on Linux")
@pytest.mark.parametrize("what", ["two", "classes", "numbers", "path"])
@pytest.mark.parametrize("megabytes", [10, 60])
def test_cache_size_bounds_memory(what, megabytes):
    command = [sys.executable, "-W", "ignore", "-c", CODE, str(megabytes), what]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    if "PermissionError" in done.stderr:
        pytest.skip("the process may not reset its own mark here")
    assert done.returncode == 0, done.stderr[-500:]
    assert float(done.stdout) <= megabytes + ROWS
