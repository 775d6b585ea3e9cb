"""A pytest plug-in: scikit-learn's own tests, with hedgerow's classes in the place of theirs.

In: test files of the installed scikit-learn.   Out: outcomes.json: how each test that made one of our
estimators ended, and why.

While the test files are imported, the public names of sklearn.tree, sklearn.ensemble and sklearn.svm are ours;
afterwards they are theirs again, but for the modules that the tests look names up in while they run (`svm.SVC`).
scikit-learn itself has been imported before and keeps its own classes.
"""

import functools
import importlib
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import hedgerow

PACKAGES = ("sklearn.tree", "sklearn.ensemble", "sklearn.svm")
MODULES = os.environ["PEER_SUITES_MODULES"].split()

_theirs: list[tuple[ModuleType, str, Any]] = []
_made: set[str] = set()
_current = ""
_outcomes: dict[str, dict[str, str]] = {}


def _ours(package: ModuleType) -> dict[str, Any]:
    return {name: getattr(hedgerow, name) for name in package.__all__ if hasattr(hedgerow, name)}


def pytest_configure() -> None:
    for name in MODULES:
        importlib.import_module(name)  # everything they need is imported while the names are scikit-learn's
    for name in MODULES:
        del sys.modules[name]
        delattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2])
    for package in [importlib.import_module(name) for name in PACKAGES]:
        for name, ours in _ours(package).items():
            _theirs.append((package, name, getattr(package, name)))
            setattr(package, name, ours)
            _watch(ours)


def _watch(estimator: Any) -> None:
    """Note which tests make one of them."""
    init = estimator.__init__

    @functools.wraps(init)
    def noting(self: Any, *args: Any, **params: Any) -> None:
        _made.add(_current)
        init(self, *args, **params)

    estimator.__init__ = noting


def pytest_collection_finish() -> None:
    for package, name, theirs in _theirs:
        setattr(package, name, theirs)
    for module in [sys.modules[name] for name in MODULES]:
        for name, found in list(vars(module).items()):
            if isinstance(found, ModuleType) and found.__name__ in PACKAGES:
                setattr(module, name, _with_ours(found))


def _with_ours(package: ModuleType) -> ModuleType:
    view = ModuleType(package.__name__)
    view.__dict__.update(package.__dict__)
    view.__dict__.update(_ours(package))
    return view


def pytest_runtest_protocol(item: Any) -> None:
    global _current
    _current = item.nodeid


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    report = (yield).get_result()
    if report.when != "call" and report.outcome == "passed":
        return
    why = "" if call.excinfo is None else f"{call.excinfo.typename}: {call.excinfo.value}"
    _outcomes[item.nodeid] = {"outcome": report.outcome, "why": " ".join(why.split())[:300]}


def pytest_sessionfinish() -> None:
    counted = {node.split("::", 1)[1]: found for node, found in _outcomes.items() if node in _made}
    Path(os.environ["PEER_SUITES_OUTCOMES"]).write_text(json.dumps(counted, indent=1))
