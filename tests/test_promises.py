"""The promises: threads change nothing, Ctrl-C is heard, fork and spawn and threads of the caller are safe."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.interrupted import said_when_interrupted

import hedgerow.core.threads
from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, recipe
from tree.same import assert_same

JOBS = (1, 2, 3, 8)


def table(n, seed=0):
    """Five numbers (one with ties, one with holes) and a category, as numbers with a declared category."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 1] = X[:, 1].round(1)
    X[rng.random(n) < 0.1, 2] = np.nan
    X[:, 5] = rng.integers(0, 23, n)
    score = X[:, 0] + (X[:, 5] % 3) + 0.5 * rng.normal(size=n)
    return X, score, rng.uniform(0.1, 2, n)


def models():
    known = {"categorical_features": [5]}
    yield "classes", DecisionTreeClassifier(**known)
    yield "entropy", DecisionTreeClassifier(criterion="entropy", **known)
    yield "misclassification", DecisionTreeClassifier(criterion="misclassification", max_depth=8, **known)
    yield "numbers", DecisionTreeRegressor(**known)
    yield "absolute error", DecisionTreeRegressor(criterion="absolute_error", max_depth=6, **known)
    yield "poisson", DecisionTreeRegressor(criterion="poisson", max_depth=8, **known)
    yield "best first", DecisionTreeClassifier(max_leaf_nodes=60, **known)
    yield "some columns", DecisionTreeClassifier(max_features=2, random_state=3, **known)
    yield "random splits", DecisionTreeRegressor(splitter="random", random_state=3, **known)
    yield "bins", DecisionTreeRegressor(max_bins=64, **known)
    yield "pruned", DecisionTreeClassifier(ccp_alpha=1e-4, **known)
    yield "monotone", DecisionTreeRegressor(monotonic_cst=[1, 0, -1, 0, 0, 0], max_depth=8, **known)
    yield "c45", recipe("c45", **known)
    yield "multiway numbers", DecisionTreeRegressor(splits="multiway", max_depth=8, **known)
    yield "surrogates", DecisionTreeClassifier(missing="surrogate", max_depth=8, **known)


def fitted(model, n, weighted, jobs):
    X, score, weight = table(n)
    y = np.digitize(score, [0, 1.5]) if isinstance(model, DecisionTreeClassifier) else np.exp(score / 3)
    return model.set_params(n_jobs=jobs).fit(X, y, weight if weighted else None)


@pytest.mark.parametrize(("name", "model"), list(models()), ids=[name for name, _ in models()])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_bits_for_any_number_of_threads(name, model, weighted, monkeypatch):
    """Six columns of 20,011 rows: enough for a node's columns to be shared between threads."""
    monkeypatch.setattr(hedgerow.core.threads, "WORTH_A_THREAD", 0)
    trees = [fitted(model, 20_011, weighted, jobs).hedgerow_tree_ for jobs in JOBS]
    for tree in trees[1:]:
        assert_same(trees[0], tree)


def test_the_same_bits_where_threads_are_taken_of_themselves():
    n = 40_009
    assert n * 6 > hedgerow.core.threads.WORTH_A_THREAD
    assert_same(
        fitted(DecisionTreeClassifier(), n, True, 1).hedgerow_tree_,
        fitted(DecisionTreeClassifier(), n, True, None).hedgerow_tree_,
    )


@pytest.mark.parametrize(("name", "model"), list(models()), ids=[name for name, _ in models()])
def test_the_same_bits_for_small_tables_too(name, model, monkeypatch):
    monkeypatch.setattr(hedgerow.core.threads, "WORTH_A_THREAD", 0)
    for n in (1, 7, 211):
        trees = [fitted(model, n, True, jobs).hedgerow_tree_ for jobs in JOBS]
        for tree in trees[1:]:
            assert_same(trees[0], tree)


def test_the_same_answers_for_any_number_of_threads():
    X, score, _ = table(50_021)
    model = DecisionTreeRegressor(categorical_features=[5], max_depth=9).fit(X, score)
    answers = [(m.predict(X), m.apply(X)) for m in (model.set_params(n_jobs=jobs) for jobs in JOBS)]
    for values, leaves in answers[1:]:
        np.testing.assert_array_equal(values, answers[0][0])
        np.testing.assert_array_equal(leaves, answers[0][1])
    for forks in ({"splits": "multiway"}, {"missing": "fractional"}, {"missing": "surrogate"}):
        forked = DecisionTreeRegressor(categorical_features=[5], max_depth=6, **forks).fit(X, score)
        values = [forked.set_params(n_jobs=jobs).predict(X) for jobs in JOBS]
        for other in values[1:]:
            np.testing.assert_array_equal(other, values[0])


