"""Ctrl-C ends every SVM, in whatever it is doing; a time limit ends it with the best solution so far."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hedgerow import SVC, SVR, LinearSVC

HEAD = """
import signal, threading, time, warnings
import numpy as np
from hedgerow import SVC, SVR, LinearSVC, svm_path
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.normal(size=(3000, 20)); y = rng.integers(0, 2, 3000)
sent = []
def send():
    sent.append(time.perf_counter())
    signal.raise_signal(signal.SIGINT)
def kernel(A, B):
    threading.Timer(0.3, send).start()  # the kernel is call_kernel once, just before the solver
    return A @ B.T
def soon():
    threading.Timer(0.3, send).start()
try:
"""
TAIL = """
except KeyboardInterrupt:
    print("stopped after", time.perf_counter() - sent[0], flush=True)
else:
    print("ended by itself", flush=True)
"""
LONG = {
    "rbf": "soon(); SVC(C=1e8, gamma=0.01, tol=1e-12).fit(X, y)",
    "linear kernel": "soon(); SVC(kernel='linear', C=1e6, tol=1e-9).fit(X, y)",
    "function": "SVC(kernel=kernel, C=1e6, tol=1e-9).fit(X, y)",
    "precomputed": "K = X @ X.T; soon(); SVC(kernel='precomputed', C=1e6, tol=1e-9).fit(K, y)",
    "pairs": "soon(); SVC(kernel='linear', C=1e6, tol=1e-9).fit(X, rng.integers(0, 4, 3000))",
    "numbers": "soon(); SVR(kernel='linear', C=1e6, tol=1e-9).fit(X, rng.normal(size=3000))",
    "path": "soon(); svm_path(SVC(kernel='linear', tol=1e-9), X, y, C=[1e5, 1e6], cv=3)",
    "path in small memory": "soon(); svm_path(SVC(kernel='linear', tol=1e-9, cache_size=5), X, y, C=[1e5, 1e6], cv=3)",
    "descent": "soon(); LinearSVC(C=1e8, dual=True, loss='hinge', tol=1e-14, max_iter=10**9).fit(X, y)",
    "descent on sparse rows": (
        "from scipy.sparse import random as sparse; Z = sparse(4000, 3000, 0.01, 'csr', random_state=0); soon(); "
        "LinearSVC(C=1e8, dual=True, loss='hinge', tol=1e-14, max_iter=10**9).fit(Z, rng.integers(0, 2, 4000))"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", LONG)
def test_ctrl_c(what):
    """It stops, long before the fit would have ended; how soon is measured by benchmarks/interrupt.py."""
    code = HEAD + "    " + LONG[what] + TAIL
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.startswith("stopped after"), done.stdout + done.stderr[-500:]
    assert done.returncode == 0


@pytest.mark.parametrize(
    "model",
    [
        SVC(kernel="linear", C=1e6, tol=1e-12, time_limit=0.05),
        SVC(kernel="linear", C=1e6, tol=1e-12, time_limit=0.05, cache_size=1),
        SVR(kernel="linear", C=1e6, tol=1e-12, time_limit=0.05),
        LinearSVC(loss="hinge", dual=True, C=1e8, tol=1e-15, max_iter=10**9, time_limit=0.05),
    ],
    ids=["whole", "working sets", "numbers", "descent"],
)
def test_time_limit_gives_the_best_so_far(model):
    """A fit that would take minutes: the limit is what ended it, and the certificate says how far it got."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(1200, 30)), rng.integers(0, 2, 1200)
    with pytest.warns(ConvergenceWarning, match=r"time_limit.*best solution so far.*duality gap"):
        model.fit(X, y)
    assert model.certificate_.ending == "time_limit"
    assert np.isfinite(model.certificate_.gap)
    assert model.certificate_.gap > 0
    assert np.isfinite(model.predict(X)).all()