LONG_FIT = """
from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor

rng = np.random.default_rng(0)
X = rng.normal(size=(300_000, 12))
kind, criterion, jobs, leaves = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) or None
y = rng.integers(0, 40, len(X))  # noise: no end of splits to be found
model = (DecisionTreeClassifier if kind == "classes" else DecisionTreeRegressor)(
    criterion=criterion, n_jobs=jobs, max_leaf_nodes=leaves)
given = (X, y, rng.random(len(X)))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(
    ("kind", "criterion", "jobs", "leaves"),
    [("classes", "gini", 1, 0), ("classes", "entropy", 2, 0), ("numbers", "absolute_error", 2, 100_000)],
)
def test_ctrl_c_ends_a_long_fit(kind, criterion, jobs, leaves):
    """The fit would take many seconds; the signal comes after half a second, and no tree is left behind."""
    assert (
        said_when_interrupted(LONG_FIT, "hedgerow_tree_", kind, criterion, str(jobs), str(leaves))
        == "interrupted False\n"
    )


def test_a_signal_with_another_handler_does_not_end_the_fit():
    """Python's own rule: a handler that raises nothing lets the work go on."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("needs setitimer")
    heard = []
    old = signal.signal(signal.SIGALRM, lambda *_: heard.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
        tree = None
        while not heard or tree is None:  # a fit may be over before the first signal
            tree = fitted(DecisionTreeClassifier(), 40_009, True, 2).hedgerow_tree_
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert_same(tree, fitted(DecisionTreeClassifier(), 40_009, True, 1).hedgerow_tree_)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fit_after_fork_in_the_child():
    """The parent has used threads before; the child uses its own."""
    wanted = fitted(DecisionTreeClassifier(), 40_009, False, 2).hedgerow_tree_
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.apply_async(fitted, (DecisionTreeClassifier(), 40_009, False, 2)).get(timeout=120)
    assert_same(found.hedgerow_tree_, wanted)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_while_another_thread_fits():
    wanted = fitted(DecisionTreeClassifier(), 40_009, False, 2).hedgerow_tree_
    started = threading.Event()

    def work():
        started.set()
        return fitted(DecisionTreeClassifier(), 40_009, False, 2)

    with ThreadPoolExecutor(1) as threads:
        here = threads.submit(work)
        started.wait()
        with multiprocessing.get_context("fork").Pool(1) as pool:
            there = pool.apply_async(fitted, (DecisionTreeClassifier(), 40_009, False, 2)).get(timeout=120)
        assert_same(here.result().hedgerow_tree_, wanted)
    assert_same(there.hedgerow_tree_, wanted)


SPAWNED = """
import sys
from multiprocessing import get_context
import numpy as np
from hedgerow import DecisionTreeClassifier

def fit(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50_000, 5))
    model = DecisionTreeClassifier(max_depth=6, n_jobs=2).fit(X, (X[:, seed] > 0.3).astype(int))
    return model.hedgerow_tree_.feature[0]

if __name__ == "__main__":
    with get_context("spawn").Pool(2) as pool:
        print(pool.map(fit, [0, 1, 2]) == [0, 1, 2])
"""


@pytest.mark.slow
def test_fits_in_spawned_processes(tmp_path):
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "True\n"


@pytest.mark.parametrize("workers", [2, 4])
def test_fits_in_several_threads_of_the_caller(workers):
    """Each its own data, at once, each with threads of its own."""
    X, score, _ = table(40_009)
    targets = [np.digitize(score + 0.1 * k * X[:, 3], [0, 1.5]) for k in range(workers + 1)]
    alone = [DecisionTreeClassifier(n_jobs=2).fit(X, y).hedgerow_tree_ for y in targets]
    with ThreadPoolExecutor(workers) as pool:
        together = list(pool.map(lambda y: DecisionTreeClassifier(n_jobs=2).fit(X, y), targets))
        answers = list(pool.map(lambda model: model.predict(X), together))
    for tree, model, y, answer in zip(alone, together, targets, answers, strict=True):
        assert_same(tree, model.hedgerow_tree_)
        assert (answer == y).mean() > 0.99


def test_one_fitted_model_read_by_several_threads():
    X, score, _ = table(40_009)
    model = DecisionTreeRegressor(max_depth=8).fit(X, score)
    wanted = model.predict(X)
    with ThreadPoolExecutor(4) as pool:
        for answer in pool.map(lambda _: model.predict(X), range(8)):
            np.testing.assert_array_equal(answer, wanted)


def test_one_thread_inside_a_worker_process(monkeypatch):
    """A joblib worker is a core's worth already, unless the caller asks for more."""
    monkeypatch.setenv("LOKY_WORKER", "1")
    assert hedgerow.core.threads.threads_for(None, 10**9) == 1
    assert hedgerow.core.threads.threads_for(3, 10**9) == 3


def test_small_work_takes_one_thread():
    threads_for = hedgerow.core.threads.threads_for
    assert threads_for(8, 100) == 1
    assert threads_for(8, 10**9) == 8
    assert threads_for(-1, 10**9) == threads_for(None, 10**9) == hedgerow.core.threads.usable_cores()
    assert threads_for(-1000, 10**9) == 1
